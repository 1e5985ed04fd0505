// SPDX-License-Identifier: GPL-3.0-or-later
//
// Points that several ranks evaluate, each some of them: what they have found out comes together at
// the first one. All of it is collective, and nothing but the work itself without ranks (null).
#pragma once

#include "app/cli/eval_report.h"
#include "core/execution/execution_context.h"
#include "core/execution/ranks.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace gridhelm::cli {

/// Those of this rank, in order: contiguous, as even as can be.
std::vector<std::vector<double>> pointsOfRank(const std::vector<std::vector<double>> &points,
                                              Ranks *ranks);

/// How the points are divided; empty without ranks.
std::vector<DeviceShare> shareOfRanks(std::size_t points, Ranks *ranks);

/// Throws what `work` throws: on all ranks gridhelm::Error with the sentence of the first that has
/// failed, or Interrupted if one was.
void evaluatedByAll(Ranks *ranks, const std::function<void()> &work);

/// A CSV of each rank, which all have the same first line, as one.
std::string joinedCsv(Ranks *ranks, const std::string &mine);
/// Lists of each rank, as one.
nlohmann::json joinedList(Ranks *ranks, const nlohmann::json &mine);

} // namespace gridhelm::cli
