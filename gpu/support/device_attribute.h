// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/support/cuda_error.h"

#include <array>
#include <atomic>
#include <cstddef>

namespace gridhelm::gpu {

/// CUDA's number of the calling thread's device.
inline int currentDevice()
{
    int device = 0;
    check(cudaGetDevice(&device), "tell which it is");
    return device;
}

/// Of the calling thread's device.
inline int deviceAttribute(cudaDeviceAttr which)
{
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, currentDevice()), "tell its properties");
    return value;
}

/// A positive number that is found once for each device: as a static variable of a function, for
/// what is asked for at every launch. Thread-safe.
class OncePerDevice
{
public:
    template <typename Find>
    int operator()(Find find)
    {
        auto &value = m_values[static_cast<std::size_t>(currentDevice()) % m_values.size()];
        if (value == 0)
            value = find();
        return value;
    }

private:
    std::array<std::atomic<int>, 64> m_values{};
};

} // namespace gridhelm::gpu
