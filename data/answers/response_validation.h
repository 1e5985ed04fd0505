// SPDX-License-Identifier: GPL-3.0-or-later
//
// Responses at runs that their surrogate does not know: predicted over actual values, as parity
// plots show them.
#pragma once

#include "core/execution/execution_context.h"
#include "data/answers/response_samples.h"
#include "data/answers/study_responses.h"
#include "data/study/study.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::data {

/// All numbers in the response's unit.
struct PredictedRun
{
    std::string name;               ///< "validation point 3", "run 7", "training run 2"
    std::vector<double> parameters; ///< of answerSpace(), in their units
    double actual = 0;              ///< of the run's own fields
    double predicted = 0;           ///< without that run
};

struct ResponseValidation
{
    std::vector<PredictedRun> runs;
    bool isLeftOut = false; ///< each run predicted from all others; else at validation points
    std::string whyNone;    ///< why there are no runs, a sentence; empty: there are

    double rootMeanSquare() const; ///< of predicted - actual; 0 without runs
    /// 1 - sum of squared errors / sum of squared differences from the mean: the coefficient of
    /// determination (R^2). Nothing for fewer than two runs, and where all runs have one value.
    std::optional<double> r2() const;
};

/// Of each response: at validation points where the study has some, corners and faces among them;
/// else, where its fields are kriged, at the surrogate's own runs, each left out with the other
/// times of its simulation and the lengths of the correlation kept. A run whose snapshot was
/// dropped has the value that the surrogate has there. Throws gridhelm::Error soon after a stop was
/// requested.
std::vector<ResponseValidation> validationsOf(const Study &study,
                                              const std::vector<StudyResponse> &responses,
                                              const SamplesOfMesh &samples,
                                              const ExecutionContext &context,
                                              const std::stop_token &stop = {});

} // namespace gridhelm::data
