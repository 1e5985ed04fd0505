// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stencil/stencil_gpu.h"

namespace gridhelm::gpu {

/// Generated code on the context's first GPU, compiled by NVRTC. What it makes throws BackendError
/// where CUDA was not built in.
const stencil::StencilGpu &stencilGpu();

} // namespace gridhelm::gpu
