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

Field indicatorOf(Field field)
{
    field.name += "_indicator";
    field.offset = 0;
    return field;
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
    case ErrorKind::sparseGridCompared:
        return "compared sparse grid";
    case ErrorKind::krigingCompared:
        return "compared kriging";
    case ErrorKind::degree1Compared:
        return "compared degree 1";
    case ErrorKind::degree2Compared:
        return "compared degree 2";
    case ErrorKind::degree3Compared:
        return "compared degree 3";
    case ErrorKind::olderHalfCompared:
        return "compared older half";
    case ErrorKind::sparseGridHeldOut:
        return "compared sparse grid at hold-outs";
    case ErrorKind::krigingHeldOut:
        return "compared kriging at hold-outs";
    }
    return "unknown";
}

std::string_view shownName(ErrorKind kind)
{
    return kind == ErrorKind::heldOut ? "validation" : toString(kind);
}

std::string_view toString(HistoryKind kind)
{
    switch (kind) {
    case HistoryKind::estimate:
        return "estimate";
    case HistoryKind::heldOut:
        return "held-out";
    case HistoryKind::leaveOneOut:
        return "leave-one-out";
    }
    return "unknown";
}

bool isComparison(ErrorKind kind)
{
    return kind >= ErrorKind::sparseGridCompared;
}

} // namespace gridhelm::data
