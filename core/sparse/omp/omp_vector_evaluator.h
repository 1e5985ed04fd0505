// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/sparse/backend.h"

#include <memory>

namespace gridhelm::sparse::omp {

/// The `omp` back end's: it computes where the matrix is.
std::unique_ptr<VectorEvaluator> makeVectorEvaluator(MatrixView<const float> matrix,
                                                     const ExecutionContext &context);

/// The same of quantised rows.
std::unique_ptr<VectorEvaluator> makeQuantisedEvaluator(const QuantisedRows &matrix,
                                                        const CpuDevice &cpu);

} // namespace gridhelm::sparse::omp
