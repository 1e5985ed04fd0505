// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/dimension_basis.h"
#include "core/sparse/omp/hierarchization_kernel.h"

namespace gridhelm::sparse::omp {

/// The transform of `zero` or `boundary` with degree 2 or 3, for this CPU: a coefficient is the
/// value minus that of one polynomial through up to four values of coarser levels
/// (sparse-grids.md, eq:surplus-direct), so that a pole is walked once, as with hats.
template <typename T>
PoleTransform<T> polynomialTransform(DimensionBasis basis);

} // namespace gridhelm::sparse::omp
