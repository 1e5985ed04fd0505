// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/error.h"

#include <cuda_runtime.h>

namespace gridhelm::gpu {

/// A CUDA device that does not do what it should. After `deviceIsLost` nothing on it can be used
/// any more in this process; what the CPU holds is whole.
class DeviceError : public BackendError
{
public:
    DeviceError(const std::string &sentence, cudaError_t status);

    cudaError_t status() const noexcept { return m_status; }
    bool isOutOfMemory() const noexcept { return m_status == cudaErrorMemoryAllocation; }
    bool deviceIsLost() const noexcept;

private:
    cudaError_t m_status;
};

/// Throws DeviceError unless `status` is cudaSuccess. `action` completes "the CUDA device could not
/// ...", e.g. "copy the coefficients".
void check(cudaError_t status, const char *action);

/// Of the last kernel launch: whether it could start. What goes wrong while it runs is found by the
/// next call that waits for it.
void checkLaunch(const char *action);

} // namespace gridhelm::gpu
