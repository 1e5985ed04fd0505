// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"
#include "core/sparse/team/assisted_work.h"

#include <cstddef>
#include <memory>

namespace gridhelm::sparse {

/// Scattered points are taken from a PortionQueue, where that is the FasterWay; other points, and
/// Cartesian products by the coordinates of their first free axis, are divided as AssistedWork
/// does. `smallestShare`: of the first one, see Backend. `joint` has two threads.
template <typename T>
std::unique_ptr<Evaluator<T>>
makeAssistedEvaluator(std::unique_ptr<Evaluator<T>> first, std::unique_ptr<Evaluator<T>> helper,
                      std::size_t smallestShare, std::shared_ptr<JointWork> joint);

} // namespace gridhelm::sparse
