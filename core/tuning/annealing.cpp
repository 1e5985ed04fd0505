// SPDX-License-Identifier: GPL-3.0-or-later
//
// Simulated annealing, as tuners of kernels commonly offer it: from the present variant to one that
// differs by a step of one constant; a slower one is accepted with probability exp(-loss / T),
// where the loss is relative, and T falls from 0.5 to 0.005 over the trials that there are.
#include "core/tuning/trials.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

namespace gridhelm::tuning {
namespace {

constexpr double firstTemperature = 0.5, lastTemperature = 0.005;

template <typename Generator>
std::size_t below(std::size_t count, Generator &generator)
{
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(generator);
}

/// One step of one constant away, if that is allowed.
template <typename Generator>
std::optional<Variant> neighbour(const SearchSpace &space, Variant variant, Generator &generator)
{
    const auto constant = below(variant.size(), generator);
    const auto &values = space.dimensions[constant].values;
    const auto at =
        static_cast<std::size_t>(std::ranges::find(values, variant[constant]) - values.begin());
    const bool goesUp = below(2, generator) == 1;
    if (goesUp ? at + 1 >= values.size() : at == 0)
        return std::nullopt;
    variant[constant] = values[goesUp ? at + 1 : at - 1];
    return space.isAllowed(variant) ? std::optional(std::move(variant)) : std::nullopt;
}

} // namespace

void anneal(const SearchSpace &space, Trials &trials)
{
    std::mt19937_64 generator(trials.limits().seed);
    const auto most = std::min(trials.limits().trials, space.all().size());
    auto present = trials.best();
    // Steps to variants that are known cost no trial: there is an end to them as well.
    for (auto steps = 20 * most; steps > 0 && !trials.isOver(); --steps) {
        const auto next = neighbour(space, present.variant, generator);
        if (!next)
            continue;
        const double seconds = trials.seconds(*next);
        const double done =
            static_cast<double>(trials.result().tried.size()) / static_cast<double>(most);
        const double temperature =
            firstTemperature * std::pow(lastTemperature / firstTemperature, std::min(done, 1.0));
        const double loss = seconds / present.seconds - 1;
        if (loss <= 0
            || std::uniform_real_distribution(0.0, 1.0)(generator) < std::exp(-loss / temperature))
            present = {*next, seconds};
    }
}

} // namespace gridhelm::tuning
