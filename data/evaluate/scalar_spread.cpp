// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/scalar_spread.h"

namespace gridhelm::data {

std::optional<Norms> scalarSpread(const Study &study, FieldIndex field)
{
    const auto &described = study.fields().at(field);
    if (described.entities != 1 || study.description().kind != StudyKind::vector)
        return std::nullopt;
    std::vector<float> values(described.values());
    std::vector<double> sums(values.size()), squares(values.size());
    double first = 0, count = 0; // from the first value, or large means would hide small spreads
    const auto add = [&] {
        first = count == 0 ? static_cast<double>(values[0]) : first;
        for (std::size_t c = 0; c < values.size(); ++c) {
            const double value = static_cast<double>(values[c]) - first;
            sums[c] += value;
            squares[c] += value * value;
        }
        ++count;
    };
    std::vector<bool> points;
    if (study.description().design == StudyDesign::grid)
        points = study.pointsWithSnapshots(field);
    for (std::uint64_t point = 0; point < points.size(); ++point)
        if (points[point] && study.readSnapshot(point, field, values))
            add();
    for (const auto &run : study.trainingRuns(field))
        if (study.readHoldOut(run.id, field, values))
            add();
    if (count < 2)
        return std::nullopt;
    Norms spread;
    for (std::size_t c = 0; c < values.size(); ++c)
        spread.l2 += std::max(0.0, squares[c] / count - sums[c] / count * (sums[c] / count));
    spread.maximum = std::sqrt(spread.l2);
    return spread.l2 > 0 ? std::optional(spread) : std::nullopt;
}

} // namespace gridhelm::data
