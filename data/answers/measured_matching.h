// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measurements and the responses of a study that they are compared with, as what is matched.
#pragma once

#include "core/answers/matching.h"
#include "core/answers/posterior.h"
#include "core/execution/execution_context.h"
#include "data/answers/measurements.h"
#include "data/answers/response_samples.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::data {

struct MeasuredMatching
{
    std::vector<Measurement> measurements; ///< in the order of the matching's residuals
    std::shared_ptr<const answers::Matching> matching;
    bool isModelErrorKnown = true; ///< of all responses
};

/// Those with the same known parameters are one group, since they share weights. `fixed`: of each
/// parameter the value that it had whenever anything was measured, if that is known. Throws
/// gridhelm::Error for a parameter that is fixed and known of a measurement, and as
/// studyResponses() and answers::Matching do.
MeasuredMatching matchingOf(const Study &study, std::vector<Measurement> measurements,
                            std::span<const std::optional<double>> fixed,
                            const SamplesOfMesh &samples, const ExecutionContext &context);

/// What the measurements cannot tell, as sentences; `posterior` may be null. `toMeasure` is how the
/// study's hold-outs are made: "gridhelm-cli compress FILE --holdout 20".
std::vector<std::string> matchingDoubts(const MeasuredMatching &matched,
                                        const ParameterSpace &space, const answers::BestFit &fit,
                                        const answers::Posterior *posterior,
                                        const std::string &toMeasure);

} // namespace gridhelm::data
