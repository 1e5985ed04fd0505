// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/cuda_error.h"

#include <string>

namespace gridhelm::gpu {
namespace {

bool meansLost(cudaError_t status)
{
    switch (status) {
    case cudaSuccess:
    case cudaErrorMemoryAllocation:
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorNotReady:
        return false;
    default: // illegal addresses, launch failures, ECC errors: CUDA's errors stick to the process
        return true;
    }
}

std::string sentenceFor(cudaError_t status, const char *action)
{
    const std::string start = std::string("the CUDA device could not ") + action + ": ";
    if (status == cudaErrorMemoryAllocation)
        return start
               + "its memory is full; close other programs that use it, or choose the back "
                 "end omp";
    const std::string reason = cudaGetErrorString(status);
    if (meansLost(status))
        return start + reason
               + "; it cannot be used any more by this program: choose the back end omp, or start "
                 "again";
    return start + reason + "; choose the back end omp";
}

} // namespace

DeviceError::DeviceError(const std::string &sentence, cudaError_t status)
    : BackendError(sentence)
    , m_status(status)
{
}

bool DeviceError::deviceIsLost() const noexcept
{
    return meansLost(m_status);
}

void check(cudaError_t status, const char *action)
{
    if (status == cudaSuccess)
        return;
    cudaGetLastError(); // an error that does not stick is over once it has been reported
    throw DeviceError(sentenceFor(status, action), status);
}

void checkLaunch(const char *action)
{
    check(cudaGetLastError(), action);
}

} // namespace gridhelm::gpu
