// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/omp/evaluation_program.h"

#include <span>

namespace gridhelm::sparse::omp {

/// Value and gradient at one point by the recursion of evaluation_program.h, carried out for S and
/// its partial derivatives together. `gradient` has one entry per dimension.
template <typename T>
T valueAndGradient(const EvaluationProgram &program, const UnfoldedGrid &nodes, const T *values,
                   std::span<const T> x, std::span<T> gradient);

} // namespace gridhelm::sparse::omp
