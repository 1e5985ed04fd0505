// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/run_space.h"

#include "core/support/error.h"

#include <map>
#include <string>
#include <utility>

namespace gridhelm::data {

ParameterSpace runSpaceOf(const ParameterSpace &space)
{
    auto parameters = space.parameters();
    std::erase_if(parameters, [](const auto &one) { return one.kind == ParameterKind::spatial; });
    return ParameterSpace(std::move(parameters));
}

std::vector<double> runValues(const ParameterSpace &space, std::span<const double> values)
{
    std::vector<double> kept;
    for (std::size_t t = 0; t < values.size(); ++t) {
        if (space[t].kind != ParameterKind::spatial)
            kept.push_back(values[t]);
    }
    return kept;
}

std::vector<std::size_t> simulationsOf(const ParameterSpace &space, std::span<const double> places)
{
    const auto time = space.timeLike();
    const auto d = space.parameters().size();
    std::map<std::vector<double>, std::size_t> known;
    std::vector<std::size_t> simulations;
    for (std::size_t at = 0; at + d <= places.size(); at += d) {
        const auto of = places.subspan(at, d);
        std::vector<double> place(of.begin(), of.end());
        if (time)
            place[*time] = 0;
        simulations.push_back(known.try_emplace(std::move(place), known.size()).first->second);
    }
    return simulations;
}

std::vector<double> withSpace(const ParameterSpace &space, std::span<const double> runValues)
{
    std::vector<double> values;
    std::size_t next = 0;
    for (const auto &parameter : space.parameters()) {
        const bool isSpatial = parameter.kind == ParameterKind::spatial;
        if (!isSpatial && next == runValues.size())
            break; // too few, as below
        values.push_back(isSpatial ? parameter.low : runValues[next++]);
    }
    if (next != runValues.size() || values.size() != space.parameters().size())
        throw Error(std::to_string(runValues.size())
                    + " values do not fit the study's parameters: give one for each");
    return values;
}

} // namespace gridhelm::data
