// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/run_places.h"

#include "core/answers/uncertainty.h"
#include "data/study/study_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
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
    void add(std::string name, const std::vector<double> &values)
    {
        RunPlace place{std::move(name), {}};
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
                places.add(fmt::format("run {}", job.id), space.valuesAt(*grid, point));
    }
    for (const auto &run : study.trainingRuns())
        places.add(fmt::format("training run {}", run.id), run.parameters);
    for (const auto &run : study.holdOuts())
        places.add(fmt::format("validation point {}", run.id), run.parameters);
    return places.take();
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
