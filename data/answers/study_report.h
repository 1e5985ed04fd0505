// SPDX-License-Identifier: GPL-3.0-or-later
//
// A study for people who have no Gridhelm: what was planned, what came out, how far it may be off,
// and what was asked of it; as plain values, and as one page in HTML.
#pragma once

#include "core/answers/sobol_indices.h"
#include "core/answers/uncertainty.h"
#include "core/execution/execution_context.h"
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
};

/// Reads the study, and answers about all of its responses. `samples` is called if there are any.
/// Throws gridhelm::Error for a place out of the ranges, as studyResponses() does, and soon after a
/// stop was requested.
StudyReport studyReport(const Study &study, const std::vector<double> &place,
                        const std::function<SamplesOfMesh()> &samples,
                        const ExecutionContext &context, const std::stop_token &stop = {});

/// What pages of reports say that they were made by (isPageOf()).
inline constexpr std::string_view reportGenerator = "gridhelm-cli report";

/// Loads nothing and runs nothing. All texts, which may be a stranger's, are escaped.
std::string reportPage(const StudyReport &report);

/// Throws gridhelm::Error if a page cannot be written there, or something else is there already,
/// which is not replaced. To be called before long work.
void requireReportFile(const std::string &path);

} // namespace gridhelm::data
