// SPDX-License-Identifier: GPL-3.0-or-later
//
// What eval says about fields: how large they are, and their values at places in space.
#pragma once

#include "core/parameters/parameter_space.h"
#include "data/evaluate/error_bands.h"
#include "data/study/study_types.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::cli {

/// Values as the study stores them (data::Field).
struct FieldReport
{
    float low = 0, high = 0;   ///< of all components
    float indicator = 0;       ///< largest
    std::uint64_t modes = 0;   ///< by which it was evaluated; 0: by coefficients
    std::uint64_t ofModes = 0; ///< that there are
    double energyShare = 1;    ///< that they hold of the field here
    bool isInFewBits = false;  ///< these, or coefficients
    double modesError = 0; ///< that they, or few bits, add at most, by the norm of all snapshots
    bool isKriged = false; ///< by kriging of these modes
    std::optional<data::BandHere> band;
    std::vector<float> values;     ///< at each place, components adjacent
    std::vector<float> indicators; ///< as long
};

struct PointReport
{
    std::vector<double> parameters;
    std::vector<FieldReport> fields;
};

/// What all reports of a command have in common.
struct ReportFrame
{
    const ParameterSpace &space;
    const std::vector<data::Field> &fields;
    const std::vector<double> &places; ///< x, y, z of each
    bool areNumbers = false;           ///< a study of numbers, whose place need not be named
};

/// "x [m]" as a cell of a CSV's first line.
std::string columnName(const std::string &name, const std::string &unit);

/// "velocity_x": of three components or fewer; "stress_3" of more; the field's name if it has one.
std::string componentName(const data::Field &field, int component);

/// One line a field.
std::string rangesText(const ReportFrame &frame, const PointReport &point);

nlohmann::json pointJson(const ReportFrame &frame, const PointReport &point);

/// A table of values at places: a row for each, units in the header. The parameters are columns if
/// `withParameters`, the indicators are if `withIndicators`.
struct PlacesTable
{
    ReportFrame frame;
    bool withParameters = false, withIndicators = false;

    std::string header() const;
    /// One row for each place of a point.
    std::string rows(const PointReport &point) const;
};

} // namespace gridhelm::cli
