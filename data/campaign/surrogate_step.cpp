// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/surrogate_step.h"

#include "core/support/error.h"
#include "data/evaluate/degree_choice.h"
#include "data/evaluate/study_surrogate.h"
#include "data/evaluate/surrogate_choice.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::data {

std::vector<FieldMeans> meansOf(const Study &study)
{
    std::vector<FieldMeans> means;
    for (FieldIndex field = 0; field < study.fields().size(); ++field) {
        const auto set = study.modeSet(field);
        means.push_back({study.kriging(field) != nullptr,
                         set ? std::optional(set->cut) : std::nullopt,
                         choiceOf(study, field).has_value()});
    }
    return means;
}

std::vector<FieldMeans> wantedMeans(const Study &study, const CompressStep &step)
{
    auto means = meansOf(study);
    const bool isScattered = study.description().design == StudyDesign::scattered;
    if (step.modes)
        for (auto &of : means)
            of.cut = step.modes->cut;
    if (step.surrogate) {
        const auto kind = step.surrogate->kind;
        if (kind != SurrogateKind::sparseGrid && study.description().kind == StudyKind::scalar)
            throw Error(study.path().string()
                        + " is a scalar study, whose points are single numbers: kriging is for "
                          "studies whose points are snapshots, so there is nothing to choose");
        if (kind == SurrogateKind::sparseGrid && isScattered)
            throw Error(study.path().string()
                        + " is a study of scattered runs, which are at no points of a sparse grid: "
                          "kriging is its only surrogate");
        std::vector<bool> isMeant(means.size(), step.surrogate->fields.empty());
        for (const auto &name : step.surrogate->fields)
            isMeant[study.fieldIndex(name)] = true;
        for (std::size_t field = 0; field < means.size(); ++field) {
            auto &of = means[field];
            if (!isMeant[field])
                continue;
            if (of.isKriged && kind == SurrogateKind::sparseGrid && !step.modes)
                of.cut.reset(); // modes came with it
            of.isChosen = kind == SurrogateKind::chosen;
            if (!of.isChosen)
                of.isKriged = kind == SurrogateKind::kriging;
        }
    }
    for (auto &of : means) {
        of.isKriged = of.isKriged || isScattered;
        of.isChosen = of.isChosen && !isScattered;
        if (of.isChosen && of.isKriged && !step.modes)
            of.cut.reset(); // modes come with it
    }
    return means;
}

std::vector<CompressStep> stepsThatMake(const Study &study, const std::vector<FieldMeans> &means)
{
    const auto present = meansOf(study);
    CompressStep modes;
    SurrogateStep grid{SurrogateKind::sparseGrid, {}}, kriged{SurrogateKind::kriging, {}},
        chosen{SurrogateKind::chosen, {}};
    for (std::size_t field = 0; field < means.size(); ++field) {
        const auto &name = study.fields()[field].name;
        if (means[field].isChosen)
            chosen.fields.push_back(name);
        else if (means[field].isKriged)
            kriged.fields.push_back(name);
        else if (present[field].isChosen || present[field].isKriged)
            grid.fields.push_back(name);
        else if (means[field].cut)
            modes.modes = ModesStep{means[field].cut};
    }
    std::vector<CompressStep> steps{modes};
    for (const auto &surrogate : {grid, kriged, chosen}) {
        if (surrogate.fields.empty())
            continue;
        if (steps.back().surrogate)
            steps.emplace_back();
        steps.back().surrogate = surrogate;
    }
    return steps;
}

void chooseDegree(StudyWriter &writer, const std::vector<FieldMeans> &wanted,
                  const CompressStep &step, const std::stop_token &stop)
{
    if (!step.degrees.empty())
        for (FieldIndex field = 0; field < wanted.size(); ++field)
            writer.removeErrorFigures(field, degreesCompared);
    if (!step.surrogate || step.surrogate->kind != SurrogateKind::chosen || !step.degrees.empty())
        return;
    std::vector<ErrorFigure> all;
    for (FieldIndex field = 0; field < wanted.size(); ++field) {
        if (wanted[field].isKriged && !wanted[field].isChosen)
            continue;
        const auto figures = compareDegrees(writer, field, step.context, stop);
        if (figures.empty())
            return; // of one field there is nothing to choose by, or it was stopped
        all.insert(all.end(), figures.begin(), figures.end());
    }
    const int degree = bestDegree(all);
    if (degree == 0)
        return;
    auto transaction = writer.transaction();
    writer.setDegrees(degreesOf(writer.description().space, degree));
    writer.putErrorFigures(all);
    transaction.commit();
}

bool isAnyKriged(const std::vector<FieldMeans> &means)
{
    return std::ranges::any_of(means, [](const auto &of) { return of.isKriged || of.isChosen; });
}

bool leaveKriging(StudyWriter &writer, const std::vector<FieldMeans> &wanted)
{
    bool hasLeft = false;
    for (FieldIndex field = 0; field < wanted.size(); ++field) {
        if (wanted[field].isChosen)
            continue; // that comes later
        if (choiceOf(writer, field))
            writer.removeErrorFigures(field, surrogatesCompared);
        if (!wanted[field].isKriged && writer.kriging(field)) {
            writer.removeModes(field);
            hasLeft = true;
        }
    }
    return hasLeft;
}

namespace {

/// The field has kriging of all runs that there are now.
bool knowsAllRuns(const Study &study, FieldIndex field)
{
    const auto kriging = study.kriging(field);
    return kriging && kriging->model.runs == runsForKriging(study, field);
}

bool makeKriging(StudyWriter &writer, FieldIndex field, const CompressStep &step,
                 const StepControl &control, const std::function<bool(double)> &progress,
                 CompressStepReport &report)
{
    KrigingOptions options;
    if (step.modes) // else as the error asks for: it is another one with more runs
        options.cut = step.modes->cut;
    options.volumes = control.files.volumes;
    options.context = step.context;
    options.progress = progress;
    const auto made = storeKriging(writer, field, options);
    report.kriging.fields += made.fields;
    report.kriging.zero += made.zero;
    if (made.runsThere > report.kriging.runsThere) {
        report.kriging.runs = made.runs;
        report.kriging.runsThere = made.runsThere;
    }
    return !made.cancelled;
}

bool makeModes(StudyWriter &writer, FieldIndex field, std::optional<double> cut,
               const CompressStep &step, const StepControl &control,
               const std::function<bool(double)> &progress, CompressStepReport &report)
{
    ModesOptions options;
    options.cut = cut;
    options.volumes = control.files.volumes;
    options.cpu = step.context.cpu();
    options.progress = progress;
    const auto made = storeModes(writer, field, options);
    report.modes.fields += made.fields;
    report.modes.zero += made.zero;
    return !made.cancelled;
}

/// Whether there is something that the last choice does not know of.
bool hasToBeChosen(const Study &study, FieldIndex field, const CompressStep &step)
{
    const auto choice = choiceOf(study, field);
    return step.modes || step.surrogate || !step.degrees.empty() || !choice
           || !isUpToDate(*choice, study, field)
           || (choice->isKriging ? !knowsAllRuns(study, field) : !study.trainingRuns().empty());
}

/// Makes the one surrogate beside the other, compares them, and keeps the better one. False if it
/// was stopped: then the study is as before.
bool choose(StudyWriter &writer, FieldIndex field, const CompressStep &step,
            const StepControl &control, const std::function<bool(double)> &progress,
            CompressStepReport &report)
{
    auto transaction = writer.transaction();
    CompressStepReport made;
    if ((step.modes || !knowsAllRuns(writer, field)) && hasEnoughRunsForKriging(writer, field)
        && !makeKriging(writer, field, step, control, progress, made))
        return false;
    if (made.kriging.zero > 0) { // which both kinds are exact for
        report.kriging.zero += made.kriging.zero;
        return true;
    }
    const auto figures = compareSurrogates(writer, field, step.context, control.stop);
    if (control.stop.stop_requested())
        return false;
    writer.removeErrorFigures(field, surrogatesCompared);
    writer.putErrorFigures(figures);
    if (choiceOf(writer, field)->isKriging) {
        report.kriging.fields += made.kriging.fields;
        report.kriging.runs = std::max(report.kriging.runs, made.kriging.runs);
        report.kriging.runsThere = std::max(report.kriging.runsThere, made.kriging.runsThere);
    } else {
        writer.removeModes(field);
    }
    ++report.chosen;
    transaction.commit();
    return true;
}

} // namespace

bool makeMeans(StudyWriter &writer, const std::vector<FieldMeans> &wanted, const CompressStep &step,
               bool onlyKriging, const StepControl &control,
               const std::function<bool(double)> &progress, CompressStepReport &report)
{
    for (FieldIndex field = 0; field < wanted.size(); ++field) {
        const auto &of = wanted[field];
        if (of.isChosen && hasToBeChosen(writer, field, step)
            && !choose(writer, field, step, control, progress, report))
            return false;
        if (of.isChosen && writer.kriging(field))
            continue;
        if (of.isKriged && !of.isChosen) {
            const bool isAsked = step.modes || step.surrogate;
            if ((isAsked || !knowsAllRuns(writer, field))
                && !makeKriging(writer, field, step, control, progress, report))
                return false;
            continue;
        }
        const bool isWanted = step.modes || (of.cut && !writer.modeSet(field));
        if (isWanted && !onlyKriging
            && !makeModes(writer, field, of.cut, step, control, progress, report))
            return false;
    }
    return true;
}

std::string costNote(const Study &study)
{
    std::string names;
    for (FieldIndex field = 0; field < study.fields().size(); ++field) {
        const auto surrogate = surrogateOf(study, field);
        const auto *modal = modalOf(*surrogate);
        if (!modal)
            continue;
        const auto &ofRows = modal->ofRows();
        const auto modes = modal->rows(), rows = ofRows.activeRows(ofRows.groups());
        if (modes > rows)
            names += fmt::format("{}{} ({} modes, {} rows)", names.empty() ? "" : ", ",
                                 study.fields()[field].name, modes, rows);
    }
    return names.empty() ? names
                         : "pictures of " + names
                               + " read more modes than rows without them: cut more where they "
                                 "are to be faster (1e-6 of the energy is an error of 0.1 %)";
}

} // namespace gridhelm::data
