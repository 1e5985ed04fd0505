// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/study_surrogate.h"

#include "core/sparse/sparse_grid_surrogate.h"
#include "core/support/error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace gridhelm::data {

std::shared_ptr<const Surrogate> surrogateOf(const Study &study, FieldIndex field)
{
    if (field >= study.fields().size())
        throw Error("the study has " + std::to_string(study.fields().size())
                    + " fields, so there is no field number " + std::to_string(field));
    return std::make_shared<sparse::SparseGridSurrogate>(study.grid());
}

int completeGroups(const Study &study, FieldIndex field)
{
    const auto states = study.coefficientStates(field);
    const auto missing = std::ranges::find(states, CoefficientState::none);
    const auto first = static_cast<std::uint64_t>(missing - states.begin());
    const auto grid = study.grid();
    int groups = 0;
    while (groups < grid->groups() && grid->groupFirstPoint(groups + 1) <= first)
        ++groups;
    return groups;
}

SparseWeights withCompleteIndicator(SparseWeights weights, const Surrogate &surrogate, int groups,
                                    int complete)
{
    if (complete <= 0 || complete >= groups)
        return weights;
    const auto begin = surrogate.rows(complete - 1), end = surrogate.rows(complete);
    SparseWeights sorted;
    const auto take = [&](bool isIndicators) {
        for (std::size_t i = 0; i < weights.rows.size(); ++i) {
            if ((weights.rows[i] >= begin && weights.rows[i] < end) != isIndicators)
                continue;
            sorted.rows.push_back(weights.rows[i]);
            sorted.weights.push_back(weights.weights[i]);
        }
    };
    take(false);
    sorted.lastGroupBegin = sorted.rows.size();
    take(true);
    return sorted;
}

} // namespace gridhelm::data
