// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/machine/machine_page.h"

#include "app/bench/machine/machine_score.h"
#include "app/bench/machine/machine_text.h"

#include "core/support/html_page.h"
#include "core/support/html_text.h"
#include "core/support/svg_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace gridhelm::bench {
namespace {

/// Who has a colour: a device of the only machine, or a machine.
struct Subject
{
    const MachineReport *report;
    std::string device; ///< empty: its fastest
    std::string name;
    int colour;
};

std::vector<Subject> subjectsOf(const std::vector<MachineReport> &reports)
{
    std::vector<Subject> subjects;
    if (reports.size() == 1) {
        for (const auto &device : reports.front().devices)
            subjects.push_back(
                {&reports.front(), device.name, device.name, static_cast<int>(subjects.size())});
        return subjects;
    }
    for (const auto &report : reports) {
        const char letter = static_cast<char>('A' + subjects.size() % 26);
        subjects.push_back({&report,
                            {},
                            fmt::format("{}: {}", letter, report.machine),
                            static_cast<int>(subjects.size())});
    }
    return subjects;
}

std::string shortName(const Subject &subject)
{
    constexpr std::size_t letters = 34; // of what there is room for
    return subject.name.size() <= letters ? subject.name
                                          : subject.name.substr(0, letters - 2) + "..";
}

std::string scoresHtml(const std::vector<Subject> &subjects, const MachineReport &reference)
{
    std::string html = "<div class=\"scores\">\n";
    for (const auto &subject : subjects) {
        const auto score = scoreOf(classRatios(*subject.report, reference, {subject.device}));
        html +=
            fmt::format("<div class=\"score\"><span class=\"key c{}\"></span>{}<b>{}</b></div>\n",
                        subject.colour % plotColours, htmlText(subject.name),
                        score ? fmt::format("{:.4g}", *score) : "no score");
    }
    return html
           + fmt::format(
               "</div>\n<p class=\"quiet\">The score is the geometric mean of five operations' "
               "rates beside those of a reference machine, which has 100: {}.</p>\n",
               htmlText(reference.machine));
}

std::string ratiosPlot(const std::vector<Subject> &subjects, const MachineReport &reference)
{
    std::vector<PlotBar> bars;
    for (const auto operation : operationClasses) {
        std::string group(nameOf(operation));
        for (const auto &subject : subjects) {
            for (const auto &ratio : classRatios(*subject.report, reference, {subject.device})) {
                if (ratio.operation != operation)
                    continue;
                bars.push_back(
                    {shortName(subject), ratio.ratio,
                     fmt::format("{:.3g} ({:.3g} .. {:.3g})", ratio.ratio, ratio.least, ratio.most),
                     subject.colour, std::exchange(group, {})});
            }
        }
    }
    return barPlot(bars, 1, "Times as fast as the reference machine (mean, least .. most)");
}

/// The cases of a subject.
MachineReport partOf(const Subject &subject)
{
    auto part = *subject.report;
    std::erase_if(part.cases, [&](const MeasuredCase &each) {
        return !subject.device.empty() && each.device != subject.device;
    });
    return part;
}

std::string sharesPlot(const std::vector<Subject> &subjects)
{
    std::vector<PlotBar> bars;
    for (const auto operation : operationClasses) {
        std::string group(nameOf(operation));
        for (const auto &subject : subjects) {
            for (const auto &figures : classFigures(partOf(subject))) {
                if (figures.operation == operation)
                    bars.push_back(
                        {shortName(subject), 100 * figures.meanShare,
                         fmt::format("{:.3g} %, at best {:.3g} % of {}", 100 * figures.meanShare,
                                     100 * figures.bestShare, figures.limit),
                         subject.colour, std::exchange(group, {})});
            }
        }
    }
    return barPlot(bars, 100, "Percent of the limit that binds (geometric mean of all cases)");
}

std::string ratesPlot(const std::vector<Subject> &subjects, OperationClass operation)
{
    std::vector<PlotSeries> series;
    for (const auto &subject : subjects) {
        std::map<int, std::map<int, double>> bySize; // rates by dimension
        for (const auto &each : subject.report->cases) {
            if (each.operation != operation || !(each.error <= errorOfWrongResults)
                || (!subject.device.empty() && each.device != subject.device))
                continue;
            auto &rate = bySize[each.size][each.dimension];
            rate = std::max(rate, each.perSecond);
        }
        for (const auto &[size, rates] : bySize) {
            PlotSeries line{{},
                            fmt::format("{}, size {}", subject.name, size),
                            subject.colour,
                            std::min(size, 4)};
            for (const auto &[dimension, rate] : rates)
                line.points.push_back({static_cast<double>(dimension), rate});
            series.push_back(std::move(line));
        }
    }
    return linePlot(series, std::string(nameOf(operation)), "dimensions of the grid",
                    fmt::format("{}/s", unitOf(operation)));
}

std::string machineHtml(const MachineReport &report)
{
    auto html = fmt::format("<h2>{}</h2>\n<p>", htmlText(report.machine));
    for (const auto &device : report.devices)
        html += htmlText(deviceText(device)) + "<br>\n";
    html +=
        fmt::format("<span class=\"quiet\">Version {}, commit {}; {:.0f} s; {}; {}</span></p>\n",
                    htmlText(report.version), htmlText(report.commit), report.seconds,
                    report.isTuned ? "untuned and tuned" : "not tuned on this machine",
                    htmlText(remarkText(report)));
    html +=
        "<details><summary>All cases</summary>\n<table>\n<tr><th>operation<th>work<th>device"
        "<th class=\"n\">rate<th class=\"n\">GB/s<th class=\"n\">GFlop/s<th class=\"n\">% of "
        "limit<th>limit<th class=\"n\">spread<th class=\"n\">error<th class=\"n\">J a run</tr>\n";
    for (const auto &each : report.cases)
        html += fmt::format(
            "<tr><td>{}{}<td>{}<td>{}<td class=\"n\">{}<td class=\"n\">{:.3g}<td class=\"n\">{:.3g}"
            "<td class=\"n\">{:.3g}<td>{}<td class=\"n\">{:.2g}<td class=\"n\">{:.0e}<td "
            "class=\"n\">{}</tr>\n",
            nameOf(each.operation), each.isTuned ? ", tuned" : "", htmlText(each.work),
            htmlText(each.device), rateText(each.perSecond, unitOf(each.operation)),
            each.gigabytesPerSecond, each.gigaflopsPerSecond, 100 * each.share,
            htmlText(each.limit), each.spread, each.error,
            each.joules ? fmt::format("{:.3g}", *each.joules) : "");
    html += "</table></details>\n";
    if (!report.failures.empty()) {
        html += "<details><summary>Not measured</summary><ul>\n";
        for (const auto &failure : report.failures)
            html += fmt::format("<li>{}</li>\n", htmlText(failure));
        html += "</ul></details>\n";
    }
    return html;
}

} // namespace

std::string machinePage(const std::vector<MachineReport> &reports, const MachineReport &reference)
{
    const auto subjects = subjectsOf(reports);
    auto html = htmlPageHead("Gridhelm: machines for sparse grids", "gridhelm-cli bench machine")
                + "<h1>Machines for sparse grids</h1>\n<p class=\"quiet\">gridhelm-cli bench "
                  "machine</p>\n";
    html +=
        scoresHtml(subjects, reference) + ratiosPlot(subjects, reference) + sharesPlot(subjects);
    html += "<h2>Rates</h2>\n<p class=\"quiet\">Whole lines: grids of at most 2<sup>14</sup> "
            "points, which stay in a "
            "cache; the more broken a line, the larger they are: 2<sup>20</sup>, 2<sup>24</sup>, "
            "2<sup>27</sup> and 2<sup>30</sup> points at most.</p>\n<div class=\"plots\">\n";
    for (const auto operation : operationClasses)
        html += ratesPlot(subjects, operation);
    html += "</div>\n";
    for (const auto &report : reports)
        html += machineHtml(report);
    return html.append(htmlPageEnd);
}

} // namespace gridhelm::bench
