// SPDX-License-Identifier: GPL-3.0-or-later
//
// Memory of the device, and memory of the CPU that the device reads and writes at full speed.
#pragma once

#include "core/execution/memory_budget.h"
#include "gpu/support/cuda_error.h"

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace gridhelm::gpu {

/// Bytes that may be taken on the current GPU (OnGpu): what is free, within its budget. Throws
/// DeviceError if the device does not answer.
std::size_t freeDeviceBytes();
/// Throws BackendError if `what` needs more of them.
void requireDeviceMemory(std::size_t bytes, const char *what);

namespace detail {
/// Memory of the current GPU, and the budget that it counts against.
struct DeviceMemory
{
    void *pointer = nullptr;
    std::shared_ptr<MemoryBudget> budget;
};
DeviceMemory allocateOnDevice(std::size_t bytes);
void freeOnDevice(const DeviceMemory &memory, std::size_t bytes) noexcept;
void *allocatePinned(std::size_t bytes);
void freePinned(void *pointer) noexcept;
} // namespace detail

/// `count` uninitialized values on the GPU that is current (OnGpu) when they are allocated. Throws
/// DeviceError if they do not fit.
template <typename T>
class DeviceBuffer
{
    static_assert(std::is_trivially_copyable_v<T>);

public:
    DeviceBuffer() = default;
    explicit DeviceBuffer(std::size_t count)
        : m_memory(count > 0 ? detail::allocateOnDevice(count * sizeof(T)) : detail::DeviceMemory())
        , m_size(count)
    {
    }
    /// A copy of the CPU's values; waits for it.
    explicit DeviceBuffer(std::span<const T> values)
        : DeviceBuffer(values.size())
    {
        if (values.empty())
            return;
        check(cudaMemcpy(data(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice),
              "take data");
        // The call above returns when the values have left the CPU's array, not when they
        // have arrived, and our streams do not wait for its stream.
        check(cudaStreamSynchronize(cudaStreamLegacy), "take data");
    }
    DeviceBuffer(DeviceBuffer &&other) noexcept
        : m_memory(std::exchange(other.m_memory, {}))
        , m_size(std::exchange(other.m_size, 0))
    {
    }
    DeviceBuffer &operator=(DeviceBuffer &&other) noexcept
    {
        std::swap(m_memory, other.m_memory);
        std::swap(m_size, other.m_size);
        return *this;
    }
    ~DeviceBuffer()
    {
        if (m_memory.pointer)
            detail::freeOnDevice(m_memory, bytes());
    }

    T *data() const noexcept { return static_cast<T *>(m_memory.pointer); }
    std::size_t size() const noexcept { return m_size; }
    std::size_t bytes() const noexcept { return m_size * sizeof(T); }

    /// At least `count` values; what it held is lost if it has to grow.
    void reserve(std::size_t count)
    {
        if (count > m_size) {
            *this = DeviceBuffer(); // first, so that both need not fit
            *this = DeviceBuffer(count);
        }
    }

private:
    detail::DeviceMemory m_memory;
    std::size_t m_size = 0;
};

/// `count` uninitialized values of the CPU that no one moves: copies to and from the device
/// run beside its kernels, at the full speed of the bus.
template <typename T>
class PinnedBuffer
{
    static_assert(std::is_trivially_copyable_v<T>);

public:
    PinnedBuffer() = default;
    explicit PinnedBuffer(std::size_t count)
        : m_data(count > 0 ? static_cast<T *>(detail::allocatePinned(count * sizeof(T))) : nullptr)
        , m_size(count)
    {
    }
    PinnedBuffer(PinnedBuffer &&other) noexcept
        : m_data(std::exchange(other.m_data, nullptr))
        , m_size(std::exchange(other.m_size, 0))
    {
    }
    PinnedBuffer &operator=(PinnedBuffer &&other) noexcept
    {
        std::swap(m_data, other.m_data);
        std::swap(m_size, other.m_size);
        return *this;
    }
    ~PinnedBuffer()
    {
        if (m_data)
            detail::freePinned(m_data);
    }

    T *data() const noexcept { return m_data; }
    std::size_t size() const noexcept { return m_size; }
    std::span<T> values() const noexcept { return {m_data, m_size}; }

    /// At least `count` values; what it held is lost if it has to grow.
    void reserve(std::size_t count)
    {
        if (count > m_size) {
            *this = PinnedBuffer();
            *this = PinnedBuffer(count);
        }
    }

private:
    T *m_data = nullptr;
    std::size_t m_size = 0;
};

} // namespace gridhelm::gpu
