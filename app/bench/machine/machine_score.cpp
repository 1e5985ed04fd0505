// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/machine/machine_score.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace gridhelm::bench {
namespace {

bool isRight(const MeasuredCase &each)
{
    return each.error <= errorOfWrongResults; // NaN is wrong
}

/// The fastest by the text of its work. What a device does with tuned kernels stands in the place
/// of what it does without, also if it is slower: who measures twice must not take the better one.
std::map<std::string, const MeasuredCase *>
fastestCases(const MachineReport &report, OperationClass operation, const RateChoice &choice)
{
    std::map<std::pair<std::string, std::string>, const MeasuredCase *> chosen; // work, device
    for (const auto &each : report.cases) {
        if (each.operation != operation || !isRight(each) || (each.isTuned && !choice.withTuned)
            || (!choice.device.empty() && each.device != choice.device))
            continue;
        auto &one = chosen[{each.work, each.device}];
        if (!one || each.isTuned)
            one = &each;
    }
    std::map<std::string, const MeasuredCase *> fastest;
    for (const auto &[workAndDevice, each] : chosen) {
        auto &best = fastest[workAndDevice.first];
        if (!best || each->perSecond > best->perSecond)
            best = each;
    }
    return fastest;
}

} // namespace

double geometricMean(const std::vector<double> &values)
{
    double sum = 0;
    for (const double value : values)
        sum += std::log(value);
    return std::exp(sum / static_cast<double>(values.size()));
}

std::vector<ClassRatio> classRatios(const MachineReport &first, const MachineReport &second,
                                    const RateChoice &choice)
{
    std::vector<ClassRatio> list;
    for (const auto operation : operationClasses) {
        const auto ours = fastestCases(first, operation, choice);
        const auto theirs = fastestCases(second, operation, {{}, choice.withTuned});
        std::vector<double> ratios;
        std::map<std::string, int> wins;
        for (const auto &[work, each] : ours) {
            const auto other = theirs.find(work);
            if (other == theirs.end())
                continue;
            ratios.push_back(each->perSecond / other->second->perSecond);
            ++wins[each->device];
        }
        if (ratios.empty())
            continue;
        const auto winner = std::ranges::max_element(
            wins, {}, [](const auto &deviceAndWins) { return deviceAndWins.second; });
        list.push_back({operation, static_cast<int>(ratios.size()), geometricMean(ratios),
                        *std::ranges::min_element(ratios), *std::ranges::max_element(ratios),
                        winner->first});
    }
    return list;
}

std::optional<double> scoreOf(const std::vector<ClassRatio> &ratios)
{
    if (ratios.size() != operationClasses.size())
        return std::nullopt;
    std::vector<double> values;
    for (const auto &each : ratios)
        values.push_back(each.ratio);
    return 100 * geometricMean(values);
}

std::vector<ClassFigures> classFigures(const MachineReport &report)
{
    std::vector<ClassFigures> list;
    for (const auto operation : operationClasses) {
        ClassFigures figures{operation};
        std::vector<double> shares;
        for (const auto &each : report.cases) {
            if (each.operation != operation)
                continue;
            if (!isRight(each)) {
                ++figures.wrongCases;
                continue;
            }
            ++figures.cases;
            figures.largestError = std::max(figures.largestError, each.error);
            if (each.perSecond > figures.bestPerSecond) {
                figures.bestPerSecond = each.perSecond;
                figures.bestWork = each.work;
                figures.bestDevice = each.device;
            }
            if (each.share > 0)
                shares.push_back(each.share);
            if (each.share > figures.bestShare) {
                figures.bestShare = each.share;
                figures.limit = each.limit;
            }
            if (each.joules && *each.joules > 0) {
                const double perUnit = *each.joules / (each.perSecond * each.seconds);
                figures.joulesPerUnit = std::min(figures.joulesPerUnit.value_or(perUnit), perUnit);
            }
        }
        if (!shares.empty())
            figures.meanShare = geometricMean(shares);
        if (figures.cases + figures.wrongCases > 0)
            list.push_back(std::move(figures));
    }
    return list;
}

} // namespace gridhelm::bench
