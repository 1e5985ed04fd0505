// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/machine/machine_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace gridhelm::bench {
namespace {

std::string scoreText(const std::optional<double> &score)
{
    return score ? fmt::format("{:.4g}", *score) : "none, as there are not cases of all operations";
}

std::string figuresLine(const ClassFigures &figures, const std::vector<ClassRatio> &ratios)
{
    const auto unit = unitOf(figures.operation);
    auto text = fmt::format(
        "{:<15} {:>3} cases, at best {} by {} ({}); {:.3g} % of the limit, at best {:.3g} % of {}",
        nameOf(figures.operation), figures.cases, rateText(figures.bestPerSecond, unit),
        figures.bestDevice, figures.bestWork, 100 * figures.meanShare, 100 * figures.bestShare,
        figures.limit);
    for (const auto &ratio : ratios) {
        if (ratio.operation == figures.operation)
            text += fmt::format("; {:.3g} times the reference", ratio.ratio);
    }
    if (figures.joulesPerUnit)
        text += fmt::format("; {:.2e} J for each of the {}", *figures.joulesPerUnit, unit);
    if (figures.wrongCases > 0)
        text += fmt::format("; {} cases are WRONG and do not count", figures.wrongCases);
    return text + fmt::format("; error {:.0e}\n", figures.largestError);
}

std::string devicesText(const MachineReport &report)
{
    std::string text;
    for (const auto &device : report.devices)
        text += deviceText(device) + "\n";
    return text;
}

} // namespace

std::string rateText(double perSecond, std::string_view unit)
{
    return fmt::format("{:.3g} {}/s", perSecond, unit);
}

std::string deviceText(const MeasuredDevice &device)
{
    auto text = fmt::format("{} ({}): reads {:.4g} GB/s, writes {:.4g}, copies {:.4g}; multiplies "
                            "and adds {:.4g} GFlop/s in float",
                            device.name, device.hardware, 1e-9 * device.readBytesPerSecond,
                            1e-9 * device.writeBytesPerSecond, 1e-9 * device.copyBytesPerSecond,
                            1e-9 * device.flopsPerSecond);
    if (device.linkBytesPerSecond > 0)
        text += fmt::format("; link {:.4g} GB/s", 1e-9 * device.linkBytesPerSecond);
    return text
           + fmt::format("; joules: {}",
                         device.whyNoJoules.empty() ? "told by the hardware" : device.whyNoJoules);
}

std::string remarkText(const MachineReport &report)
{
    std::string text;
    if (report.isQuick)
        text += "quick: even dimensions and small sizes alone; ";
    if (report.isInterrupted)
        text += "interrupted: this is what was there; ";
    if (report.leftOut > 0)
        text += fmt::format("{} cases are left out, for which there was no time or no memory; ",
                            report.leftOut);
    if (text.empty())
        return text;
    text.resize(text.size() - 2);
    return text + "\n";
}

std::string reportText(const MachineReport &report, const MachineReport &reference)
{
    auto text = fmt::format("{}, {:.0f} s; {}\n", report.machine, report.seconds,
                            report.isTuned ? "untuned and tuned" : "not tuned on this machine")
                + devicesText(report) + remarkText(report) + "\n";
    const auto ratios = classRatios(report, reference);
    for (const auto &figures : classFigures(report))
        text += figuresLine(figures, ratios);
    text += "\n";
    for (const auto &device : report.devices) {
        if (report.devices.size() == 1)
            break;
        const auto score = scoreOf(classRatios(report, reference, {device.name}));
        if (score)
            text += fmt::format("score of {}: {:.4g}\n", device.name, *score);
    }
    if (report.isTuned)
        text += fmt::format("score untuned: {}\n",
                            scoreText(scoreOf(classRatios(report, reference, {{}, false}))));
    text += fmt::format("score: {} ({} has 100)\n", scoreText(scoreOf(ratios)), reference.machine);
    constexpr std::size_t mostFailures = 10;
    for (std::size_t i = 0; i < std::min(mostFailures, report.failures.size()); ++i)
        text += fmt::format("not measured: {}\n", report.failures[i]);
    if (report.failures.size() > mostFailures)
        text +=
            fmt::format("and {} more, which --json lists\n", report.failures.size() - mostFailures);
    return text;
}

std::string comparisonText(const MachineReport &first, const MachineReport &second,
                           const MachineReport &reference)
{
    std::string text;
    for (const auto *report : {&first, &second})
        text += fmt::format("{}: {} (version {}, commit {})\n{}{}\n", report == &first ? "A" : "B",
                            report->machine, report->version, report->commit, devicesText(*report),
                            remarkText(*report));
    text += fmt::format("{:<15} {:>14} {:>16} {:>6}  {}\n", "A to B", "mean", "from .. to", "cases",
                        "A's fastest device");
    const auto ratios = classRatios(first, second);
    for (const auto &ratio : ratios)
        text += fmt::format("{:<15} {:>8.3g} times {:>7.3g} ..{:>6.3g} {:>6}  {}\n",
                            nameOf(ratio.operation), ratio.ratio, ratio.least, ratio.most,
                            ratio.cases, ratio.device);
    if (ratios.empty())
        text += "the two have no case in common\n";
    text += "\n";
    for (const auto *report : {&first, &second})
        text += fmt::format("score of {}: {}\n", report == &first ? "A" : "B",
                            scoreText(scoreOf(classRatios(*report, reference))));
    return text + fmt::format("({} has 100)\n", reference.machine);
}

} // namespace gridhelm::bench
