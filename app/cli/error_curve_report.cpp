// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/error_curve_report.h"

#include "app/cli/study_console.h"
#include "core/support/clean_text.h"
#include "core/surrogate/error_curve.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <vector>

namespace gridhelm::cli {

namespace {

/// What was found with fewer runs, of one kind.
std::vector<ErrorAtRuns> curveOf(const std::vector<data::ErrorThen> &history,
                                 data::FieldIndex field, data::HistoryKind kind)
{
    std::vector<ErrorAtRuns> curve;
    for (const auto &error : history)
        if (error.field == field && error.kind == kind)
            curve.push_back({static_cast<double>(error.runs), error.error});
    return curve;
}

std::optional<double> runsFor(const data::Study &study, data::FieldIndex field, double error)
{
    const auto history = study.errorHistory();
    for (const auto kind :
         {data::HistoryKind::heldOut, data::HistoryKind::leaveOneOut, data::HistoryKind::estimate})
        if (const auto runs = runsForError(curveOf(history, field, kind), error))
            return runs;
    return std::nullopt;
}

} // namespace

std::string historyText(const data::Study &study)
{
    constexpr std::size_t mostRows = 12;
    const auto history = study.errorHistory();
    std::string text;
    for (data::FieldIndex field = 0; field < study.fields().size(); ++field) {
        std::map<std::uint64_t, std::map<data::HistoryKind, double>> rows;
        for (const auto &error : history)
            if (error.field == field)
                rows[error.runs][error.kind] = error.error;
        if (rows.size() < 2)
            continue;
        text += fmt::format("error history {:<14}{:>7}{:>12}{:>12}{:>16}\n",
                            cleanLine(study.fields()[field].name), "runs", "estimate", "validation",
                            "leave-one-out");
        auto row = rows.begin();
        if (rows.size() > mostRows)
            std::advance(row, rows.size() - mostRows);
        for (; row != rows.end(); ++row) {
            const auto cell = [&](data::HistoryKind kind) {
                const auto found = row->second.find(kind);
                return found == row->second.end() ? std::string("-")
                                                  : fmt::format("{:.3g}%", 100 * found->second);
            };
            text += fmt::format("{:>35}{:>12}{:>12}{:>16}\n", row->first,
                                cell(data::HistoryKind::estimate), cell(data::HistoryKind::heldOut),
                                cell(data::HistoryKind::leaveOneOut));
        }
    }
    return text;
}

std::string refinementText(const data::Study &study)
{
    const auto refinements = study.refinements();
    if (refinements.empty())
        return {};
    std::uint64_t runs = 0, explored = 0;
    for (const auto &refinement : refinements) {
        runs += refinement.runs;
        explored += refinement.isExploration ? refinement.runs : 0;
    }
    return fmt::format("refined       {} of {}, {} of them to explore\n",
                       countText(refinements.size(), "block"), countText(runs, "run"), explored);
}

nlohmann::json historyJson(const data::Study &study)
{
    auto list = nlohmann::json::array();
    for (const auto &error : study.errorHistory())
        list.push_back({{"field", study.fields()[error.field].name},
                        {"kind", data::toString(error.kind)},
                        {"runs", error.runs},
                        {"relative_l2", error.error}});
    return list;
}

nlohmann::json refinementsJson(const data::Study &study)
{
    auto list = nlohmann::json::array();
    for (const auto &refinement : study.refinements())
        list.push_back(
            {{"levels", std::vector<int>(refinement.levels.begin(), refinement.levels.end())},
             {"runs", refinement.runs},
             {"predicted_gain", refinement.predictedGain},
             {"explored", refinement.isExploration}});
    return list;
}

std::string runsForErrorText(const data::Study &study, double error)
{
    std::string text;
    for (data::FieldIndex field = 0; field < study.fields().size(); ++field) {
        const auto name = cleanLine(study.fields()[field].name);
        const auto runs = runsFor(study, field, error);
        text += runs ? fmt::format("{}: {:.3g} % takes about {:.0f} runs, if the error goes on "
                                   "falling as it has\n",
                                   name, 100 * error, std::ceil(*runs))
                     : fmt::format("{}: not known how many runs {:.3g} % takes, for the error has "
                                   "not been seen to fall: measure it with fewer and with more "
                                   "runs\n",
                                   name, 100 * error);
    }
    return text.empty() ? "the study has no fields yet\n" : text;
}

nlohmann::json runsForErrorJson(const data::Study &study, double error)
{
    auto list = nlohmann::json::array();
    for (data::FieldIndex field = 0; field < study.fields().size(); ++field) {
        list.push_back(
            {{"field", study.fields()[field].name}, {"error", error}, {"runs", nullptr}});
        if (const auto runs = runsFor(study, field, error))
            list.back()["runs"] = *runs;
    }
    return list;
}

} // namespace gridhelm::cli
