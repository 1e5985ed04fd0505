// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/accuracy.h"

#include "core/support/clean_text.h"
#include "data/evaluate/error_bands.h"
#include "data/support/count_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gridhelm::data {

double ninetiethPercentile(std::vector<double> errors)
{
    constexpr double share = 0.9;
    const auto rank =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(errors.size() + 1)));
    for (double &error : errors)
        error = std::abs(error);
    std::ranges::sort(errors);
    return errors[std::min(rank, errors.size()) - 1];
}

namespace {

std::optional<Accuracy> accuracyBy(ErrorKind kind, const Study &study,
                                   const std::vector<ErrorFigure> &figures, FieldIndex field)
{
    std::vector<double> relative, largest;
    std::optional<std::uint64_t> missing; // takes a query
    for (const auto &figure : figures) {
        if (figure.field != field || figure.kind != kind)
            continue;
        if (!missing)
            missing = missingRuns(study, field);
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

std::optional<Accuracy> accuracyOf(const Study &study, const std::vector<ErrorFigure> &figures,
                                   FieldIndex field)
{
    const auto heldOut = accuracyBy(ErrorKind::heldOut, study, figures, field);
    return heldOut ? heldOut : accuracyBy(ErrorKind::leaveOneOut, study, figures, field);
}

std::optional<Accuracy> accuracyOf(const Study &study, FieldIndex field)
{
    return accuracyOf(study, study.errorFigures(), field);
}

std::string accuracyText(const Accuracy &accuracy, const Field &field)
{
    const bool isNumber = field.values() == 1;
    auto text = cleanLine(field.name) + ": ";
    if (isNumber)
        text += fmt::format("{:.3g}{}, ", accuracy.maximum,
                            field.unit.empty() ? "" : " " + cleanLine(field.unit));
    const bool isHeldOut = accuracy.kind == ErrorKind::heldOut;
    return text
           + fmt::format("{:.2g} %{} ({} {} {} {})", 100 * accuracy.relativeL2,
                         isNumber ? " of its spread" : "",
                         accuracy.isLargest() ? "largest" : "90th percentile of the",
                         isNumber ? "error" : "relative L2 error", isHeldOut ? "at" : "of",
                         isHeldOut ? countText(accuracy.places, "validation point")
                                   : countText(accuracy.places, "run")
                                         + ", each predicted without itself");
}

} // namespace gridhelm::data
