// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/response_model.h"
#include "core/execution/device.h"
#include "data/answers/response_samples.h"
#include "data/answers/study_responses.h"
#include "data/study/study.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::data {

/// A place at which a study was computed.
struct RunPlace
{
    std::string name;               ///< "run 17", "training run 3", "validation point 2"
    std::vector<double> parameters; ///< of answerSpace(), in their units
    // Of a run, where the study keeps its fields: one of them.
    std::optional<std::uint64_t> point = {};  ///< of the grid
    std::optional<std::int64_t> holdOut = {}; ///< or a training run
};

/// Those that the study has results of: the grid's jobs, the training runs, the hold-outs, each in
/// the order in which they are numbered. A run over time has a place for each time that the grid
/// has of it. At most so many, the first ones.
std::vector<RunPlace> runPlaces(const Study &study, std::size_t most);

/// The training runs, and the validation points, with values of all parameters.
std::vector<RunPlace> trainingPlaces(const Study &study);
std::vector<RunPlace> validationPlaces(const Study &study);

/// values[k][i] of response k at run i, reduced from the fields that the run itself left. NaN where
/// the study does not keep them, as scalar studies and those without snapshots, for responses
/// without a model, and over all times of a run, of which the grid has only some. Throws
/// gridhelm::Error soon after a stop was requested.
std::vector<std::vector<double>> valuesOfRuns(const Study &study,
                                              const std::vector<StudyResponse> &responses,
                                              const SamplesOfMesh &samples,
                                              std::span<const RunPlace> runs,
                                              const std::stop_token &stop = {});

/// The same as the model has it; NaN at runs out of the ranges.
std::vector<std::vector<double>> valuesAtRuns(const answers::ResponseModel &model,
                                              const ParameterSpace &space,
                                              std::span<const RunPlace> runs, const CpuDevice &cpu);

} // namespace gridhelm::data
