// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/surrogate_step.h"

#include "core/modes/modes.h"
#include "core/support/error.h"
#include "data/campaign/added_error_step.h"
#include "data/compress/verify_modes.h"
#include "data/evaluate/degree_choice.h"
#include "data/evaluate/study_surrogate.h"
#include "data/evaluate/surrogate_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gridhelm::data {

namespace {

/// What the study has.
FieldMeans presentMeans(const Study &study, FieldIndex field)
{
    const auto set = study.modeSet(field);
    FieldMeans of;
    of.isKriged = study.kriging(field) != nullptr;
    of.hasModes = set.has_value();
    if (set)
        of.cut = set->cut;
    if (set && set->quantised)
        of.error.allowed = set->quantised->allowed;
    if (const auto rows = study.quantisedCoefficients(field))
        of.error.allowed = rows->bits.allowed;
    of.isChosen = choiceOf(study, field).has_value();
    return of;
}

} // namespace

std::vector<FieldMeans> meansOf(const Study &study)
{
    std::vector<FieldMeans> means;
    for (FieldIndex field = 0; field < study.fields().size(); ++field) {
        const auto wanted = study.wantedMeans(field);
        means.push_back(wanted ? *wanted : presentMeans(study, field));
    }
    return means;
}

void rememberMeans(StudyWriter &writer, const std::vector<FieldMeans> &means)
{
    for (FieldIndex field = 0; field < means.size(); ++field)
        writer.setWantedMeans(field, means[field] == FieldMeans{} ? std::nullopt
                                                                  : std::optional(means[field]));
}

void rememberLostMeans(StudyWriter &writer, const std::vector<FieldMeans> &before)
{
    for (FieldIndex field = 0; field < before.size(); ++field)
        writer.setWantedMeans(field, before[field] == presentMeans(writer, field)
                                         ? std::nullopt
                                         : std::optional(before[field]));
}

namespace {

/// Which come, or came, with kriging.
void forgetModes(FieldMeans &of)
{
    of.hasModes = false;
    of.cut.reset();
}

} // namespace

std::vector<FieldMeans> wantedMeans(const Study &study, const CompressStep &step)
{
    auto means = meansOf(study);
    const bool isScattered = study.description().design == StudyDesign::scattered;
    for (auto &of : means) {
        if (step.modes) {
            of.hasModes = of.asked.modes = true;
            of.cut = step.modes->cut;
        }
        if (!step.degrees.empty())
            of.asked.degree = false;
    }
    if (step.error && study.description().kind == StudyKind::scalar)
        throw Error(study.path().string()
                    + " is a scalar study, whose points are single numbers: its coefficients are "
                      "small, and stay exact");
    if (step.error)
        for (auto &of : means) {
            of.error = *step.error;
            of.asked.error = true;
        }
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
            of.asked.surrogate = true;
            if (!isMeant[field])
                continue;
            if (of.isKriged && kind == SurrogateKind::sparseGrid && !of.asked.modes)
                forgetModes(of);
            of.isChosen = kind == SurrogateKind::chosen;
            of.asked.degree = of.isChosen && step.degrees.empty();
            if (!of.isChosen)
                of.isKriged = kind == SurrogateKind::kriging;
        }
    }
    for (auto &of : means) {
        of.isKriged = of.isKriged || isScattered;
        of.isChosen = of.isChosen && !isScattered;
        if (of.isChosen && of.isKriged && !of.asked.modes)
            forgetModes(of);
    }
    return means;
}

std::vector<CompressStep> stepsThatMake(const Study &study, const std::vector<FieldMeans> &means)
{
    CompressStep modes;
    SurrogateStep grid{SurrogateKind::sparseGrid, {}}, kriged{SurrogateKind::kriging, {}},
        chosen{SurrogateKind::chosen, {}};
    for (FieldIndex field = 0; field < means.size(); ++field) {
        const auto &name = study.fields()[field].name;
        const auto present = presentMeans(study, field);
        if (means[field].isChosen)
            chosen.fields.push_back(name);
        else if (means[field].isKriged)
            kriged.fields.push_back(name);
        else if (present.isChosen || present.isKriged)
            grid.fields.push_back(name);
        else if (means[field].error.allowed > 0)
            modes.error = means[field].error;
        else if (means[field].hasModes)
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
    if (std::ranges::none_of(wanted, [](const auto &of) { return of.asked.degree; }))
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

void reconsiderForms(StudyWriter &writer, std::vector<FieldMeans> &means, bool areHoldOutsNew)
{
    for (FieldIndex field = 0; field < means.size(); ++field) {
        if (!means[field].staysFloat)
            continue;
        const auto isThere = writer.pointsWithSnapshots(field);
        const auto states = writer.coefficientStates(field);
        bool isNew = areHoldOutsNew;
        for (std::size_t point = 0; point < states.size(); ++point)
            isNew = isNew || (isThere[point] && states[point] == CoefficientState::none);
        means[field].staysFloat = !isNew;
    }
    rememberMeans(writer, means);
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

bool makeKriging(StudyWriter &writer, FieldIndex field, const FieldMeans &of,
                 const CompressStep &step, const StepControl &control,
                 const std::function<bool(double)> &progress, CompressStepReport &report)
{
    KrigingOptions options;
    if (of.asked.modes) // else as the error asks for: it is another one with more runs
        options.cut = of.cut;
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

/// Modes of a sparse grid in few bits: made again from what is exact, with less and less cut until
/// they are near enough everywhere; or, unless modes are asked for, its coefficients, in few bits
/// or as they are, where pictures are quicker by them. False if it was stopped: then the study is
/// as before.
bool makeQuantised(StudyWriter &writer, FieldIndex field, double allowed, bool onlyModes,
                   const CompressStep &step, const StepControl &control,
                   const std::function<bool(double)> &progress, CompressStepReport &report)
{
    auto transaction = writer.transaction();
    constexpr double less = 0.01;
    CompressStepReport made;
    bool isQuantised = false;
    for (double cut = cutForError(allowed); !isQuantised; cut *= less) {
        cut = std::max(cut, modes::smallestCut);
        made = {};
        if (!makeModes(writer, field, cut, step, control, progress, made))
            return false;
        if (made.modes.zero > 0)
            break;
        if (!quantise(writer, field, allowed, step, control, progress, isQuantised))
            return false;
        if (cut == modes::smallestCut)
            break;
    }
    if (!isQuantised && made.modes.zero == 0) {
        made = {};
        if (!makeModes(writer, field, std::nullopt, step, control, progress, made))
            return false;
    }
    FormChoice choice;
    choice.field = field;
    choice.taken = isQuantised ? RowForm::fewBitModes : RowForm::modes;
    if (!onlyModes && made.modes.zero == 0) {
        if (!chooseForm(writer, field, allowed, isQuantised, step, control, progress, choice))
            return false;
        report.forms.push_back(choice);
    }
    const bool areModes = choice.taken == RowForm::fewBitModes || choice.taken == RowForm::modes;
    if (choice.taken == RowForm::modes && made.modes.zero == 0)
        addNote(report, staysExact(writer, field, allowed));
    if (areModes)
        report.modes.fields += made.modes.fields;
    report.modes.zero += made.modes.zero;
    report.quantised += choice.taken == RowForm::fewBitModes ? 1 : 0;
    report.quantisedRows += choice.taken == RowForm::fewBitRows ? 1 : 0;
    transaction.commit();
    return true;
}

/// Whether there is something that the last choice does not know of.
bool hasToBeChosen(const Study &study, FieldIndex field, const FieldMeans &of,
                   const CompressStep &step)
{
    const auto choice = choiceOf(study, field);
    return of.asked.modes || of.asked.surrogate || !step.degrees.empty() || !choice
           || !isUpToDate(*choice, study, field)
           || (choice->isKriging ? !knowsAllRuns(study, field) : !study.trainingRuns().empty());
}

/// Makes the one surrogate beside the other, compares them, and keeps the better one. False if it
/// was stopped: then the study is as before.
bool choose(StudyWriter &writer, FieldIndex field, const FieldMeans &of, const CompressStep &step,
            const StepControl &control, const std::function<bool(double)> &progress,
            CompressStepReport &report)
{
    auto transaction = writer.transaction();
    CompressStepReport made;
    if ((of.asked.modes || !knowsAllRuns(writer, field)) && hasEnoughRunsForKriging(writer, field)
        && !makeKriging(writer, field, of, step, control, progress, made))
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

namespace {

bool makeKriged(StudyWriter &writer, FieldIndex field, const FieldMeans &of,
                const CompressStep &step, const StepControl &control,
                const std::function<bool(double)> &progress, CompressStepReport &report)
{
    const auto before = writer.modeSet(field);
    const bool isAsked = of.asked.modes || of.asked.surrogate;
    // From what is exact.
    const bool isAgain =
        before && before->quantised && (of.asked.error || isBeforeHoldOuts(writer, *before));
    // New modes have no measured error yet: that of the same surrogate counts until they have.
    const bool wasKriged = writer.hasKriging(field);
    double allowed = wasKriged ? allowedError(writer, field, of.error, report) : 0;
    if (!of.isChosen && (isAsked || isAgain || !knowsAllRuns(writer, field))
        && !makeKriging(writer, field, of, step, control, progress, report))
        return false;
    if (of.isChosen && isAgain && !makeKriging(writer, field, of, step, control, progress, report))
        return false;
    if (!wasKriged)
        allowed = allowedError(writer, field, of.error, report);
    const auto set = writer.modeSet(field);
    if (!(allowed > 0) || !set || set->quantised)
        return true;
    bool isQuantised = false;
    if (!quantise(writer, field, allowed, step, control, progress, isQuantised))
        return false;
    report.quantised += isQuantised ? 1 : 0;
    if (!isQuantised)
        addNote(report, staysExact(writer, field, allowed));
    return true;
}

bool makeGridModes(StudyWriter &writer, FieldIndex field, const FieldMeans &of,
                   const CompressStep &step, const StepControl &control,
                   const std::function<bool(double)> &progress, CompressStepReport &report)
{
    if (of.staysFloat && of.asked == FieldMeans::Asked{})
        return true;
    const auto set = writer.modeSet(field);
    const auto rows = writer.quantisedCoefficients(field);
    const bool isAgain = of.asked.error && set && set->quantised;
    const double allowed = allowedError(writer, field, of.error, report);
    const bool isThere =
        rows ? !isBeforeHoldOuts(writer, rows->bits) : set && !isBeforeHoldOuts(writer, *set);
    if (allowed > 0 && (of.asked.modes || of.asked.error || !isThere))
        return makeQuantised(writer, field, allowed, of.asked.modes, step, control, progress,
                             report);
    if (rows && of.asked.error) // and nothing may be added any more
        writer.removeQuantisedCoefficients(field);
    // Modes that come back to be exact are cut as the error asks for.
    const auto cut = isAgain && !of.asked.modes ? std::nullopt : of.cut;
    const bool isWanted = of.asked.modes || isAgain || (of.hasModes && !set);
    return !isWanted || makeModes(writer, field, cut, step, control, progress, report);
}

} // namespace

void addNote(CompressStepReport &report, const std::string &note)
{
    if (!note.empty())
        report.note += (report.note.empty() ? "" : "; ") + note;
}

namespace {

/// Of a field whose coefficients stay as they are, since pictures are quicker so: with more runs
/// another form may be, within the same error.
std::optional<FieldMeans> stillWanted(FieldMeans of, FieldIndex field,
                                      const CompressStepReport &report)
{
    const auto isSo = [field](const FormChoice &choice) {
        return choice.field == field && choice.taken == RowForm::rows;
    };
    of.staysFloat = std::ranges::any_of(report.forms, isSo)
                    || (of.staysFloat && of.asked == FieldMeans::Asked{});
    if (!of.staysFloat)
        return std::nullopt;
    of.asked = {};
    return of;
}

} // namespace

bool makeMeans(StudyWriter &writer, const std::vector<FieldMeans> &wanted, const CompressStep &step,
               bool onlyKriging, const StepControl &control,
               const std::function<bool(double)> &progress, CompressStepReport &report)
{
    for (FieldIndex field = 0; field < wanted.size(); ++field) {
        const auto &of = wanted[field];
        if (of.isChosen && hasToBeChosen(writer, field, of, step)
            && !choose(writer, field, of, step, control, progress, report))
            return false;
        const bool isKriged = of.isChosen ? writer.hasKriging(field) : of.isKriged;
        if (!isKriged && onlyKriging)
            continue; // and it is remembered
        const auto make = isKriged ? makeKriged : makeGridModes;
        if (!make(writer, field, of, step, control, progress, report))
            return false;
        writer.setWantedMeans(field, stillWanted(of, field, report));
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
