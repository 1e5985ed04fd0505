// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study_report.h"

#include "app/cli/error_curve_report.h"
#include "app/cli/next_step.h"
#include "app/cli/study_console.h"
#include "core/support/bytes_text.h"
#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "data/campaign/fill_step.h"
#include "data/evaluate/accuracy.h"
#include "data/evaluate/error_bands.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"
#include "data/evaluate/surrogate_choice.h"
#include "data/study/geometry_fields.h"
#include "data/study/info.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace gridhelm::cli {

namespace {

/// Whether the mesh says where the body is, for all parameters.
std::string bodyText(const data::Study &study)
{
    const auto body = data::geometryFieldsOf(study.fields());
    if (body.displacement)
        return "; they move with the parameters (mesh.displacement)";
    return body.distance ? "; the body covers a part of it (where mesh.signed_distance is not "
                           "negative)"
                         : "";
}

} // namespace

std::string errorsText(const data::Study &study)
{
    const auto summaries = data::summarize(study.errorFigures());
    std::string holdOutNotes;
    for (const auto &note : data::holdOutNotes(data::holdOutCoverage(study)))
        holdOutNotes += note + "\n";
    if (summaries.empty())
        return "errors        not measured yet; to know: " + howToMeasure(study) + "\n"
               + holdOutNotes;
    std::string text = fmt::format("{:<14}{:<14}{:>7}{:>13}{:>13}{:>13}\n", "errors", "field",
                                   "points", "relative L2", "largest", "maximum");
    std::string notes;
    if (std::ranges::any_of(study.fields(), [](const auto &field) { return field.entities == 1; }))
        notes =
            "errors of single numbers are relative to their spread (standard deviation) over the "
            "runs\n";
    for (const auto &summary : summaries) {
        const auto &field = study.fields()[summary.field];
        text += fmt::format("{:<14}{:<14}{:>7}{:>12.3g}%{:>12.3g}%{:>13.4g} {}\n",
                            data::shownName(summary.kind), cleanLine(field.name), summary.places,
                            100 * summary.meanRelativeL2, 100 * summary.largestRelativeL2,
                            summary.maximum, cleanLine(field.unit));
        if (summary.kind == data::ErrorKind::heldOut)
            notes += fmt::format("worst validation error of {}: at {}\n", cleanLine(field.name),
                                 study.description().space.toText(summary.worstParameters));
        for (const auto &note : data::errorNotes(summary, field.name, study.grid()->points(),
                                                 data::leaveOneOutDoubt(study, summary.field)))
            notes += cleanLine(note) + "\n";
    }
    for (data::FieldIndex field = 0; field < study.fields().size(); ++field) {
        if (const auto band = data::bandOf(study, field))
            notes += data::bandSentence(*band, cleanLine(study.fields()[field].name)) + "\n";
    }
    return text + notes + holdOutNotes;
}

namespace {

nlohmann::json errorsJson(const data::Study &study, const data::HoldOutCoverage &coverage)
{
    auto list = nlohmann::json::array();
    for (const auto &summary : data::summarize(study.errorFigures())) {
        list.push_back({{"kind", data::toString(summary.kind)},
                        {"field", study.fields()[summary.field].name},
                        {"places", summary.places},
                        {"relative_l2", summary.meanRelativeL2},
                        {"largest_relative_l2", summary.largestRelativeL2},
                        {"worst_at", summary.worstParameters},
                        {"maximum", summary.maximum},
                        {"grid_points", summary.gridPoints},
                        {"missing_points", summary.missingPoints}});
        if (summary.kind != data::ErrorKind::heldOut)
            continue;
        list.back()["places_missing"] = coverage.missing;
        list.back()["places_inside"] = coverage.inside;
    }
    return list;
}

} // namespace

namespace {

/// null: not measured on the present grid.
nlohmann::json bandJson(const data::Study &study, data::FieldIndex field)
{
    const auto band = data::bandOf(study, field);
    if (!band)
        return nullptr;
    return {{"typical_relative_l2", band->typical},
            {"coverage", band->band.coverage},
            {"hold_outs", band->band.holdOuts},
            {"is_cross_validated", band->band.isCrossValidated()},
            {"factor", band->band.factor},
            {"offset", band->band.offset},
            {"edges", band->edges},
            {"worst_edge_relative_l2", band->worstEdge}};
}

nlohmann::json bitsJson(const data::QuantisedModes &of)
{
    return {{"allowed", of.allowed},         {"at_snapshots", of.atSnapshots},
            {"at_hold_outs", of.atHoldOuts}, {"snapshots", of.snapshots},
            {"hold_outs", of.holdOuts},      {"frame_bytes", of.frameBytes}};
}

nlohmann::json quantisedRowsJson(const data::StudyInfo::OfField &of)
{
    auto document = bitsJson(of.quantisedRows->bits);
    document["row_bytes"] = of.quantisedRows->rowBytes;
    document["weights"] = of.quantisedRows->byVolumes ? "volumes" : "equal";
    document["stored_bytes"] = of.storedQuantisedRowBytes;
    return document;
}

nlohmann::json modesJson(const data::StudyInfo::OfField &of)
{
    const auto &set = *of.modes;
    nlohmann::json quantised;
    if (set.quantised)
        quantised = bitsJson(*set.quantised);
    return {{"count", set.modes()},
            {"quantised", quantised},
            {"snapshots", set.snapshots},
            {"weights", set.byVolumes ? "volumes" : "equal"},
            {"cut", set.cut},
            {"cut_energy", set.cutEnergy},
            {"mean_error", set.meanError},
            {"largest_error", set.largestError},
            {"largest_difference", set.largestDifference},
            {"singular_values", set.singularValues},
            {"stored_bytes", of.storedModeBytes}};
}

} // namespace

namespace {

/// Of the field, relative; less than 0: not measured.
double leaveOneOutOf(const std::vector<data::ErrorSummary> &errors, data::FieldIndex field)
{
    for (const auto &summary : errors)
        if (summary.field == field && summary.kind == data::ErrorKind::leaveOneOut)
            return summary.meanRelativeL2;
    return -1;
}

std::string surrogateLines(const data::Study &study, data::FieldIndex field)
{
    const auto choice = data::choiceText(study, field);
    auto text = fmt::format("surrogate     {}: {}{}\n", cleanLine(study.fields()[field].name),
                            data::surrogateText(study, field), choice.empty() ? "" : ", " + choice);
    if (const auto accuracy = data::accuracyOf(study, field))
        text += fmt::format("accuracy      {}{}\n",
                            data::accuracyText(*accuracy, study.fields()[field]),
                            accuracy->kind == data::ErrorKind::leaveOneOut
                                    && !data::leaveOneOutDoubt(study, field).empty()
                                ? ", which is too small, see the errors"
                                : "");
    return text;
}

/// null: not measured as the study is now.
nlohmann::json accuracyJson(const data::Study &study, data::FieldIndex field)
{
    const auto accuracy = data::accuracyOf(study, field);
    if (!accuracy)
        return nullptr;
    return {{"relative_l2", accuracy->relativeL2},
            {"maximum", accuracy->maximum},
            {"kind", data::toString(accuracy->kind)},
            {"places", accuracy->places},
            {"is_largest", accuracy->isLargest()}};
}

/// null: by hand.
nlohmann::json choiceJson(const data::Study &study, data::FieldIndex field)
{
    const auto choice = data::choiceOf(study, field);
    if (!choice)
        return nullptr;
    const auto number = [](std::optional<double> error) {
        return error && std::isfinite(*error) ? nlohmann::json(*error) : nlohmann::json();
    };
    auto degrees = nlohmann::json::array();
    for (const auto &error : choice->degrees)
        degrees.push_back(number(error));
    return {{"kind", choice->isKriging ? "kriging" : "sparse-grid"},
            {"up_to_date", data::isUpToDate(*choice, study, field)},
            {"snapshots", choice->places},
            {"sparse_grid", number(choice->sparseGrid)},
            {"kriging", number(choice->kriging)},
            {"degrees", degrees},
            {"missing_points", choice->missingPoints},
            {"sparse_grid_held_out", number(choice->sparseGridHeldOut)},
            {"kriging_held_out", number(choice->krigingHeldOut)},
            {"taken_back", choice->isTakenBack},
            {"reason", data::choiceText(study, field)}};
}

nlohmann::json surrogateJson(const data::Study &study, data::FieldIndex field)
{
    nlohmann::json document{{"kind", "sparse-grid"}};
    if (const auto kriging = study.kriging(field)) {
        const auto form = kriging->model.mainForm();
        document = {{"kind", "kriging"},
                    {"kernel", kriging::nameOf(form.smoothness)},
                    {"mean", form.linear.empty() ? "constant" : "linear"},
                    {"warped", form.isWarped},
                    {"one_form", kriging->model.hasOneForm()},
                    {"runs", kriging->model.runs},
                    {"modes", kriging->model.outputs()}};
    } else {
        document["degrees"] = study.description().space.degrees();
    }
    const double error = leaveOneOutOf(data::summarize(study.errorFigures()), field);
    if (error >= 0)
        document["leave_one_out"] = error;
    if (const auto doubt = data::leaveOneOutDoubt(study, field); error >= 0 && !doubt.empty())
        document["leave_one_out_doubt"] = doubt;
    document["choice"] = choiceJson(study, field);
    return document;
}

/// Off a grid; of a plan that cannot be read nothing is said here.
std::optional<data::FillState> fillOf(const data::Study &study)
{
    if (study.description().design != data::StudyDesign::scattered
        || study.description().simulation.empty())
        return std::nullopt;
    try {
        return data::fillStateOf(study);
    } catch (const Error &) {
        return std::nullopt;
    }
}

std::string runsText(const data::Study &study)
{
    if (const auto state = fillOf(study))
        return fmt::format("runs          {} of a space-filling design; {} failed, {} lacking (the "
                           "plan wants {})\n",
                           state->made, state->failed, state->lacking(), state->wanted);
    const auto runs = study.trainingRuns().size();
    return runs > 0 ? fmt::format("runs          {}, scattered\n", runs) : std::string();
}

/// null: they are not chosen by a plan.
nlohmann::json runsJson(const data::Study &study)
{
    const auto state = fillOf(study);
    if (!state)
        return nullptr;
    return {{"wanted", state->wanted},
            {"made", state->made},
            {"failed", state->failed},
            {"waiting", state->waiting},
            {"lacking", state->lacking()}};
}

/// "about 3.2 MB" where that was estimated.
std::string storedText(std::uint64_t bytes, bool isEstimated)
{
    return (isEstimated ? "about " : "") + bytesText(static_cast<double>(bytes));
}

/// What is said of one field.
std::string fieldText(const data::Study &study, data::FieldIndex i, const data::StudyInfo &info)
{
    const auto &field = study.fields()[i];
    const auto &of = info.fields.at(i);
    auto text = fmt::format("field         {}{}, {} at {}s, {} values", cleanLine(field.name),
                            field.unit.empty() ? "" : " in " + cleanLine(field.unit),
                            countText(static_cast<std::uint64_t>(field.components), "component"),
                            data::toString(field.association), field.values());
    if (field.offset != 0)
        text += fmt::format("; stored less {:.15g}", field.offset);
    if (field.scale != 1)
        text += fmt::format("; stored in units of {:.3g}", field.scale);
    if (study.description().design == data::StudyDesign::grid)
        text += fmt::format("; {} of {} points compressed", of.finalCoefficients, info.gridPoints);
    if (of.provisionalCoefficients > 0)
        text += fmt::format(", {} provisionally", of.provisionalCoefficients);
    if (of.missingPoints > 0)
        text += fmt::format(", {} MISSING", of.missingPoints);
    text += "\n" + surrogateLines(study, i);
    if (of.quantisedRows)
        text += fmt::format("rows          {}; {}\n",
                            data::quantisedRowsText(*of.quantisedRows, cleanLine(field.name)),
                            storedText(of.storedQuantisedRowBytes, of.areEstimated.quantisedRows));
    if (of.modes)
        text += fmt::format(
            "POD modes     {}; {}{}\n", data::modesText(*of.modes, cleanLine(field.name)),
            storedText(of.storedModeBytes, of.areEstimated.modes),
            of.storedCoefficientBytes == 0
                ? ""
                : " in place of "
                      + storedText(of.storedCoefficientBytes, of.areEstimated.coefficients));
    return text;
}

} // namespace

std::string infoText(const data::Study &study)
{
    const auto &description = study.description();
    const auto info = data::info(study);
    auto text = fmt::format("study         {}\nfile          {} ({})\nkind          {}\n",
                            cleanLine(description.title), cleanLine(study.path().string()),
                            bytesText(static_cast<double>(info.fileBytes)),
                            data::toString(description.kind));
    if (info.logBytes > 0)
        text += fmt::format("log           {} in {}-wal{}: a plain copy of the file may lack that, "
                            "gridhelm-cli copy does not\n",
                            bytesText(static_cast<double>(info.logBytes)),
                            study.path().filename().string(),
                            info.isBeingWritten ? ", for a second" : "");
    if (info.isBeingWritten)
        text += "writer        another program is writing the study at this moment\n";
    for (const auto &parameter : description.space.parameters()) {
        text += fmt::format("parameter     {} = {} .. {}{}{}", parameter.name, parameter.low,
                            parameter.high, parameter.unit.empty() ? "" : " ",
                            cleanLine(parameter.unit));
        text += fmt::format(", {}", toString(parameter.scale));
        if (parameter.kind != ParameterKind::ordinary)
            text += fmt::format(", {}", toString(parameter.kind));
        text += fmt::format(", {}", toString(parameter.usedTreatment()));
        if (parameter.degree > 1)
            text += fmt::format(" of degree {}", parameter.degree);
        if (parameter.isDense && parameter.levelCap)
            text += fmt::format(", {} values in every run",
                                valuesOfCap(parameter.usedTreatment(), *parameter.levelCap));
        else if (parameter.levelCap)
            text += fmt::format(", at most {}", countText(*parameter.levelCap, "level"));
        text += "\n";
    }
    const bool isGrid = description.design == data::StudyDesign::grid;
    text += runsText(study);
    if (isGrid)
        text +=
            fmt::format("grid          level {}, {}, {}\n", description.level,
                        countText(info.gridPoints, "point"), countText(info.gridBlocks, "block"));
    if (isGrid)
        text += fmt::format("jobs          {} done, {} waiting, {} running, {} failed{}\n",
                            info.jobsDone, info.jobsWaiting, info.jobsRunning, info.jobsFailed,
                            info.jobsElsewhere > 0 ? fmt::format(
                                "; {} of those that run do so elsewhere", info.jobsElsewhere)
                                                   : "");
    if (const auto mesh = study.meshHeader())
        text += fmt::format("mesh          {}, {} points, {} cells{}\n", cleanLine(mesh->kind),
                            mesh->points, mesh->cells, bodyText(study));
    for (std::size_t i = 0; i < study.fields().size(); ++i)
        text += fieldText(study, i, info);
    if (study.fields().empty())
        text += "fields        known after the first run\n";
    const bool areEstimated = std::ranges::any_of(
        info.fields, [](const auto &of) { return of.areEstimated.coefficients; });
    if (info.compressionToFullGrid > 0)
        text += fmt::format("compression   {}{:.4g} times smaller than the full grid of the same "
                            "resolution,\n              {:.3g} times smaller than the raw "
                            "snapshots, on disk\n",
                            areEstimated ? "about " : "", info.compressionToFullGrid,
                            info.compressionToSnapshots);
    text += refinementText(study)
            + fmt::format("validated at  {}\n", countText(info.holdOuts, "point"));
    return text + errorsText(study) + historyText(study);
}

nlohmann::json infoJson(const data::Study &study)
{
    const auto &description = study.description();
    const auto info = data::info(study);
    const auto coverage = data::holdOutCoverage(study);
    nlohmann::json document{
        {"title", description.title},
        {"file", study.path().string()},
        {"file_bytes", info.fileBytes},
        {"log_bytes", info.logBytes},
        {"being_written", info.isBeingWritten},
        {"notice", study.notice()},
        {"kind", data::toString(description.kind)},
        {"level", description.level},
        {"grid_points", info.gridPoints},
        {"grid_blocks", info.gridBlocks},
        {"full_grid_points", info.fullGridPoints},
        {"jobs",
         {{"done", info.jobsDone},
          {"waiting", info.jobsWaiting},
          {"running", info.jobsRunning},
          {"elsewhere", info.jobsElsewhere},
          {"failed", info.jobsFailed}}},
        {"design", data::toString(description.design)},
        {"training_runs", study.trainingRuns().size()},
        {"runs", runsJson(study)},
        {"hold_outs", info.holdOuts},
        {"hold_outs_missing", coverage.missing},
        {"compression_to_full_grid", info.compressionToFullGrid},
        {"compression_to_snapshots", info.compressionToSnapshots},
        {"parameters", nlohmann::json::array()},
        {"fields", nlohmann::json::array()},
        {"errors", errorsJson(study, coverage)},
        {"error_history", historyJson(study)},
        {"refinements", refinementsJson(study)},
    };
    for (const auto &parameter : description.space.parameters()) {
        nlohmann::json one{{"name", parameter.name},
                           {"unit", parameter.unit},
                           {"low", parameter.low},
                           {"high", parameter.high},
                           {"scale", toString(parameter.scale)},
                           {"kind", toString(parameter.kind)},
                           {"treatment", toString(parameter.usedTreatment())},
                           {"degree", parameter.degree}};
        if (parameter.levelCap)
            one["cap"] = *parameter.levelCap;
        if (parameter.isDense && parameter.levelCap)
            one["values_in_every_run"] =
                valuesOfCap(parameter.usedTreatment(), *parameter.levelCap);
        document["parameters"].push_back(one);
    }
    for (std::size_t i = 0; i < study.fields().size(); ++i) {
        const auto &field = study.fields()[i];
        const auto &of = info.fields.at(i);
        document["fields"].push_back({{"name", field.name},
                                      {"unit", field.unit},
                                      {"components", field.components},
                                      {"association", data::toString(field.association)},
                                      {"values", field.values()},
                                      {"offset", field.offset},
                                      {"scale", field.scale},
                                      {"missing_points", of.missingPoints},
                                      {"final_coefficients", of.finalCoefficients},
                                      {"provisional_coefficients", of.provisionalCoefficients},
                                      {"stored_snapshot_bytes", of.storedSnapshotBytes},
                                      {"stored_coefficient_bytes", of.storedCoefficientBytes},
                                      {"stored_bytes_are_estimated", of.areEstimated.any()}});
        document["fields"].back()["surrogate"] = surrogateJson(study, i);
        document["fields"].back()["accuracy"] = accuracyJson(study, i);
        document["fields"].back()["band"] = bandJson(study, i);
        if (of.quantisedRows)
            document["fields"].back()["quantised_rows"] = quantisedRowsJson(of);
        if (of.modes)
            document["fields"].back()["modes"] = modesJson(of);
    }
    const auto body = data::geometryFieldsOf(study.fields());
    if (const auto mesh = study.meshHeader())
        document["mesh"] = {{"kind", mesh->kind},
                            {"points", mesh->points},
                            {"cells", mesh->cells},
                            {"moves", body.displacement.has_value()},
                            {"has_holes", body.distance.has_value()}};
    return document;
}

} // namespace gridhelm::cli
