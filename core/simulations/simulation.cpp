// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulations/simulation.h"

#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace gridhelm::simulations {

namespace {

/// Without the zeros that std::to_string adds.
std::string text(double value)
{
    std::ostringstream stream;
    stream.precision(10);
    stream << value;
    return stream.str();
}

void requireCount(std::size_t given, std::size_t wanted)
{
    if (given != wanted)
        throw Error("there are " + std::to_string(given) + " parameter values, but "
                    + std::to_string(wanted) + " parameters; give one value for each");
}

void requireWithin(const ParameterInfo &parameter, double value)
{
    if (!(value >= parameter.low && value <= parameter.high))
        throw Error("the parameter " + parameter.name + " cannot be " + text(value) + "; choose "
                    + text(parameter.low) + " to " + text(parameter.high));
}

} // namespace

const std::vector<OptionInfo> &Simulation::options() const
{
    static const std::vector<OptionInfo> none;
    return none;
}

ImageMesh Simulation::mesh(std::size_t resolution) const
{
    return meshOf(checkedResolution(resolution));
}

std::uint64_t Simulation::bytesNeeded(std::size_t resolution) const
{
    return bytesOf(checkedResolution(resolution));
}

std::optional<std::size_t> Simulation::timeLike() const
{
    const auto &all = parameters();
    const auto found =
        std::find_if(all.begin(), all.end(), [](const auto &p) { return p.timeLike; });
    if (found == all.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - all.begin());
}

std::vector<double> Simulation::defaultValues() const
{
    std::vector<double> values;
    for (const auto &parameter : parameters())
        values.push_back(parameter.defaultValue);
    return values;
}

void Simulation::requireRunnable(const Setup &setup, std::span<const double> low,
                                 std::span<const double> high) const
{
    const auto resolution = checkedResolution(setup.resolution);
    const auto choices = checkedChoices(setup);
    const auto &all = parameters();
    requireCount(low.size(), all.size());
    requireCount(high.size(), all.size());
    for (std::size_t p = 0; p < all.size(); ++p) {
        requireWithin(all[p], low[p]);
        requireWithin(all[p], high[p]);
        if (low[p] > high[p])
            throw Error("the range of the parameter " + all[p].name + " ends at " + text(high[p])
                        + ", below its beginning at " + text(low[p]) + "; exchange them");
    }
    requireRunnableBox(resolution, choices, low, high);
    requireMemory(static_cast<double>(bytesOf(resolution)),
                  "a run of " + std::string(name()) + " with resolution "
                      + std::to_string(resolution),
                  "choose a lower resolution");
}

RunEnd Simulation::run(const Setup &setup, std::span<const double> values,
                       std::span<const double> times, const SnapshotSink &sink,
                       const ExecutionContext &context, const RunControl &control) const
{
    requireCount(values.size(), parameters().size());
    std::vector<double> checked(values.begin(), values.end());
    const auto time = timeLike();
    if (time) {
        const auto &parameter = parameters()[*time];
        checked[*time] = parameter.low;
        for (double t : times)
            requireWithin(parameter, t);
        if (!std::is_sorted(times.begin(), times.end()))
            throw Error("the wanted values of " + parameter.name
                        + " are not in order; sort them ascending");
    } else if (!times.empty()) {
        throw Error("the simulation " + std::string(name())
                    + " has no time-like parameter; run it once for each point");
    }
    requireRunnable(setup, checked, checked);
    const auto progress =
        control.progress ? control.progress : std::function<void(double)>([](double) {});
    return compute({checkedResolution(setup.resolution),
                    checkedChoices(setup),
                    checked,
                    {times.begin(), times.end()},
                    sink,
                    context,
                    control.stop,
                    progress});
}

void Simulation::requireRunnableBox(std::size_t, const std::vector<std::string> &,
                                    std::span<const double>, std::span<const double>) const
{
}

std::size_t Simulation::checkedResolution(std::size_t wanted) const
{
    const auto limits = resolution();
    if (wanted == 0)
        return limits.standard;
    if (wanted < limits.smallest || wanted > limits.largest)
        throw Error("the simulation " + std::string(name()) + " cannot have a resolution of "
                    + std::to_string(wanted) + "; choose " + std::to_string(limits.smallest)
                    + " to " + std::to_string(limits.largest) + " nodes along a side");
    return wanted;
}

std::vector<std::string> Simulation::checkedChoices(const Setup &setup) const
{
    const auto &all = options();
    std::vector<std::string> choices;
    for (const auto &option : all)
        choices.push_back(option.choices.front());
    for (const auto &given : setup.options) {
        const auto option = std::find_if(all.begin(), all.end(),
                                         [&](const auto &o) { return o.name == given.name; });
        if (option == all.end()) {
            std::string known;
            for (const auto &o : all)
                known += (known.empty() ? "" : ", ") + o.name;
            throw Error("the simulation " + std::string(name()) + " has no option '" + given.name
                        + "'; " + (known.empty() ? "leave it out" : "it has: " + known));
        }
        const auto &known = option->choices;
        if (std::find(known.begin(), known.end(), given.choice) == known.end()) {
            std::string list;
            for (const auto &choice : known)
                list += (list.empty() ? "" : ", ") + choice;
            throw Error("the option " + given.name + " cannot be '" + given.choice
                        + "'; choose one of: " + list);
        }
        choices[static_cast<std::size_t>(option - all.begin())] = given.choice;
    }
    return choices;
}

} // namespace gridhelm::simulations
