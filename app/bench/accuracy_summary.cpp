// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/accuracy_summary.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::bench {

RatioSummary summarizeRatios(std::span<const AccuracyCase> cases, std::size_t wished,
                             std::string_view family, const RatioOfRow &ratio)
{
    RatioSummary summary;
    double logarithms = 0;
    for (const auto &[field, rows] : cases) {
        if (!family.empty() && field.family != family)
            continue;
        for (const auto &row : rows) {
            const auto value =
                wished == 0 || row.wished == wished ? ratio(field, row) : std::optional<double>();
            if (!value)
                continue;
            ++summary.count;
            logarithms += std::log(*value);
            if (*value > summary.worst) {
                summary.worst = *value;
                summary.worstField = field.name;
            }
        }
    }
    if (summary.count > 0)
        summary.mean = std::exp(logarithms / static_cast<double>(summary.count));
    return summary;
}

double pickedToBest(const AccuracyRow &row)
{
    const double picked = row.error(Contender::adaptive);
    return picked / std::min(picked, row.otherKind);
}

std::vector<std::string> familiesOf(std::span<const AccuracyCase> cases)
{
    std::vector<std::string> families;
    for (const auto &one : cases)
        if (std::ranges::find(families, one.field.family) == families.end())
            families.emplace_back(one.field.family);
    return families;
}

} // namespace gridhelm::bench
