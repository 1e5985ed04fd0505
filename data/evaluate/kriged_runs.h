// SPDX-License-Identifier: GPL-3.0-or-later
//
// The runs that a field's kriging was fitted to, as coefficients of its modes.
#pragma once

#include "core/surrogate/surrogate.h"
#include "data/study/field_kriging.h"

#include <cstddef>
#include <vector>

namespace gridhelm::data {

/// One number for each mode: what kriging (`surrogate`, of the same model) has at the run's place,
/// and what its nugget lets go there (docs/theory/surrogates.md, eq:kriging).
std::vector<double> coefficientsOfRun(const FieldKriging &kriging, const Surrogate &surrogate,
                                      std::size_t run);

/// The sum of all modes with these coefficients, as weights of rows.
SparseWeights modesWith(const std::vector<double> &coefficients);

} // namespace gridhelm::data
