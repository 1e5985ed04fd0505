// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/base64.h"
#include "core/support/html_page.h"
#include "core/support/html_text.h"
#include "core/support/svg_plots.h"
#include "data/answers/study_report.h"
#include "data/evaluate/error_bands.h"
#include "data/support/count_text.h"

#include <fmt/format.h>

#include <cmath>

namespace gridhelm::data {
namespace {

std::string withUnit(double value, const std::string &unit, int digits = StudyResponse::usualDigits)
{
    return fmt::format("{:.{}g}{}{}", value, digits, unit.empty() ? "" : " ", unit);
}

std::string row(const std::vector<std::string> &cells, const char *kind = "td")
{
    std::string html = "<tr>";
    for (const auto &cell : cells)
        html += fmt::format("<{0}>{1}</{0}>", kind, htmlText(cell));
    return html + "</tr>\n";
}

std::string planHtml(const StudyReport &report)
{
    const auto &space = report.description.space;
    const auto answered = answerSpace(space);
    std::string html = "<h2>Parameters</h2>\n<table>"
                       + row({"parameter", "unit", "from", "to", "scale", "in this report"}, "th");
    for (std::size_t t = 0; t < space.parameters().size(); ++t) {
        const auto &parameter = space[t];
        const auto here =
            parameter.kind == ParameterKind::spatial
                ? std::string("everywhere")
                : fmt::format("{:.6g}", report.place[answered.indexOf(parameter.name)]);
        html += row({parameter.name, parameter.unit, fmt::format("{:g}", parameter.low),
                     fmt::format("{:g}", parameter.high), std::string(toString(parameter.scale)),
                     here});
    }
    html += "</table>\n<h2>Fields</h2>\n<table>"
            + row({"field", "unit", "components", "at", "values in a snapshot"}, "th");
    for (const auto &field : report.fields)
        html += row({field.name, field.unit, fmt::format("{}", field.components),
                     std::string(toString(field.association)) + "s",
                     fmt::format("{}", field.values())});
    html += fmt::format(
        "</table>\n<h2>Runs</h2>\n<p>{} grid points of level {} ({} of {} jobs done, {} failed), "
        "{}.</p>\n",
        report.info.gridPoints, report.description.level, report.info.jobsDone,
        report.info.jobsDone + report.info.jobsWaiting + report.info.jobsRunning
            + report.info.jobsFailed,
        report.info.jobsFailed, countText(report.info.holdOuts, "validation point"));
    if (!report.description.simulation.empty()) {
        html += "<details><summary>The plan</summary><pre>";
        for (std::string_view rest = report.description.simulation; !rest.empty();) {
            const auto end = rest.find('\n');
            html += htmlText(rest.substr(0, end)) + "\n"; // which takes one line
            rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        }
        html += "</pre></details>\n";
    }
    return html;
}

std::string errorsHtml(const StudyReport &report)
{
    std::string html = "<h2>Accuracy</h2>\n";
    for (const auto &accuracy : report.accuracies)
        html += fmt::format("<p>{}</p>\n", htmlText(accuracy));
    if (!report.errors.empty()) {
        html +=
            "<table>"
            + row({"measured by", "field", "points", "relative L2", "largest", "maximum"}, "th");
        for (const auto &error : report.errors) {
            const auto &field = report.fields.at(error.field);
            html += row({std::string(shownName(error.kind)), field.name,
                         fmt::format("{}", error.places),
                         fmt::format("{:.3g} %", 100 * error.meanRelativeL2),
                         fmt::format("{:.3g} %", 100 * error.largestRelativeL2),
                         withUnit(error.maximum, field.unit)});
        }
        html += "</table>\n";
    }
    for (const auto &note : report.notes)
        html += fmt::format("<p>{}</p>\n", htmlText(note));
    return html;
}

std::string influenceHtml(const StudyReport &report, const ReportedResponse &answer)
{
    if (answer.influence.isConstant)
        return "<p>The same whatever the parameters: there is nothing to share out.</p>\n";
    const auto space = answerSpace(report.description.space);
    std::vector<PlotBar> bars;
    const auto add = [&](double share, const char *what, int colour, const std::string &group) {
        bars.push_back(
            {what, std::max(0.0, share), fmt::format("{:.1f} %", 100 * share), colour, group});
    };
    for (std::size_t t = 0; t < space.parameters().size(); ++t) {
        add(answer.influence.first[t], "first-order", 0, space[t].name);
        add(answer.influence.total[t], "total", 1, {});
    }
    return barPlot(
        bars, 0,
        fmt::format("Which parameters its variance comes from ({})",
                    answer.influence.isExact
                        ? std::string("exact for the surrogate")
                        : fmt::format("by {} evaluations", answer.influence.evaluations)));
}

std::string responseHtml(const StudyReport &report, const ReportedResponse &answer)
{
    const auto &definition = answer.response.definition;
    const auto space = answerSpace(report.description.space);
    const auto &unit = definition.unit;
    auto html =
        fmt::format("<h2>{}</h2>\n<p class=\"quiet\">{}</p>\n<div class=\"scores\"><div "
                    "class=\"score\"><b>{}</b> at the parameters of this report</div></div>\n",
                    htmlText(definition.name), htmlText(definitionInWords(definition)),
                    htmlText(withUnit(answer.value, unit, answer.response.digits)));
    if (const auto &band = answer.response.band)
        html += fmt::format("<p>{} error bound {} (calibrated at {}).</p>\n", coverageText(*band),
                            htmlText(withUnit(band->offset, unit, StudyResponse::errorDigits)),
                            countText(band->holdOuts, "validation point"));
    else if (const auto &leftOut = answer.response.leftOut)
        html += fmt::format("<p>Leave-one-out error {} (90th percentile of {}, each predicted "
                            "without itself).</p>\n",
                            htmlText(withUnit(leftOut->error, unit, StudyResponse::errorDigits)),
                            countText(leftOut->residuals.size(), "run"));
    else
        html += fmt::format("<p>How far that may be off was not measured{}.</p>\n",
                            answer.response.whyUnmeasured.empty()
                                ? ""
                                : ": " + htmlText(answer.response.whyUnmeasured));
    html += "<div class=\"plots\">\n";
    for (std::size_t t = 0; t < answer.curves.size(); ++t)
        html += curvePlot(
            {report.curveAt[t], answer.curves[t], report.place[t], answer.value,
             space[t].scale == ParameterScale::logarithmic},
            space[t].unit.empty() ? space[t].name : space[t].name + ", " + space[t].unit, unit);
    const auto &spread = answer.spread;
    return html + "</div>\n" + influenceHtml(report, answer)
           + fmt::format("<p>With all parameters uniform in their ranges: mean {}, standard "
                         "deviation {}; 5th percentile {}, median {}, 95th percentile {}.</p>\n",
                         htmlText(withUnit(spread.mean, unit, answer.response.digits)),
                         htmlText(withUnit(spread.deviation, unit)),
                         htmlText(withUnit(spread.percentiles[0], unit, answer.response.digits)),
                         htmlText(withUnit(spread.percentiles[1], unit, answer.response.digits)),
                         htmlText(withUnit(spread.percentiles[2], unit, answer.response.digits)));
}

std::string picturesHtml(const StudyReport &report)
{
    std::string html;
    for (const auto &picture : report.pictures)
        html += fmt::format("<figure><img alt=\"{0}\" src=\"data:image/png;base64,{1}\">"
                            "<figcaption>{0}</figcaption></figure>\n",
                            htmlText(picture.caption), base64(picture.png));
    return html;
}

/// What was found, and what the responses are there, beside the place of the report.
std::string statesHtml(const StudyReport &report)
{
    if (report.states.empty() && report.findings.empty())
        return {};
    const auto space = answerSpace(report.description.space);
    std::vector<std::string> names{"design"}, here{"at the parameters of this report"},
        errors{"error bound"};
    for (std::size_t t = 0; t < report.place.size(); ++t) {
        names.push_back(space[t].name);
        here.push_back(withUnit(report.place[t], space[t].unit));
        errors.emplace_back();
    }
    bool isMeasured = false;
    for (const auto &answer : report.responses) {
        const auto &response = answer.response;
        names.push_back(response.definition.name);
        here.push_back(withUnit(answer.value, response.definition.unit, response.digits));
        isMeasured = isMeasured || response.band.has_value();
        errors.push_back(response.band ? withUnit(response.band->offset, response.definition.unit,
                                                  StudyResponse::errorDigits)
                                       : "not measured");
    }
    auto html = "<h2>What was found</h2>\n<table>" + row(names, "th") + row(here);
    for (const auto &[state, values] : report.states) {
        std::vector<std::string> cells{state.name};
        for (std::size_t t = 0; t < state.parameters.size(); ++t)
            cells.push_back(withUnit(state.parameters[t], space[t].unit));
        for (std::size_t k = 0; k < values.size(); ++k) {
            const auto &response = report.responses[k].response;
            cells.push_back(withUnit(values[k], response.definition.unit, response.digits));
        }
        html += row(cells);
    }
    html += (isMeasured ? row(errors) : std::string()) + "</table>\n";
    for (const auto &finding : report.findings)
        html += fmt::format("<p>{}</p>\n", htmlText(finding));
    return html;
}

} // namespace

std::string reportPage(const StudyReport &report)
{
    const auto &title =
        report.description.title.empty() ? report.fileName : report.description.title;
    auto html = htmlPageHead(title, reportGenerator, report.scriptSource)
                + fmt::format("<h1>{}</h1>\n<p class=\"quiet\">{}, by gridhelm-cli report; "
                              "curves and values at {}</p>\n",
                              htmlText(title), htmlText(report.fileName),
                              htmlText(answerSpace(report.description.space).toText(report.place)));
    if (!report.interactive.empty())
        html += framedPage(report.interactive, "The study, with sliders", 820);
    html += picturesHtml(report) + statesHtml(report);
    for (const auto &answer : report.responses)
        html += responseHtml(report, answer);
    for (const auto &problem : report.refused)
        html += fmt::format("<p>{}</p>\n", htmlText("Left out: " + problem));
    if (report.responses.empty() && report.refused.empty())
        html += "<p>The study has no responses yet: gridhelm-cli responses, or the panel Analysis, "
                "adds them.</p>\n";
    html += errorsHtml(report) + planHtml(report);
    html += htmlPageEnd;
    return html;
}

} // namespace gridhelm::data
