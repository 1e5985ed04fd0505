// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/study_report.h"

#include "core/support/error.h"
#include "core/support/html_page.h"
#include "core/support/output_file.h"
#include "data/answers/default_responses.h"
#include "data/answers/stoppable_model.h"
#include "data/evaluate/accuracy.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

namespace gridhelm::data {
namespace {

constexpr std::size_t curvePoints = 41, bars = 20;

ReportedResponse reported(const StudyResponse &response, const StudyReport &report, bool isQuick,
                          const ExecutionContext &context, const std::stop_token &stop)
{
    const auto space = answerSpace(report.description.space);
    const auto model = stoppable(*response.model, stop);
    const bool isSlow = !model.functions().empty();
    ReportedResponse answer;
    answer.response = response;
    const auto x = space.toUnit(report.place);
    answer.value = model.value(x);
    for (std::size_t t = 0; t < x.size(); ++t) {
        auto along = x;
        auto &curve = answer.curves.emplace_back();
        for (std::size_t i = 0; i < curvePoints; ++i) {
            along[t] = static_cast<double>(i) / (curvePoints - 1);
            curve.push_back(model.value(along));
        }
    }
    const auto inputs = answers::uniformInputs(space);
    answer.influence =
        answers::sobolIndices(model, inputs, answers::usualSobolSamples(isSlow), 1, context.cpu())
            .front();
    requireGoingOn(stop);
    if (isQuick)
        return answer;
    const auto places = answers::samplePlaces(inputs, answers::usualSamples(isSlow), 1);
    auto values = answers::responsesAt(model, places, context.cpu());
    const std::vector shares{0.05, 0.5, 0.95};
    answer.spread = answers::spreadOf(std::move(values.front()), shares, std::nullopt, bars);
    return answer;
}

void addErrors(const Study &study, const std::string &remedy, StudyReport &report)
{
    report.errors = summarize(study.errorFigures());
    for (FieldIndex field = 0; field < report.fields.size(); ++field)
        if (const auto accuracy = accuracyOf(study, field))
            report.accuracies.push_back(accuracyText(*accuracy, report.fields[field]));
    if (report.errors.empty())
        report.notes.push_back("How far the fields may be off was not measured"
                               + (remedy.empty() ? "" : "; to know: " + remedy));
}

} // namespace

StudyReport studyReport(const Study &study, const ReportQuestion &question,
                        const std::function<SamplesOfMesh()> &samples,
                        const ExecutionContext &context, const std::stop_token &stop)
{
    const auto &place = question.place;
    StudyReport report{std::filesystem::path(study.path()).filename().string(),
                       study.description(),
                       study.fields(),
                       info(study),
                       {},
                       {},
                       place,
                       {},
                       {},
                       {}};
    const auto space = answerSpace(study);
    space.requireInside(place);
    for (const auto &state : question.states) {
        space.requireInside(state.parameters);
        report.states.push_back({state, {}});
    }
    addErrors(study, question.remedy, report);
    for (std::size_t t = 0; t < place.size(); ++t) {
        auto &at = report.curveAt.emplace_back();
        std::vector<double> along(place.size(), 0.5);
        for (std::size_t i = 0; i < curvePoints; ++i) {
            along[t] = static_cast<double>(i) / (curvePoints - 1);
            at.push_back(space.fromUnit(along)[t]);
        }
    }
    const auto definitions = responsesOf(study);
    if (definitions.empty())
        return report;
    for (const auto &response :
         answerableResponses(study, definitions, samples(), context, {.stop = stop})) {
        requireGoingOn(stop);
        if (response.problem.empty() && question.isQuick && !response.model->functions().empty()) {
            report.refused.push_back(response.definition.name + " is reduced from whole fields");
        } else if (response.problem.empty()) {
            report.responses.push_back(reported(response, report, question.isQuick, context, stop));
            const auto model = stoppable(*response.model, stop);
            for (auto &state : report.states)
                state.values.push_back(model.value(space.toUnit(state.state.parameters)));
        } else {
            report.refused.push_back(response.problem);
        }
    }
    return report;
}

void requireReportFile(const std::string &path)
{
    std::error_code failed;
    if (std::filesystem::exists(path, failed) && !isPageOf(path, reportGenerator))
        throw Error(
            fmt::format("{} is there, and is no report: give the report another name", path));
    requireWritable(path);
}

} // namespace gridhelm::data
