// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/ranks.h"
#include "core/sparse/backend.h"

#include <memory>

namespace gridhelm::sparse {

/// One of several processes that evaluate together, each with all coefficients: of points each does
/// a contiguous share, of a Cartesian product some coordinates of its first free axis. All ranks
/// make the same calls with the same points. The first one gets all results, bit for bit those of
/// one process of its kind; the others know their own share's alone. `local` computes, here.
template <typename T>
std::unique_ptr<Evaluator<T>> makeRankEvaluator(std::unique_ptr<Evaluator<T>> local,
                                                std::shared_ptr<Ranks> ranks);

} // namespace gridhelm::sparse
