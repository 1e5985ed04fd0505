// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/measured_matching.h"

#include "core/support/error.h"
#include "data/answers/study_responses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridhelm::data {
namespace {

/// What is held was known whenever anything was measured.
void holdFixed(std::vector<Measurement> &measurements, const ParameterSpace &space,
               std::span<const std::optional<double>> fixed)
{
    for (std::size_t t = 0; t < fixed.size(); ++t)
        for (auto &measurement : measurements) {
            if (fixed[t] && measurement.known[t])
                throw Error(fmt::format("{} is held fixed, and has a column of its own: leave "
                                        "one of them out",
                                        space[t].name));
            if (fixed[t])
                measurement.known[t] = fixed[t];
        }
}

std::vector<std::optional<double>> inUnitCube(const ParameterSpace &space,
                                              const std::vector<std::optional<double>> &known)
{
    std::vector<double> values;
    for (std::size_t t = 0; t < known.size(); ++t)
        values.push_back(known[t].value_or(space[t].low));
    const auto x = space.toUnit(values);
    std::vector<std::optional<double>> places;
    for (std::size_t t = 0; t < x.size(); ++t)
        places.push_back(known[t] ? std::optional(x[t]) : std::nullopt);
    return places;
}

} // namespace

MeasuredMatching matchingOf(const Study &study, std::vector<Measurement> all,
                            std::span<const std::optional<double>> fixed,
                            const SamplesOfMesh &samples, const ExecutionContext &context)
{
    const auto &space = study.description().space;
    MeasuredMatching matched;
    holdFixed(all, space, fixed);
    std::ranges::stable_sort(all, {}, &Measurement::known);
    std::vector<ResponseDefinition> definitions;
    for (const auto &measurement : all)
        if (std::ranges::find(definitions, measurement.response) == definitions.end())
            definitions.push_back(measurement.response);
    const auto responses = studyResponses(study, definitions, samples, context);
    std::vector<answers::MeasuredGroup> groups;
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        answers::MeasuredGroup group;
        std::vector<StudyResponse> ofGroup;
        while (end < all.size() && all[end].known == all[begin].known) {
            const auto &measurement = all[end++];
            const auto which = std::ranges::find(definitions, measurement.response);
            const auto &response = responses[static_cast<std::size_t>(which - definitions.begin())];
            ofGroup.push_back(response);
            group.values.push_back(measurement.value);
            group.deviations.push_back(measurement.deviation);
            matched.isModelErrorKnown = matched.isModelErrorKnown && !response.errors.empty();
            group.modelErrors.push_back(response.errors.empty() ? 0 : response.errors[0].rms);
        }
        group.model = std::make_shared<answers::ResponseModel>(together(ofGroup));
        group.known = inUnitCube(space, all[begin].known);
        groups.push_back(std::move(group));
    }
    matched.measurements = std::move(all);
    matched.matching = std::make_shared<const answers::Matching>(std::move(groups));
    return matched;
}

std::vector<std::string> matchingDoubts(const MeasuredMatching &matched,
                                        const ParameterSpace &space, const answers::BestFit &fit,
                                        const answers::Posterior *posterior,
                                        const std::string &toMeasure)
{
    constexpr double hardlyLess = 0.5; // of the prior's deviation
    std::vector<std::string> sentences;
    const auto &unknowns = matched.matching->unknowns();
    const auto count = matched.matching->measurements();
    if (count < unknowns.size())
        sentences.push_back(fmt::format("{} measurement{} cannot tell {} parameters apart: measure "
                                        "more, or hold some with columns of their own",
                                        count, count == 1 ? "" : "s", unknowns.size()));
    std::string names;
    for (std::size_t k = 0; k < unknowns.size(); ++k)
        if (posterior ? posterior->leftOver[k] > hardlyLess : !fit.isDetermined[k])
            names += (names.empty() ? "" : ", ") + space[unknowns[k]].name;
    if (!names.empty())
        sentences.push_back(
            fmt::format("these measurements do not determine {}: {}other values explain "
                        "them as well",
                        names, posterior ? "" : "near the best fit "));
    if (fit.chiSquare > 3 * static_cast<double>(count))
        sentences.push_back(
            fmt::format("even the best fit is {:.2g} standard deviations off on "
                        "average: is the study of the same thing, or are the standard "
                        "deviations too small?",
                        std::sqrt(fit.chiSquare / static_cast<double>(count))));
    if (!matched.isModelErrorKnown)
        sentences.push_back("what the surrogate itself may be off was not measured, and is not "
                            "counted; to know: "
                            + toMeasure);
    return sentences;
}

} // namespace gridhelm::data
