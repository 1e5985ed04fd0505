// SPDX-License-Identifier: GPL-3.0-or-later
//
// For templates whose text is compiled more than once: by Highway's kernels for each instruction
// set, and besides as plain C++ and by CUDA. Such a header looks like this:
//
//     #if defined(GRIDHELM_THIS_TARGET) == defined(HWY_TARGET_TOGGLE)
//     #ifdef GRIDHELM_THIS_TARGET
//     #undef GRIDHELM_THIS_TARGET
//     #else
//     #define GRIDHELM_THIS_TARGET
//     #endif
//
//     GRIDHELM_BEFORE_TARGET();
//     namespace gridhelm::room::GRIDHELM_TARGET {
//     ...
//     }
//     GRIDHELM_AFTER_TARGET();
//     #endif
//
// A kernel includes <hwy/highway.h> before it; everybody else finds it in the namespace `plain`.
#pragma once

#include "core/support/host_device.h"

#ifdef HWY_NAMESPACE
#define GRIDHELM_TARGET HWY_NAMESPACE
#define GRIDHELM_BEFORE_TARGET() HWY_BEFORE_NAMESPACE()
#define GRIDHELM_AFTER_TARGET() HWY_AFTER_NAMESPACE()
#define GRIDHELM_TARGET_FUNCTION HWY_INLINE
#else
#define GRIDHELM_TARGET plain
#define GRIDHELM_BEFORE_TARGET() static_assert(true)
#define GRIDHELM_AFTER_TARGET() static_assert(true)
#define GRIDHELM_TARGET_FUNCTION GRIDHELM_HOST_DEVICE inline
#endif
