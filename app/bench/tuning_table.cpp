// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/tuning_table.h"

#include "core/support/html_page.h"
#include "core/support/html_text.h"
#include "core/support/svg_plots.h"
#include "core/tuning/cpu_cases.h"
#include "data/stencil/tune_stencil.h"
#include "gpu/tuning_cases.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace gridhelm::bench {
namespace {

using namespace tuning;

constexpr int comparisons = 5;

struct Way
{
    const char *name;
    Strategy strategy;
    bool isReduced;
};
constexpr std::array<Way, 3> ways{Way{"whole", Strategy::climbing, false},
                                  Way{"reduced", Strategy::climbing, true},
                                  Way{"partitions", Strategy::partitions, true}};

TuningWay wayOf(const std::string &name, const TunedCase &found)
{
    return {name, found.searchSeconds, found.tried.size(), found.isCut, 1};
}

/// Its best by its own measurements, whether it is better by more than the noise or not.
Variant bestOf(const TunedCase &found)
{
    return std::ranges::min_element(found.tried, {}, &Trial::seconds)->variant;
}

using dispatch::PoissonWork;
using solvers::Precision;

// Its constants are compiled in.
constinit const TunableOperation mlssorOnCpu{"mlssor", "cpu", {}};

TuningCase withoutChoice(const TunableOperation &operation, const dispatch::Workload &work)
{
    return {.operation = &operation,
            .work = work,
            .key = keyOf(operation, sizeof(float), 0),
            .items = std::numeric_limits<std::size_t>::max() / 8};
}

/// The first in float of each key's operation, whose name has the dimensions in it; one that can be
/// timed on smaller grids goes first.
std::vector<TuningCase> oneOfEach(const std::vector<TuningCase> &cases)
{
    std::vector<TuningCase> some;
    for (const auto &each : cases) {
        if (each.key.valueBytes != sizeof(float))
            continue;
        const auto same = std::ranges::find(
            some, each.key.operation, [](const TuningCase &other) { return other.key.operation; });
        if (same == some.end())
            some.push_back(each);
        else if (same->smaller.empty() && !each.smaller.empty())
            *same = each;
    }
    return some;
}

} // namespace

std::vector<TuningCase> tableCases(int threads)
{
    auto cases = oneOfEach(cpuCases(threads));
    // Its tiles are part of the method: others have other iterates.
    cases.push_back(
        withoutChoice(mlssorOnCpu, PoissonWork{"mlssor", Precision::float32, 2, 1024, 16}));
    return cases;
}

std::vector<TuningCase> gpuTableCases()
{
    return oneOfEach(gpu::gpuCases());
}

TuningRow tuningRow(const TuningCase &each, const dispatch::Candidate &candidate,
                    const ExecutionContext &context, double seconds, const std::stop_token &stop)
{
    TuningRow row;
    row.name = each.text();
    std::vector<Variant> found;
    std::vector<Trial> onWhole;
    Variant compiledIn;
    for (const auto &way : ways) {
        const auto result = tune(each, candidate, context,
                                 {.strategy = way.strategy,
                                  .isReduced = way.isReduced,
                                  .seconds = seconds,
                                  .comparisons = 1,
                                  .stop = stop});
        row.ways.push_back(wayOf(way.name, result));
        row.variants = result.variants;
        found.push_back(bestOf(result));
        compiledIn = result.compiledIn;
        if (!way.isReduced)
            onWhole = result.tried;
    }
    const auto all = tune(each, candidate, context,
                          {.strategy = Strategy::exhaustive,
                           .isReduced = false,
                           .seconds = seconds,
                           .comparisons = 1,
                           .stop = stop});
    row.ways.push_back(wayOf("exhaustive", all));
    row.secondsOfDefault = all.seconds;
    // A search that was cut may have missed what another one has found.
    onWhole.insert(onWhole.end(), all.tried.begin(), all.tried.end());
    const auto best = std::ranges::min_element(onWhole, {}, &Trial::seconds)->variant;
    row.best = tuning::textOf(*each.operation, best);
    std::map<Variant, double> qualities{{best, 1}};
    const auto qualityOf = [&](const Variant &variant) {
        const auto [place, isNew] = qualities.try_emplace(variant, 1);
        if (isNew && !stop.stop_requested())
            place->second = compare(each, candidate, context, best, variant, comparisons);
        return place->second;
    };
    found.push_back(bestOf(all));
    for (std::size_t i = 0; i < found.size(); ++i)
        row.ways[i].quality = qualityOf(found[i]);
    row.qualityOfDefault = qualityOf(compiledIn);
    return row;
}

TuningRow tuningRow(const std::string &name, const stencil::Stencil &stencil,
                    const data::StencilMeans &means, const ExecutionContext &context,
                    double seconds, const std::stop_token &stop)
{
    TuningRow row;
    row.name = name;
    const auto searched = [&](Strategy strategy, double limit) {
        return data::tuneStencil(stencil, means, context,
                                 {.strategy = strategy, .seconds = limit, .stop = stop});
    };
    const auto partitions = searched(Strategy::partitions, 1e9);
    const auto all = searched(Strategy::exhaustive, seconds);
    row.variants = all.variants;
    // A search that was cut may have missed what the other one has found.
    const bool isCut = all.tried.size() < all.variants;
    const auto &best =
        partitions.best.updatesPerSecond > all.best.updatesPerSecond ? partitions.best : all.best;
    const auto qualityOf = [&](const auto &result) {
        return result.updatesPerSecond / best.updatesPerSecond;
    };
    row.best = data::textOf(best);
    row.ways = {{"partitions", partitions.seconds, partitions.tried.size(), false,
                 qualityOf(partitions.best)},
                {"exhaustive", all.seconds, all.tried.size(), isCut, qualityOf(all.best)}};
    row.qualityOfDefault = qualityOf(all.before);
    return row;
}

nlohmann::json jsonOf(const TuningRow &row)
{
    nlohmann::json all = {{"name", row.name},
                          {"variants", row.variants},
                          {"quality_of_default", row.qualityOfDefault},
                          {"seconds_of_default", row.secondsOfDefault},
                          {"best", row.best},
                          {"ways", nlohmann::json::array()}};
    for (const auto &way : row.ways)
        all["ways"].push_back({{"name", way.name},
                               {"seconds", way.seconds},
                               {"tried", way.tried},
                               {"is_cut", way.isCut},
                               {"quality", way.quality}});
    return all;
}

std::string tableOf(const std::vector<TuningRow> &rows)
{
    constexpr std::array<const char *, 4> names{"whole", "reduced", "partitions", "exhaustive"};
    auto text = fmt::format("\n{:<46} {:>8} {:>10} {:>8}", "of the best, in the search's time",
                            "variants", "default ms", "default");
    for (const auto *name : names)
        text += fmt::format("  {:>16}", name);
    text += fmt::format("  {:>7}\n", "visited");
    for (const auto &row : rows) {
        text +=
            fmt::format("{:<46} {:>8} {:>10.3g} {:>6.0f} %", row.name.substr(0, row.name.find(':')),
                        row.variants, 1e3 * row.secondsOfDefault, 100 * row.qualityOfDefault);
        double visited = 0;
        for (const auto *name : names) {
            const auto way = std::ranges::find(row.ways, name, &TuningWay::name);
            std::string cell;
            if (way != row.ways.end()) {
                cell = fmt::format("{:.0f} % {:.2g} s{}", 100 * way->quality, way->seconds,
                                   way->isCut ? " cut" : "");
                if (way->name == "partitions")
                    visited = static_cast<double>(way->tried) / static_cast<double>(row.variants);
            }
            text += fmt::format("  {:>16}", cell);
        }
        text += fmt::format("  {:>5.0f} %\n", 100 * visited);
    }
    return text;
}

std::string textOf(const TuningRow &row)
{
    auto text = fmt::format("{}: {} variants, as compiled in {:.0f} % of the best ({})\n", row.name,
                            row.variants, 100 * row.qualityOfDefault, row.best);
    for (const auto &way : row.ways)
        text += fmt::format("    {:<12} {:>9.3g} s  {:>4} tried  {:>5.1f} % of the best{}\n",
                            way.name, way.seconds, way.tried, 100 * way.quality,
                            way.isCut ? ", its time was over" : "");
    return text;
}

std::string htmlOf(const std::vector<TuningRow> &rows, const std::string &machine)
{
    std::vector<PlotBar> times, qualities;
    constexpr std::array<const char *, 4> names{"whole", "reduced", "partitions", "exhaustive"};
    const auto colourOf = [&](const std::string &name) {
        return static_cast<int>(std::ranges::find(names, name) - names.begin());
    };
    for (const auto &row : rows) {
        auto group = row.name.substr(0, row.name.find(':'));
        qualities.push_back({"as compiled in", 100 * row.qualityOfDefault,
                             fmt::format("{:.0f} %", 100 * row.qualityOfDefault), 4, group});
        for (const auto &way : row.ways) {
            const auto ofGroup = &way == row.ways.data() ? group : std::string();
            // From a hundredth of a millisecond on.
            times.push_back({way.name, std::max(0.0, std::log10(way.seconds) + 5),
                             fmt::format("{:.2g} s", way.seconds), colourOf(way.name), ofGroup});
            if (way.name != "exhaustive")
                qualities.push_back({way.name, 100 * way.quality,
                                     fmt::format("{:.0f} %", 100 * way.quality), colourOf(way.name),
                                     std::string()});
        }
    }
    return htmlPageHead("Tuning on " + machine, "gridhelm-cli bench tuning") + "<h1>Tuning on "
           + htmlText(machine) + "</h1>\n"
           + barPlot(times, 0, "Seconds of the search (lengths are logarithms)")
           + barPlot(qualities, 100,
                     "Speed of what was found, in % of the exhaustive search's best")
           + std::string(htmlPageEnd);
}

} // namespace gridhelm::bench
