// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/row_reading.h"

#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace gridhelm::data {

std::uint64_t strideOf(std::uint64_t columns)
{
    constexpr std::uint64_t lineValues = rowAlignment / sizeof(float);
    const auto stride = (columns + lineValues - 1) / lineValues * lineValues;
    const bool competes = stride * sizeof(float) % 4096 == 0;
    return stride + (competes ? lineValues : 0);
}

void requireVectorStudy(const Study &study)
{
    if (study.description().kind != StudyKind::vector)
        throw Error(study.path().string()
                    + " is a scalar study: space is part of its grid, so evaluate it as such");
}

std::uint64_t rowsAgain(const SparseWeights &weights)
{
    const auto last = weights.rows.begin() + static_cast<std::ptrdiff_t>(weights.lastGroupBegin);
    std::vector<std::uint64_t> both;
    std::set_intersection(weights.rows.begin(), last, last, weights.rows.end(),
                          std::back_inserter(both));
    return both.size();
}

void keepLeading(SparseWeights &weights, std::uint64_t modes, EvaluationWork &work)
{
    std::map<std::uint64_t, double> coefficients; // of modes that are named twice their sum
    for (std::size_t i = 0; i < weights.rows.size(); ++i)
        coefficients[weights.rows[i]] += weights.weights[i];
    double all = 0, lacking = 0;
    for (const auto &[mode, coefficient] : coefficients) {
        all += coefficient * coefficient;
        if (mode >= modes)
            lacking += coefficient * coefficient;
    }
    work.leadingModes = modes;
    work.energyShare = all > 0 ? (all - lacking) / all : 1;
    work.lacking = std::sqrt(lacking);
    SparseWeights kept;
    for (std::size_t i = 0; i < weights.rows.size(); ++i) {
        if (i == weights.lastGroupBegin)
            kept.lastGroupBegin = kept.rows.size();
        if (weights.rows[i] >= modes)
            continue;
        kept.rows.push_back(weights.rows[i]);
        kept.weights.push_back(weights.weights[i]);
    }
    if (weights.lastGroupBegin == weights.rows.size())
        kept.lastGroupBegin = kept.rows.size();
    weights = std::move(kept);
}

} // namespace gridhelm::data
