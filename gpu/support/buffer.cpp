// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/buffer.h"

#include "core/support/bytes_text.h"
#include "gpu/support/on_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace gridhelm::gpu {
namespace {

const GpuDevice &currentGpu()
{
    const auto *gpu = OnGpu::current();
    if (!gpu)
        throw std::logic_error("memory of a GPU is taken while none is current");
    return *gpu;
}

} // namespace

std::size_t freeDeviceBytes()
{
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "tell its free memory");
    return std::min(free, currentGpu().memory->left());
}

void requireDeviceMemory(std::size_t bytes, const char *what)
{
    const auto free = freeDeviceBytes();
    if (bytes > free)
        throw BackendError(fmt::format(
            "{} need {} of the GPU's memory, of which {} are free; close other programs "
            "that use it, or choose the back end omp",
            what, memoryText(static_cast<double>(bytes)), memoryText(static_cast<double>(free))));
}

namespace detail {

DeviceMemory allocateOnDevice(std::size_t bytes)
{
    DeviceMemory memory{nullptr, currentGpu().memory};
    if (!memory.budget->take(bytes))
        check(cudaErrorMemoryAllocation, "take memory");
    try {
        check(cudaMalloc(&memory.pointer, bytes), "take memory");
    } catch (...) {
        memory.budget->giveBack(bytes);
        throw;
    }
    return memory;
}

void freeOnDevice(const DeviceMemory &memory, std::size_t bytes) noexcept
{
    cudaFree(memory.pointer); // of whichever device; a lost one has nothing to give back
    memory.budget->giveBack(bytes);
}

void *allocatePinned(std::size_t bytes)
{
    void *pointer = nullptr;
    check(cudaMallocHost(&pointer, bytes), "pin memory of the CPU");
    return pointer;
}

void freePinned(void *pointer) noexcept
{
    cudaFreeHost(pointer);
}

} // namespace detail
} // namespace gridhelm::gpu
