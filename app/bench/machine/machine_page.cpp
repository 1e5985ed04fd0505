// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/machine/machine_page.h"

#include "app/bench/machine/html_text.h"
#include "app/bench/machine/machine_score.h"
#include "app/bench/machine/machine_text.h"
#include "app/bench/machine/svg_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace gridhelm::bench {
namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fff; --quiet: #667085; --line: #d8dde6;
  --c0: #2467a8; --c1: #d9730d; --c2: #2f8f5b; --c3: #b5385a; --c4: #7a52b3; --c5: #8a6d1f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --paper: #161a21; --quiet: #98a2b3;
  --line: #333b48; --c0: #6aaee8; --c1: #f0a35e; --c2: #6cc796; --c3: #e8859f; --c4: #b79be6; --c5: #cdb469; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 940px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; margin-bottom: .2em; } h2 { font-size: 1.15em; margin-top: 1.8em; }
.quiet { color: var(--quiet); }
.scores { display: flex; flex-wrap: wrap; gap: 1em; }
.score { border: 1px solid var(--line); border-radius: 8px; padding: .7em 1.1em; }
.score b { display: block; font-size: 1.9em; line-height: 1.2; }
.key { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em; }
table { border-collapse: collapse; font-size: 13px; width: 100%; }
th, td { text-align: left; padding: 3px 9px 3px 0; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.plots { display: flex; flex-wrap: wrap; gap: 12px; } svg { max-width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); stroke: var(--paper);
  stroke-width: 4px; paint-order: stroke; }
svg text.title, svg text.group { font-weight: 600; } svg text.title { font-size: 13px; }
line.axis { stroke: var(--quiet); } line.grid { stroke: var(--line); }
line.mark { stroke: var(--quiet); stroke-dasharray: 4 3; }
.c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); }
.c3 { --c: var(--c3); } .c4 { --c: var(--c4); } .c5 { --c: var(--c5); }
.key { background: var(--c); } rect.series, g.series circle { fill: var(--c); }
g.series polyline { fill: none; stroke: var(--c); stroke-width: 1.8; }
.d1 polyline { stroke-dasharray: 9 3; } .d2 polyline { stroke-dasharray: 5 3; }
.d3 polyline { stroke-dasharray: 2 3; } .d4 polyline { stroke-dasharray: 9 3 2 3; }
)";

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
    auto html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'\">\n<title>Gridhelm: machines for sparse "
        "grids</title>\n<style>{}</style>\n"
        "</head>\n<body>\n<h1>Machines for sparse grids</h1>\n<p class=\"quiet\">gridhelm-cli "
        "bench "
        "machine</p>\n",
        style);
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
    return html + "</body>\n</html>\n";
}

} // namespace gridhelm::bench
