// SPDX-License-Identifier: GPL-3.0-or-later
//
// The trade-off between two responses: what the one costs in the other.
#pragma once

#include "core/answers/optimum.h"

#include <cstddef>
#include <vector>

namespace gridhelm::answers {

/// None of these places is better in both than another one.
struct TradeOff
{
    std::vector<double> x;        ///< in the unit cube
    std::vector<double> values;   ///< of all responses of the model there
    double first = 0, second = 0; ///< of these, those of the two goals
};

struct FrontOptions
{
    OptimumOptions search = {}; ///< of the ends; places between them have a quarter of the starts
    std::size_t places = 25;    ///< of the front at most; at least 2
};

/// What the first goal costs in the second, under the constraints and in the box of the first one.
/// Sorted from the best of the first goal to the best of the second; both are there (to 1e-9 of
/// their spreads). Places between are those at which one goal is best while the other is at most
/// half-way through the widest gap that is left (epsilon constraints, [Haimes1971], where the front
/// needs them), so that hollow fronts and fronts in pieces are found, too; over a jump between
/// pieces there are fewer places. Empty if no place fulfils the constraints; one place where both
/// goals are best at once. Deterministic for any number of threads. Throws gridhelm::Error as
/// optimize(), and for fewer than two places.
std::vector<TradeOff> paretoFront(const ResponseModel &model, const Goal &first, const Goal &second,
                                  const FrontOptions &options = {});

} // namespace gridhelm::answers
