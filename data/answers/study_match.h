// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measurements beside a study's responses: what core/answers/matching.h needs of them, and what is
// to be said of the outcome.
#pragma once

#include "core/answers/posterior.h"
#include "core/execution/execution_context.h"
#include "core/parameters/parameter_space.h"
#include "data/answers/measurements.h"
#include "data/answers/response_samples.h"
#include "data/study/study.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::data {

struct StudyMatch
{
    std::vector<Measurement> measurements; ///< in the order of the matching's residuals
    std::shared_ptr<const answers::Matching> matching;
    bool isModelErrorKnown = true; ///< of all of their responses
};

/// What is held was known whenever anything was measured. `fixed`: of each parameter, in its unit.
/// Throws gridhelm::Error for one that has a column of its own; `how` is what held it: "--fix".
void holdFixed(std::vector<Measurement> &measurements, const ParameterSpace &space,
               const std::vector<std::optional<double>> &fixed, const std::string &how);

/// Reads what the responses of the measurements need, once for those of the same quantity at the
/// same place; errors as studyResponses() and Matching, and gridhelm::Error if memory does not
/// suffice, and soon after a stop was requested.
StudyMatch matchOf(const Study &study, std::vector<Measurement> measurements,
                   const SamplesOfMesh &samples, const ExecutionContext &context,
                   const std::stop_token &stop = {});

/// What the data cannot tell, as sentences; by the posterior if there is one. `remedy`: what to do
/// to know how far the surrogate may be off.
std::vector<std::string> matchDoubts(const StudyMatch &match, const ParameterSpace &space,
                                     const answers::BestFit &fit,
                                     const answers::Posterior *posterior,
                                     const std::string &remedy);

/// Samples of the k-th unknown in its parameter's unit.
std::vector<double> posteriorSamples(const ParameterSpace &space,
                                     const answers::Posterior &posterior, std::size_t k);

} // namespace gridhelm::data
