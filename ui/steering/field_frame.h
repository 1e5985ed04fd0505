// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/evaluate/evaluation_work.h"
#include "data/study/geometry_fields.h"
#include "ui/steering/study_facts.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// What a field is for.
enum class Side : std::uint8_t {
    steered,   ///< B of a comparison: what the sliders say, in the main view
    pinned,    ///< A: what they said when it was pinned
    companion, ///< as steered, but of another field: for the views beside the main one
};

/// What the window wants to see.
struct FieldRequest
{
    using Clock = std::chrono::steady_clock;

    std::vector<double> parameters; ///< of StudyFacts::parameters
    data::FieldIndex field = 0;
    bool isDragging = false;  ///< more of the kind will follow: rather now than exact
    Clock::time_point asked;  ///< when the user did what asks for it
    std::uint64_t number = 0; ///< given by FieldService::request()
    Side side = Side::steered;
    /// While dragging, these alone do at first: entities that are seen, ascending; null: all.
    std::shared_ptr<const std::vector<std::uint32_t>> visible = nullptr;
    /// Not the surrogate, but what the run of this job gave at the parameters, which must be those
    /// of one of its points; 0: the surrogate.
    data::JobId job = 0;
};

/// A field that has been evaluated.
struct FieldFrame
{
    std::shared_ptr<const StudyFacts> study;
    FieldRequest request;
    std::vector<float> values;     ///< of study->fields[request.field], as they are stored
    std::vector<float> indicator;  ///< as long: magnitude of what the last complete level adds
    data::GeometryValues geometry; ///< where the body is, if that depends on the parameters
    bool isPart = false;           ///< those of request.visible alone
    int groups = 0;                ///< levels that were used
    bool isExact = true;           ///< all of the study's
    double seconds = 0;            ///< that the evaluation took
    data::EvaluationWork work;     ///< what it was, by count
    std::string backend;           ///< that evaluated it: "omp"
    int threads = 1;               ///< of the back end
    std::uint64_t evaluations = 0; ///< that the service has finished so far, with this one
    double indicatorShare = 0;     ///< norm of the indicator by that of the values, or
                                   ///< by FieldBand::spread
    /// Where the field's coefficients are in memory, perhaps not all of them yet; null: nowhere.
    std::shared_ptr<const data::FieldSurrogate> coefficients;
};

/// How far the frame's values may be off by its indicator; null if that was not measured, or if
/// they are not what was measured: a part of the levels, or a run's own.
inline const data::FieldBand *bandOf(const FieldFrame &frame)
{
    if (!frame.isExact || frame.request.job != 0)
        return nullptr;
    return frame.study->bandOf(frame.request.field);
}

} // namespace gridhelm::ui
