// SPDX-License-Identifier: GPL-3.0-or-later
//
// For nvcc and NVRTC alone.
#pragma once

namespace gridhelm::gpu {

/// The first thing that a kernel launched by launchDependent() does, and before it touches memory
/// that another kernel writes to: waits until the kernel before it in the stream is done, and lets
/// the next one take the places that become free.
__device__ inline void waitForKernelBefore()
{
#if __CUDA_ARCH__ >= 900
    // cudaTriggerProgrammaticLaunchCompletion() and cudaGridDependencySynchronize(), which NVRTC has
    // no header for.
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

} // namespace gridhelm::gpu
