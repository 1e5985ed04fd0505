// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/search.h"

#include "core/tuning/trials.h"

#include <array>
#include <utility>

namespace gridhelm::tuning {
namespace {

constexpr std::array<std::pair<Strategy, std::string_view>, 5> names{
    {{Strategy::partitions, "partitions"},
     {Strategy::climbing, "climbing"},
     {Strategy::annealing, "annealing"},
     {Strategy::random, "random"},
     {Strategy::exhaustive, "exhaustive"}}};

} // namespace

std::string_view nameOf(Strategy strategy)
{
    for (const auto &[each, name] : names) {
        if (each == strategy)
            return name;
    }
    return {};
}

std::optional<Strategy> strategyNamed(std::string_view name)
{
    for (const auto &[strategy, each] : names) {
        if (each == name)
            return strategy;
    }
    return std::nullopt;
}

SearchResult search(Strategy strategy, const SearchSpace &space, const Measure &measure,
                    const SearchLimits &limits)
{
    Trials trials(measure, limits);
    (void)trials.seconds(space.start);
    switch (strategy) {
    case Strategy::partitions:
    case Strategy::climbing:
        climb(space, strategy == Strategy::partitions, trials);
        break;
    case Strategy::annealing:
        anneal(space, trials);
        break;
    case Strategy::random:
        drawAtRandom(space, trials);
        break;
    case Strategy::exhaustive:
        for (const auto &variant : space.all()) {
            if (limits.isOver())
                break;
            (void)trials.seconds(variant);
        }
        break;
    }
    return trials.result();
}

} // namespace gridhelm::tuning
