// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/buffer.h"

#include <algorithm>
#include <atomic>

namespace gridhelm::gpu {
namespace {

std::atomic<std::size_t> byteLimit = std::numeric_limits<std::size_t>::max();
std::atomic<std::size_t> bytesTaken = 0;

} // namespace

std::size_t freeDeviceBytes()
{
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "tell its free memory");
    const std::size_t limit = byteLimit;
    const std::size_t taken = bytesTaken;
    return std::min(free, limit - std::min(limit, taken));
}

void setDeviceByteLimit(std::size_t bytes)
{
    byteLimit = bytes;
}

namespace detail {

void *allocateOnDevice(std::size_t bytes)
{
    const std::size_t limit = byteLimit;
    const std::size_t taken = bytesTaken;
    if (bytes > limit - std::min(limit, taken))
        check(cudaErrorMemoryAllocation, "take memory");
    void *pointer = nullptr;
    check(cudaMalloc(&pointer, bytes), "take memory");
    bytesTaken += bytes;
    return pointer;
}

void freeOnDevice(void *pointer, std::size_t bytes) noexcept
{
    cudaFree(pointer); // a lost device has nothing to give back
    bytesTaken -= bytes;
}

void *allocatePinned(std::size_t bytes)
{
    void *pointer = nullptr;
    check(cudaMallocHost(&pointer, bytes), "pin memory of the processor");
    return pointer;
}

void freePinned(void *pointer) noexcept
{
    cudaFreeHost(pointer);
}

} // namespace detail
} // namespace gridhelm::gpu
