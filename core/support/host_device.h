// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Marks a function that CUDA kernels call, too; nothing where CUDA's compiler does not look.
#ifdef __CUDACC__
#define GRIDHELM_HOST_DEVICE __host__ __device__
#else
#define GRIDHELM_HOST_DEVICE
#endif
