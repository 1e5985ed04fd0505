// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/accuracy.h"

#include "core/support/clean_text.h"
#include "data/evaluate/error_bands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gridhelm::data {

double ninetiethPercentile(std::vector<double> errors)
{
    constexpr double share = 0.9;
    const auto rank =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(errors.size() + 1)));
    std::ranges::sort(errors);
    return errors[std::min(rank, errors.size()) - 1];
}

namespace {

std::optional<Accuracy> accuracyBy(ErrorKind kind, const Study &study, FieldIndex field)
{
    const auto missing = missingRuns(study, field);
    std::vector<double> relative, largest;
    for (const auto &figure : study.errorFigures()) {
        if (figure.field != field || figure.kind != kind)
            continue;
        if (figure.gridPoints != study.grid()->points() || figure.missingPoints != missing)
            return std::nullopt;
        relative.push_back(figure.relativeL2);
        largest.push_back(figure.maximum);
    }
    const auto places = relative.size();
    if (places == 0)
        return std::nullopt;
    return Accuracy{ninetiethPercentile(std::move(relative)),
                    ninetiethPercentile(std::move(largest)), kind, places};
}

} // namespace

std::optional<Accuracy> accuracyOf(const Study &study, FieldIndex field)
{
    const auto heldOut = accuracyBy(ErrorKind::heldOut, study, field);
    return heldOut ? heldOut : accuracyBy(ErrorKind::leaveOneOut, study, field);
}

std::string accuracyText(const Accuracy &accuracy, const Field &field)
{
    const bool isNumber = field.values() == 1;
    auto text = cleanLine(field.name) + ": ";
    if (isNumber)
        text += fmt::format("{:.3g}{}, ", accuracy.maximum,
                            field.unit.empty() ? "" : " " + cleanLine(field.unit));
    text += fmt::format("{:.2g} %{} ({} {} {} {}", 100 * accuracy.relativeL2,
                        isNumber ? " of its spread" : "",
                        accuracy.isLargest() ? "largest" : "90th percentile of the",
                        isNumber ? "error" : "relative L2 error",
                        accuracy.kind == ErrorKind::heldOut ? "at" : "of", accuracy.places);
    return text
           + (accuracy.kind == ErrorKind::heldOut
                  ? (accuracy.places == 1 ? " validation point)" : " validation points)")
                  : " runs, each predicted without itself)");
}

} // namespace gridhelm::data
