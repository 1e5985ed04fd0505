// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/run_places.h"

#include "core/answers/reduction.h"
#include "core/answers/uncertainty.h"
#include "data/answers/response_fits.h"
#include "data/study/study_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

namespace gridhelm::data {

namespace {

class Places
{
public:
    Places(const ParameterSpace &space, std::size_t most)
        : m_space(space)
        , m_most(most)
    {
    }

    bool isFull() const { return m_places.size() >= m_most; }

    /// `values` of all parameters. Points of a run that differ in space alone are one place.
    void add(RunPlace place, const std::vector<double> &values)
    {
        for (std::size_t t = 0; t < values.size(); ++t)
            if (m_space[t].kind != ParameterKind::spatial)
                place.parameters.push_back(values[t]);
        const bool isSame = !m_places.empty() && m_places.back().name == place.name
                            && m_places.back().parameters == place.parameters;
        if (!isSame && !isFull())
            m_places.push_back(std::move(place));
    }

    std::vector<RunPlace> take() { return std::move(m_places); }

private:
    const ParameterSpace &m_space;
    std::size_t m_most;
    std::vector<RunPlace> m_places;
};

/// "training run 3".
std::vector<RunPlace> placesOf(const std::vector<HoldOut> &runs, std::string_view kind)
{
    std::vector<RunPlace> places;
    for (const auto &run : runs)
        places.push_back({fmt::format("{} {}", kind, run.id), run.parameters, {}, run.id});
    return places;
}

} // namespace

std::vector<RunPlace> runPlaces(const Study &study, std::size_t most)
{
    const ReadTransaction together(study.file());
    const auto &space = study.description().space;
    const auto grid = study.grid();
    Places places(space, most);
    const auto isThere = study.pointsWithSnapshots();
    for (const auto &job : study.jobs()) {
        if (places.isFull())
            break;
        for (const auto point : job.points)
            if (isThere[point])
                places.add({fmt::format("run {}", job.id), {}, point},
                           space.valuesAt(*grid, point));
    }
    for (const auto &kind : {trainingPlaces(study), validationPlaces(study)})
        for (const auto &run : kind)
            places.add({run.name, {}, {}, run.holdOut}, run.parameters);
    return places.take();
}

std::vector<RunPlace> trainingPlaces(const Study &study)
{
    return placesOf(study.trainingRuns(), "training run");
}

std::vector<RunPlace> validationPlaces(const Study &study)
{
    return placesOf(study.holdOuts(), "validation point");
}

std::vector<std::vector<double>> valuesOfRuns(const Study &study,
                                              const std::vector<StudyResponse> &responses,
                                              const SamplesOfMesh &samples,
                                              std::span<const RunPlace> runs,
                                              const std::stop_token &stop)
{
    std::vector<std::vector<double>> values(
        responses.size(),
        std::vector<double>(runs.size(), std::numeric_limits<double>::quiet_NaN()));
    if (study.description().kind == StudyKind::scalar)
        return values;
    std::vector<ResponseOfState> states;
    std::vector<std::size_t> numbers; // of theirs among the responses
    for (std::size_t k = 0; k < responses.size(); ++k) {
        const auto &definition = responses[k].definition;
        if (!responses[k].model || !answers::splitReduction(definition.reduction).inTime.empty())
            continue;
        states.emplace_back(study, definition, samples);
        numbers.push_back(k);
    }
    std::vector<const ResponseOfState *> pointers;
    for (const auto &state : states)
        pointers.push_back(&state);
    auto found = valuesIn(
        study, pointers, runs.size(),
        [&](std::size_t i, FieldIndex field, std::span<float> out) {
            return runs[i].point     ? study.readSnapshot(*runs[i].point, field, out)
                   : runs[i].holdOut ? study.readHoldOut(*runs[i].holdOut, field, out)
                                     : false;
        },
        stop);
    for (std::size_t s = 0; s < numbers.size(); ++s)
        values[numbers[s]] = std::move(found[s]);
    return values;
}

std::vector<std::vector<double>> valuesAtRuns(const answers::ResponseModel &model,
                                              const ParameterSpace &space,
                                              std::span<const RunPlace> runs, const CpuDevice &cpu)
{
    std::vector<double> places;
    std::vector<std::size_t> inside;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto x = space.toUnit(runs[i].parameters);
        if (std::ranges::any_of(x, [](double at) { return !(at >= 0 && at <= 1); }))
            continue; // some hold-outs
        places.insert(places.end(), x.begin(), x.end());
        inside.push_back(i);
    }
    const auto found = answers::responsesAt(model, places, cpu);
    std::vector<std::vector<double>> values;
    for (const auto &row : found) {
        auto &all = values.emplace_back(runs.size(), std::numeric_limits<double>::quiet_NaN());
        for (std::size_t i = 0; i < inside.size(); ++i)
            all[inside[i]] = row[i];
    }
    return values;
}

} // namespace gridhelm::data
