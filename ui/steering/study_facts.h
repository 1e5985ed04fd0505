// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/study_outlook.h"
#include "data/evaluate/accuracy.h"
#include "data/evaluate/error_bands.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"
#include "data/evaluate/study_fields.h"
#include "ui/scene/annotation/axis_names.h"

#include <QString>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// What the window knows of an open study: plain values, the file is not needed for them.
struct StudyFacts
{
    std::filesystem::path path;
    std::string title;
    std::string notice = {}; ///< see data::Study::notice()
    data::StudyKind kind = data::StudyKind::vector;
    data::StudyOutlook outlook = {};
    ParameterSpace parameters;              ///< without coordinates in space
    std::vector<std::vector<double>> marks; ///< values of each parameter that the grid samples
    std::shared_ptr<const data::Mesh> mesh;
    AxisNames axes = {}; ///< of the mesh
    std::vector<data::Field> fields;
    std::vector<std::uint64_t> missingPoints; ///< of each field
    int groups = 1;                           ///< levels of the grid
    std::uint64_t gridPoints = 0;
    std::vector<data::ErrorFigure> errors; ///< as measured; their parameters: those above
    data::HoldOutCoverage holdOuts = {};   ///< what these speak of
    std::vector<std::optional<data::ModeSet>> modes = {}; ///< of each field
    /// Of each field, if it was measured on the present grid; none of fields that are defined
    /// outside of the body, too.
    std::vector<std::optional<data::FieldBand>> bands = {};
    std::vector<std::optional<data::Accuracy>> accuracies = {}; ///< of each field
    /// Of each field: by what it is evaluated, and why, "kriging of 12 modes from 49 runs, ...,
    /// chosen by hand"; see data::surrogateText().
    std::vector<std::string> surrogates = {};
    std::vector<std::string> doubts = {}; ///< of each field: see data::leaveOneOutDoubt()

    /// The field's band; null without one.
    const data::FieldBand *bandOf(data::FieldIndex field) const;
};

/// data::howToMeasure(), and where in the window.
QString remedyText(const data::StudyOutlook &study);

std::shared_ptr<const StudyFacts> factsOf(const data::StudyFields &fields);

} // namespace gridhelm::ui
