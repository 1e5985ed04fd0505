// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/study_types.h"

namespace gridhelm::data {

std::string_view toString(StudyKind kind)
{
    return kind == StudyKind::vector ? "vector" : "scalar";
}

std::string_view toString(StudyDesign design)
{
    return design == StudyDesign::grid ? "grid" : "scattered";
}

std::string_view toString(Association association)
{
    return association == Association::point ? "point" : "cell";
}

std::string_view toString(JobState state)
{
    switch (state) {
    case JobState::waiting:
        return "waiting";
    case JobState::running:
        return "running";
    case JobState::done:
        return "done";
    case JobState::failed:
        return "failed";
    }
    return "unknown";
}

std::string_view toString(PlannedRunState state)
{
    switch (state) {
    case PlannedRunState::waiting:
        return "waiting";
    case PlannedRunState::done:
        return "done";
    case PlannedRunState::failed:
        return "failed";
    }
    return "unknown";
}

std::string_view toString(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::heldOut:
        return "held-out";
    case ErrorKind::leaveOneOut:
        return "leave-one-out";
    case ErrorKind::indicator:
        return "indicator";
    }
    return "unknown";
}

} // namespace gridhelm::data
