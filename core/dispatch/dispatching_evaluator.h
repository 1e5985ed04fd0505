// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dispatch/candidate_backends.h"
#include "core/sparse/backend.h"

#include <functional>
#include <memory>
#include <vector>

namespace gridhelm::dispatch {

/// Each evaluation by the back end that is the fastest for it.
template <typename T>
std::unique_ptr<sparse::Evaluator<T>>
makeDispatchingEvaluator(std::shared_ptr<const CandidateBackends> backends,
                         std::shared_ptr<const sparse::SparseGrid> grid,
                         std::vector<T> coefficients);

/// What a back end makes of rows, be they floats or quantised.
using LoadVectors =
    std::function<std::unique_ptr<sparse::VectorEvaluator>(const sparse::Backend &)>;

/// Of a matrix of that shape.
std::unique_ptr<sparse::VectorEvaluator>
makeDispatchingVectorEvaluator(std::shared_ptr<const CandidateBackends> backends,
                               linalg::MatrixView<const float> shape, LoadVectors load);

} // namespace gridhelm::dispatch
