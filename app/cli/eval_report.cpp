// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/eval_report.h"

#include "core/support/clean_text.h"
#include "core/support/csv_line.h"
#include "data/campaign/campaign_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

namespace gridhelm::cli {
namespace {

/// The double with the fewest digits that is this float, so that JSON says 0.3 as CSV does.
double readable(float value)
{
    return std::strtod(fmt::format("{}", value).c_str(), nullptr);
}

/// The value that a stored number stands for, with the digits that this has.
double readable(const data::Field &field, float stored)
{
    if (field.isPlain())
        return readable(stored);
    return std::strtod(
        fmt::format("{:.15g}", field.offset + field.scale * readable(stored)).c_str(), nullptr);
}

/// A number, or an array of the components.
nlohmann::json componentsJson(const data::Field &field, const std::vector<float> &values,
                              std::size_t place)
{
    const auto first = place * static_cast<std::size_t>(field.components);
    if (field.components == 1)
        return readable(field, values[first]);
    auto list = nlohmann::json::array();
    for (int c = 0; c < field.components; ++c)
        list.push_back(readable(field, values[first + static_cast<std::size_t>(c)]));
    return list;
}

void appendComponents(std::vector<std::string> &row, const data::Field &field,
                      const std::vector<float> &values, std::size_t place)
{
    const auto first = place * static_cast<std::size_t>(field.components);
    for (int c = 0; c < field.components; ++c) {
        const float stored = values[first + static_cast<std::size_t>(c)];
        row.push_back(field.isPlain() ? fmt::format("{}", stored)
                                      : fmt::format("{}", readable(field, stored)));
    }
}

} // namespace

std::string columnName(const std::string &name, const std::string &unit)
{
    return csvCell(unit.empty() ? name : fmt::format("{} [{}]", name, unit));
}

std::string componentName(const data::Field &field, int component)
{
    if (field.components == 1)
        return field.name;
    if (field.components <= 3)
        return fmt::format("{}_{}", field.name, "xyz"[component]);
    return fmt::format("{}_{}", field.name, component);
}

namespace {

/// null: not measured, or not for this place.
nlohmann::json bandJson(const std::optional<data::BandHere> &here)
{
    if (!here)
        return nullptr;
    return {{"relative_l2", here->relative},
            {"coverage", here->band.coverage},
            {"hold_outs", here->band.holdOuts},
            {"is_cross_validated", here->band.isCrossValidated()}};
}

/// Anywhere; what was measured at snapshots and validation points is several times less.
std::string worstCase(double error)
{
    return fmt::format("which add at most {:.2g} %, if the errors of all of them meet",
                       100 * error);
}

std::string modesText(const FieldReport &report)
{
    if (report.modes == 0)
        return report.isInFewBits ? "; by quantised coefficients, " + worstCase(report.modesError)
                                  : std::string();
    const auto count =
        report.modes < report.ofModes
            ? fmt::format("{} of {}, which hold {:.4g} % of the energy", report.modes,
                          data::countText(report.ofModes, "POD mode"), 100 * report.energyShare)
            : data::countText(report.modes, "POD mode");
    if (report.isKriged)
        return fmt::format(", a standard deviation; by kriging of {}, which lack at most {:.2g} % "
                           "of a run",
                           count, 100 * report.modesError);
    return fmt::format("; by {}, {}", count, worstCase(report.modesError));
}

} // namespace

std::string rangesText(const ReportFrame &frame, const PointReport &point)
{
    std::string text;
    for (std::size_t f = 0; f < frame.fields.size(); ++f) {
        const auto &field = frame.fields[f];
        const auto &report = point.fields[f];
        const int digits = field.offset == 0 ? 6 : 12;
        text += fmt::format("{}: {:.{}g} .. {:.{}g}{}{} (indicator at most {:.3g}{})\n",
                            cleanLine(field.name), readable(field, report.low), digits,
                            readable(field, report.high), digits, field.unit.empty() ? "" : " ",
                            cleanLine(field.unit), readable(indicatorOf(field), report.indicator),
                            modesText(report));
        if (report.band)
            text +=
                fmt::format("    {}\n", data::bandText(report.band->band, report.band->relative));
    }
    return text;
}

nlohmann::json pointJson(const ReportFrame &frame, const PointReport &point)
{
    nlohmann::json document{{"parameters", nlohmann::json::object()},
                            {"fields", nlohmann::json::array()}};
    for (std::size_t t = 0; t < point.parameters.size(); ++t)
        document["parameters"][frame.space[t].name] = point.parameters[t];
    for (std::size_t f = 0; f < frame.fields.size(); ++f) {
        const auto &field = frame.fields[f];
        const auto &report = point.fields[f];
        document["fields"].push_back(
            {{"name", field.name},
             {"unit", field.unit},
             {"components", field.components},
             {"association", data::toString(field.association)},
             {"low", readable(field, report.low)},
             {"high", readable(field, report.high)},
             {"indicator", readable(indicatorOf(field), report.indicator)},
             {"surrogate", report.isKriged ? "kriging" : "sparse-grid"},
             {"indicator_is", report.isKriged ? "standard deviation" : "last level"}});
        document["fields"].back()["band"] = bandJson(report.band);
        if (report.modes == 0 && report.isInFewBits)
            document["fields"].back()["few_bits"] = {{"error_bound", report.modesError}};
        if (report.modes > 0)
            document["fields"].back()["modes"] = {{"count", report.modes},
                                                  {"of", report.ofModes},
                                                  {"energy_share", report.energyShare},
                                                  {"error_bound", report.modesError}};
    }
    for (std::size_t i = 0; 3 * i < frame.places.size(); ++i) {
        auto values = nlohmann::json::object(), indicators = nlohmann::json::object();
        for (std::size_t f = 0; f < frame.fields.size(); ++f) {
            const auto &field = frame.fields[f];
            values[field.name] = componentsJson(field, point.fields[f].values, i);
            indicators[field.name] =
                componentsJson(indicatorOf(field), point.fields[f].indicators, i);
        }
        document["probes"].push_back(
            {{"place", {frame.places[3 * i], frame.places[3 * i + 1], frame.places[3 * i + 2]}},
             {"values", values},
             {"indicators", indicators}});
    }
    return document;
}

std::string PlacesTable::header() const
{
    std::vector<std::string> cells;
    if (withParameters)
        for (const auto &parameter : frame.space.parameters())
            cells.push_back(columnName(parameter.name, parameter.unit));
    if (!frame.areNumbers)
        cells.insert(cells.end(), {"x", "y", "z"});
    for (const auto &field : frame.fields) {
        for (int c = 0; c < field.components; ++c)
            cells.push_back(columnName(componentName(field, c), field.unit));
        for (int c = 0; withIndicators && c < field.components; ++c)
            cells.push_back(columnName(componentName(field, c) + "_indicator", field.unit));
    }
    return fmt::format("{}\n", fmt::join(cells, ","));
}

std::string PlacesTable::rows(const PointReport &point) const
{
    std::string text;
    std::vector<std::string> cells;
    for (std::size_t i = 0; 3 * i < frame.places.size(); ++i) {
        cells.clear();
        if (withParameters)
            for (const double value : point.parameters)
                cells.push_back(fmt::format("{}", value));
        for (std::size_t axis = 0; !frame.areNumbers && axis < 3; ++axis)
            cells.push_back(fmt::format("{}", frame.places[3 * i + axis]));
        for (std::size_t f = 0; f < frame.fields.size(); ++f) {
            const auto &field = frame.fields[f];
            appendComponents(cells, field, point.fields[f].values, i);
            if (withIndicators)
                appendComponents(cells, indicatorOf(field), point.fields[f].indicators, i);
        }
        text += fmt::format("{}\n", fmt::join(cells, ","));
    }
    return text;
}

} // namespace gridhelm::cli
