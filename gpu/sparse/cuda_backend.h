// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"

#include <memory>

namespace gridhelm::gpu {

/// `cuda`: sparse grids on the first CUDA device. Throws gridhelm::Error if there is none, or if
/// CUDA was not built in (see listDevices()).
std::unique_ptr<sparse::Backend> makeCudaBackend();

} // namespace gridhelm::gpu
