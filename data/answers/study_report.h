// SPDX-License-Identifier: GPL-3.0-or-later
//
// A study for people who have no Gridhelm: what was planned, what came out, how far it may be off,
// and what was asked of it; as plain values, and as one page in HTML.
#pragma once

#include "core/answers/sobol_indices.h"
#include "core/answers/uncertainty.h"
#include "core/execution/execution_context.h"
#include "data/answers/run_places.h"
#include "data/answers/study_responses.h"
#include "data/evaluate/hold_out.h"
#include "data/study/info.h"
#include "data/study/study.h"

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

struct ReportedResponse
{
    StudyResponse response;
    double value = 0; ///< at StudyReport::place
    /// Along each parameter, the others as they are there: values at StudyReport::curveAt.
    std::vector<std::vector<double>> curves;
    answers::SobolIndices influence; ///< all parameters uniform
    answers::Spread spread;          ///< the same; percentiles 5, 50 and 95
};

/// What somebody wants to be told in a report.
struct ReportQuestion
{
    std::vector<double> place; ///< where values and curves are: of answerSpace(), in their units
    /// What was found or decided, each with a name that colleagues understand.
    std::vector<RunPlace> states = {};
    /// What to do if no errors were measured: "compress the study with validation points".
    std::string remedy = {};
    /// What takes long is left out: spreads, and responses that are reduced from whole fields.
    bool isQuick = false;
};

struct ReportedState
{
    RunPlace state;
    std::vector<double> values; ///< of StudyReport::responses, in their order
};

/// Of a field of the study.
struct ReportedPicture
{
    std::string png;     ///< a whole file of that format
    std::string caption; ///< which field it is, where, and what its colours mean
};

struct StudyReport
{
    std::string fileName; ///< without its folder
    StudyDescription description;
    std::vector<Field> fields;
    StudyInfo info;
    std::vector<ErrorSummary> errors;         ///< empty: not measured
    std::vector<std::string> notes;           ///< sentences about errors
    std::vector<double> place;                ///< values of answerSpace()'s parameters
    std::vector<std::vector<double>> curveAt; ///< of each parameter, in its unit
    std::vector<ReportedResponse> responses;
    std::vector<std::string> refused; ///< of other responses why they cannot be had, sentences
    std::vector<ReportedState> states{};
    std::vector<std::string> findings{};     ///< what was found, in words
    std::vector<ReportedPicture> pictures{}; ///< whoever has any puts them here
    std::vector<std::string> accuracies{};   ///< accuracyText() of each field that has one
    /// A page of data/page that stands first, and what it runs (pageScriptSource()); empty: none.
    std::string interactive{}, scriptSource{};
};

/// Reads the study, and answers about all of its responses. `samples` is called if there are any.
/// Throws gridhelm::Error for places out of the ranges, as studyResponses() does, and soon after a
/// stop was requested.
StudyReport studyReport(const Study &study, const ReportQuestion &question,
                        const std::function<SamplesOfMesh()> &samples,
                        const ExecutionContext &context, const std::stop_token &stop = {});

/// What pages of reports say that they were made by (isPageOf()).
inline constexpr std::string_view reportGenerator = "gridhelm-cli report";

/// Loads nothing, and runs nothing but an interactive page. All texts, which may be a stranger's,
/// are escaped.
std::string reportPage(const StudyReport &report);

/// Throws gridhelm::Error if a page cannot be written there, or something else is there already,
/// which is not replaced. To be called before long work.
void requireReportFile(const std::string &path);

} // namespace gridhelm::data
