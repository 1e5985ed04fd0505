// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one-dimensional transforms of dimensions without hats, on the device (hierarchization.h).
#pragma once

#include "core/sparse/dimension_basis.h"
#include "gpu/sparse/block_pole.h"

#include <cuda_runtime.h>

namespace gridhelm::gpu {

/// In place. Of functions in cells a coefficient is the value minus that of one polynomial through
/// up to four values of coarser levels, finest level first; back coarsest level first. Of leja it
/// is the definition, from coefficients: the value minus what all coarser levels have there,
/// coarsest level first; back finest level first. `lejaFunctions`, on the device: entry [l * number
/// of points of leja + k] is the function of level k at the point of level l; only where the
/// treatment is leja.
template <typename T>
void transformPolynomials(sparse::DimensionBasis basis, Transform transform, const PoleList &poles,
                          const double *lejaFunctions, T *values, cudaStream_t stream);

} // namespace gridhelm::gpu
