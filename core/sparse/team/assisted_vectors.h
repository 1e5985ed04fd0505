// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"
#include "core/sparse/team/assisted_work.h"

#include <memory>

namespace gridhelm::sparse {

/// Columns of the matrix, which both have loaded, are divided as AssistedWork does. `joint` has two
/// threads.
std::unique_ptr<VectorEvaluator> makeAssistedVectors(std::unique_ptr<VectorEvaluator> first,
                                                     std::unique_ptr<VectorEvaluator> helper,
                                                     MatrixView<const float> matrix,
                                                     std::shared_ptr<JointWork> joint);

} // namespace gridhelm::sparse
