// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/sparse/backend.h"

#include <memory>
#include <vector>

namespace gridhelm::sparse::omp {

/// The `omp` back end's evaluator.
template <typename T>
std::unique_ptr<Evaluator<T>> makeEvaluator(std::shared_ptr<const SparseGrid> grid,
                                            std::vector<T> coefficients,
                                            const ExecutionContext &context);

} // namespace gridhelm::sparse::omp
