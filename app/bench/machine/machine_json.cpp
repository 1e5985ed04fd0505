// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/machine/machine_json.h"

#include <cmath>

namespace gridhelm::bench {

using nlohmann::json;

namespace {

json deviceJson(const MeasuredDevice &device)
{
    json document = {{"name", device.name},
                     {"hardware", device.hardware},
                     {"read_gbytes_per_second", 1e-9 * device.readBytesPerSecond},
                     {"write_gbytes_per_second", 1e-9 * device.writeBytesPerSecond},
                     {"copy_gbytes_per_second", 1e-9 * device.copyBytesPerSecond},
                     {"float_gflops_per_second", 1e-9 * device.flopsPerSecond},
                     {"link_gbytes_per_second", 1e-9 * device.linkBytesPerSecond},
                     {"why_no_joules", device.whyNoJoules}};
    return document;
}

json caseJson(const MeasuredCase &each)
{
    json document = {{"operation", nameOf(each.operation)},
                     {"dimension", each.dimension},
                     {"size", each.size},
                     {"work", each.work},
                     {"device", each.device},
                     {"tuned", each.isTuned},
                     {"unit", unitOf(each.operation)},
                     {"per_second", each.perSecond},
                     {"seconds", each.seconds},
                     {"spread", each.spread},
                     {"repeats", each.repeats},
                     {"limit", each.limit},
                     {"share_of_limit", each.share},
                     {"gbytes_per_second", each.gigabytesPerSecond},
                     {"gflops_per_second", each.gigaflopsPerSecond},
                     {"error", std::isfinite(each.error) ? json(each.error) : json()}};
    if (each.joules)
        document["joules"] = *each.joules;
    return document;
}

json figuresJson(const ClassFigures &figures)
{
    json document = {
        {"operation", nameOf(figures.operation)},   {"cases", figures.cases},
        {"wrong_cases", figures.wrongCases},        {"unit", unitOf(figures.operation)},
        {"best_per_second", figures.bestPerSecond}, {"best_work", figures.bestWork},
        {"best_device", figures.bestDevice},        {"mean_share_of_limit", figures.meanShare},
        {"best_share_of_limit", figures.bestShare}, {"limit", figures.limit},
        {"largest_error", figures.largestError}};
    if (figures.joulesPerUnit)
        document["joules_per_unit"] = *figures.joulesPerUnit;
    return document;
}

json scoreJson(const std::vector<ClassRatio> &ratios)
{
    const auto score = scoreOf(ratios);
    return score ? json(*score) : json();
}

} // namespace

json jsonOf(const ClassRatio &ratio)
{
    return {{"operation", nameOf(ratio.operation)},
            {"cases", ratio.cases},
            {"ratio", ratio.ratio},
            {"least", ratio.least},
            {"most", ratio.most},
            {"device", ratio.device}};
}

json jsonOf(const MachineReport &report, const MachineReport &reference)
{
    json document = {{"benchmark", "machine"},
                     {"format", machineFormat},
                     {"machine", report.machine},
                     {"commit", report.commit},
                     {"version", report.version},
                     {"threads", report.threads},
                     {"quick", report.isQuick},
                     {"interrupted", report.isInterrupted},
                     {"left_out", report.leftOut},
                     {"seconds", report.seconds},
                     {"warm_ups", 1},
                     {"tuning", report.isTuned ? "tuned" : "not tuned on this machine"},
                     {"devices", json::array()},
                     {"cases", json::array()},
                     {"failures", report.failures},
                     {"reference_machine", reference.machine},
                     {"summary", json::array()},
                     {"by_device", json::array()}};
    for (const auto &device : report.devices) {
        document["devices"].push_back(deviceJson(device));
        json ofDevice = {{"device", device.name}, {"to_reference", json::array()}};
        const auto ratios = classRatios(report, reference, {device.name});
        for (const auto &ratio : ratios)
            ofDevice["to_reference"].push_back(jsonOf(ratio));
        ofDevice["score"] = scoreJson(ratios);
        document["by_device"].push_back(std::move(ofDevice));
    }
    for (const auto &each : report.cases)
        document["cases"].push_back(caseJson(each));
    const auto ratios = classRatios(report, reference);
    for (const auto &figures : classFigures(report)) {
        auto line = figuresJson(figures);
        for (const auto &ratio : ratios) {
            if (ratio.operation == figures.operation)
                line["to_reference"] = jsonOf(ratio);
        }
        document["summary"].push_back(std::move(line));
    }
    document["score"] = scoreJson(ratios);
    document["untuned_score"] = scoreJson(classRatios(report, reference, {{}, false}));
    return document;
}

} // namespace gridhelm::bench
