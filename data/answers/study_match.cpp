// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/study_match.h"

#include "core/parameters/unit_slope.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "data/answers/study_responses.h"
#include "data/evaluate/study_surrogate.h"
#include "data/support/count_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace gridhelm::data {

void holdFixed(std::vector<Measurement> &measurements, const ParameterSpace &space,
               const std::vector<std::optional<double>> &fixed, const std::string &how)
{
    for (std::size_t t = 0; t < fixed.size(); ++t)
        for (auto &measurement : measurements) {
            if (fixed[t] && measurement.known[t])
                throw Error(fmt::format(
                    "{} is fixed by {}, and has a column of its own: leave one of them out",
                    space[t].name, how));
            if (fixed[t])
                measurement.known[t] = fixed[t];
        }
}

namespace {

/// What measurements are of, each once, whatever its name: a line that was measured where another
/// one was, with the same quantity, has a name of its own.
class MeasuredResponses
{
public:
    explicit MeasuredResponses(const std::vector<Measurement> &measurements)
    {
        for (const auto &measurement : measurements) {
            const auto [place, isNew] =
                m_numbers.try_emplace(keyOf(measurement.response), m_definitions.size());
            if (isNew)
                m_definitions.push_back(measurement.response);
        }
    }

    const std::vector<ResponseDefinition> &definitions() const { return m_definitions; }
    /// Among definitions().
    std::size_t numberOf(const ResponseDefinition &definition) const
    {
        return m_numbers.at(keyOf(definition));
    }

private:
    using Key = std::array<std::string, 4>;
    static Key keyOf(const ResponseDefinition &definition)
    {
        return {definition.expression, definition.reduction, definition.place, definition.unit};
    }

    std::vector<ResponseDefinition> m_definitions;
    std::map<Key, std::size_t> m_numbers;
};

/// Each response has a number for each row of its field, once by itself and once beside those that
/// were measured with it.
void requireMemoryFor(const Study &study, std::size_t responses, std::size_t measurements)
{
    const double bytes = sizeof(double) * static_cast<double>(responses + measurements);
    constexpr double few = 1e9; // for which nobody needs to know how many rows each field has
    if (!study.grid() || study.fields().empty()
        || static_cast<double>(study.grid()->points()) * bytes < few)
        return;
    auto rows = surrogateOf(study, 0)->rows();
    for (FieldIndex field = 1; field < study.fields().size(); ++field)
        rows = std::min(rows, surrogateOf(study, field)->rows());
    requireMemory(static_cast<double>(rows) * bytes,
                  fmt::format("what {} of {} different positions or responses depend on",
                              countText(measurements, "measurement"), responses),
                  "take fewer measurements, or make POD modes of the fields with \"gridhelm-cli "
                  "compress STUDY --modes\"");
}

} // namespace

/// Those with the same known parameters are one group, since they share weights.
StudyMatch matchOf(const Study &study, std::vector<Measurement> measurements,
                   const SamplesOfMesh &samples, const ExecutionContext &context,
                   const std::stop_token &stop)
{
    requireFieldsOnMesh(study);
    StudyMatch match;
    const auto &space = study.description().space;
    auto &all = measurements;
    std::ranges::stable_sort(all, {}, &Measurement::known);
    const MeasuredResponses measured(all);
    requireMemoryFor(study, measured.definitions().size(), all.size());
    const auto responses =
        studyResponses(study, measured.definitions(), samples, context, {.stop = stop});
    std::vector<answers::MeasuredGroup> groups;
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        answers::MeasuredGroup group;
        std::vector<StudyResponse> ofGroup;
        while (end < all.size() && all[end].known == all[begin].known) {
            const auto &measurement = all[end++];
            const auto &response = responses[measured.numberOf(measurement.response)];
            ofGroup.push_back(response);
            group.values.push_back(measurement.value);
            group.deviations.push_back(measurement.deviation);
            match.isModelErrorKnown = match.isModelErrorKnown && !response.errors.empty();
            group.modelErrors.push_back(response.errors.empty() ? 0 : response.errors[0].rms);
        }
        group.model = std::make_shared<answers::ResponseModel>(together(ofGroup));
        std::vector<double> values;
        for (const auto &parameter : space.parameters())
            values.push_back(parameter.low);
        for (std::size_t t = 0; t < values.size(); ++t)
            values[t] = all[begin].known[t].value_or(values[t]);
        const auto x = space.toUnit(values);
        for (std::size_t t = 0; t < x.size(); ++t)
            group.known.push_back(all[begin].known[t] ? std::optional(x[t]) : std::nullopt);
        groups.push_back(std::move(group));
    }
    match.measurements = std::move(all);
    match.matching = std::make_shared<answers::Matching>(std::move(groups));
    return match;
}

std::vector<std::string> matchDoubts(const StudyMatch &match, const ParameterSpace &space,
                                     const answers::BestFit &fit,
                                     const answers::Posterior *posterior, const std::string &remedy)
{
    constexpr double hardlyLess = 0.5; // of the prior's deviation
    std::vector<std::string> sentences;
    const auto &unknowns = match.matching->unknowns();
    const auto count = match.matching->measurements();
    if (count < unknowns.size())
        sentences.push_back(fmt::format(
            "{} cannot tell {} apart: measure more, or fix some with columns of their own",
            countText(count, "measurement"), countText(unknowns.size(), "parameter")));
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
    if (!match.isModelErrorKnown)
        sentences.push_back("what the surrogate itself may be off was not measured, and is not "
                            "counted; to know: "
                            + remedy);
    return sentences;
}

std::vector<double> posteriorSamples(const ParameterSpace &space,
                                     const answers::Posterior &posterior, std::size_t k)
{
    std::vector<double> values;
    values.reserve(posterior.values[k].size());
    for (const double at : posterior.values[k])
        values.push_back(valueAtUnit(space[posterior.unknowns[k]], at));
    return values;
}

} // namespace gridhelm::data
