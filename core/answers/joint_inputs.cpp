// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/joint_inputs.h"

#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace gridhelm::answers {
namespace {

bool hasSamples(const Inputs &inputs, std::size_t parameter)
{
    return std::ranges::any_of(inputs.joint, [parameter](const JointSamples &joint) {
        return std::ranges::find(joint.parameters, parameter) != joint.parameters.end();
    });
}

bool hasCorrelation(const Inputs &inputs, std::size_t parameter)
{
    const auto d = inputs.distributions.size();
    for (std::size_t t = 0; t < d && !inputs.rankCorrelations.empty(); ++t)
        if (t != parameter && inputs.rankCorrelations[parameter * d + t] != 0)
            return true;
    return false;
}

} // namespace

void addRankCorrelation(Inputs &inputs, const ParameterSpace &space, std::string_view typed,
                        std::string_view what)
{
    const auto where = fmt::format("{} {}", what, typed);
    const auto equals = typed.find('=');
    const auto names = typed.substr(0, equals);
    const auto comma = names.find(',');
    if (equals == std::string_view::npos || comma == std::string_view::npos)
        throw Error(where + ": write a,b=0.5, with the names of two parameters");
    addRankCorrelation(inputs, space, space.indexOf(std::string(trimmed(names.substr(0, comma)))),
                       space.indexOf(std::string(trimmed(names.substr(comma + 1)))),
                       parseReal(typed.substr(equals + 1), what), where);
}

void addRankCorrelation(Inputs &inputs, const ParameterSpace &space, std::size_t a, std::size_t b,
                        double correlation, std::string_view where)
{
    const auto d = static_cast<std::size_t>(space.dimension());
    if (a == b)
        throw Error(fmt::format("{}: a parameter goes with itself anyway; name two", where));
    for (const auto t : {a, b})
        if (hasSamples(inputs, t))
            throw Error(fmt::format("{}: {} goes with others as its samples do, row by row; leave "
                                    "that out",
                                    where, space[t].name));
    if (inputs.rankCorrelations.empty()) {
        inputs.rankCorrelations.assign(d * d, 0.0);
        for (std::size_t t = 0; t < d; ++t)
            inputs.rankCorrelations[t * d + t] = 1;
    }
    const std::pair pair{std::min(a, b), std::max(a, b)};
    if (std::ranges::find(inputs.correlatedPairs, pair) != inputs.correlatedPairs.end())
        throw Error(
            fmt::format("{}: that pair is given twice; say once how it goes together", where));
    inputs.correlatedPairs.push_back(pair);
    inputs.rankCorrelations[a * d + b] = correlation;
    inputs.rankCorrelations[b * d + a] = correlation;
}

void addJointSamples(Inputs &inputs, const ParameterSpace &space, JointSamples samples)
{
    if (samples.parameters.empty() || samples.parameters.size() != samples.columns.size())
        throw Error("samples that go together need a column for each parameter");
    for (std::size_t k = 0; k < samples.parameters.size(); ++k) {
        const auto t = samples.parameters[k];
        if (samples.columns[k].size() != samples.columns[0].size())
            throw Error(fmt::format("{} has {} samples and {} has {}: their rows belong together, "
                                    "give as many of each",
                                    space[t].name, samples.columns[k].size(),
                                    space[samples.parameters[0]].name, samples.columns[0].size()));
        if (hasSamples(inputs, t) || hasCorrelation(inputs, t))
            throw Error(fmt::format("{} goes with others already: say once how", space[t].name));
    }
    std::vector<InputDistribution> distributions;
    for (std::size_t k = 0; k < samples.parameters.size(); ++k)
        distributions.push_back(
            InputDistribution::ofSamples(samples.columns[k], space[samples.parameters[k]]));
    for (std::size_t k = 0; k < samples.parameters.size(); ++k)
        inputs.distributions[samples.parameters[k]] = std::move(distributions[k]);
    if (samples.parameters.size() > 1)
        inputs.joint.push_back(std::move(samples));
}

void requireIndependent(const Inputs &inputs)
{
    if (!inputs.joint.empty()) // of which Shapley effects are not known either
        throw Error("parameters whose samples go together row by row have no Sobol' indices, which "
                    "share the variance out among independent ones: give each of them a "
                    "distribution of its own");
    if (inputs.areCorrelated())
        throw Error(
            "parameters that are correlated have no Sobol' indices, which share the variance "
            "out among independent ones: leave the correlations out, or ask for Shapley effects");
}

} // namespace gridhelm::answers
