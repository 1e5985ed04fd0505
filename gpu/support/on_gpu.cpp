// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/on_gpu.h"

#include "gpu/support/cuda_error.h"

namespace gridhelm::gpu {
namespace {

thread_local const GpuDevice *currentGpu = nullptr;

} // namespace

OnGpu::OnGpu(const GpuDevice &gpu)
    : m_before(currentGpu)
{
    check(cudaGetDevice(&m_deviceBefore), "tell which it is");
    if (m_deviceBefore != gpu.index)
        check(cudaSetDevice(gpu.index), "be chosen");
    currentGpu = &gpu;
}

OnGpu::~OnGpu()
{
    if (m_deviceBefore != currentGpu->index)
        cudaSetDevice(m_deviceBefore); // it was there before
    currentGpu = m_before;
}

const GpuDevice *OnGpu::current() noexcept
{
    return currentGpu;
}

} // namespace gridhelm::gpu
