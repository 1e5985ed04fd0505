// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/pmm/pmm_run.h"
#include "gpu/pmm/pmm_grid.h"
#include "gpu/support/buffer.h"
#include "gpu/support/stream.h"

#include <cstddef>
#include <vector>

namespace gridhelm::gpu {

/// Bytes of a varying medium, or of times, that are on their way to or from the GPU at once.
constexpr std::size_t bytesOnTheWay = std::size_t{64} << 20;

/// The coefficients of the planes of a layout, x fastest, the first of which is plane `firstPlane`
/// of the grid: one for each node, or two where the medium is anisotropic. Waits for them.
template <typename T>
void uploadMedium(const solvers::PmmRun &run, const PmmLayout &layout, std::size_t firstPlane,
                  const std::vector<DeviceBuffer<T>> &coefficients, const Stream &stream);

} // namespace gridhelm::gpu
