// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson_parameters.h"

#include "core/support/error.h"

#include <string>

namespace gridhelm::solvers {

namespace {

constexpr double largestMagnitude = 1e6;
constexpr std::array<const char *, 3> positionNames{"source x", "source y", "source z"};
constexpr const char *strengthName = "source strength";
constexpr std::array<const char *, 6> boundaryNames{"boundary x low", "boundary x high",
                                                    "boundary y low", "boundary y high",
                                                    "boundary z low", "boundary z high"};

/// visit(name, unit, value, lowest, highest) for every parameter; Problem may be const.
template <typename Problem, typename Visitor>
void forEachParameter(Problem &problem, Visitor visit)
{
    const auto dimension = static_cast<std::size_t>(problem.dimension);
    const bool mustStayBalanced = isAllNeumann(problem);
    if (auto *spike = std::get_if<SpikeSource>(&problem.source)) {
        for (std::size_t axis = 0; axis < dimension; ++axis)
            visit(positionNames[axis], "of the side", spike->position[axis], 0.0, 1.0);
        if (!mustStayBalanced)
            visit(strengthName, "", spike->strength, -largestMagnitude, largestMagnitude);
    }
    if (mustStayBalanced)
        return;
    for (std::size_t side = 0; side < 2 * dimension; ++side)
        visit(boundaryNames[side], "", problem.sides[side].value, -largestMagnitude,
              largestMagnitude);
}

} // namespace

std::vector<LiveParameter> poissonParameters(const PoissonProblem &problem)
{
    std::vector<LiveParameter> parameters;
    forEachParameter(problem, [&](const char *name, const char *unit, double value, double lowest,
                                  double highest) {
        parameters.push_back({name, unit, value, lowest, highest});
    });
    return parameters;
}

const LiveParameter &requireLiveParameter(const std::vector<LiveParameter> &parameters,
                                          std::string_view name, double value)
{
    for (const auto &parameter : parameters) {
        if (parameter.name != name)
            continue;
        if (!(value >= parameter.lowest && value <= parameter.highest))
            throw Error("\"" + parameter.name + "\" cannot be " + std::to_string(value)
                        + "; choose a value from " + std::to_string(parameter.lowest) + " to "
                        + std::to_string(parameter.highest));
        return parameter;
    }
    std::string names;
    for (const auto &parameter : parameters)
        names += (names.empty() ? "" : ", ") + parameter.name;
    throw Error("\"" + std::string(name) + "\" cannot be changed here (possible: "
                + (names.empty() ? "nothing" : names) + ")");
}

void setPoissonParameter(PoissonProblem &problem, std::string_view name, double value)
{
    requireLiveParameter(poissonParameters(problem), name, value);
    forEachParameter(problem, [&](const char *each, const char *, double &target, double, double) {
        if (name == each)
            target = value;
    });
}

} // namespace gridhelm::solvers
