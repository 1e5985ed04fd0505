// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/make_means.h"

#include "core/modes/modes.h"
#include "data/campaign/added_error_step.h"
#include "data/campaign/surrogate_step.h"
#include "data/compress/verify_modes.h"
#include "data/evaluate/study_surrogate.h"
#include "data/evaluate/surrogate_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gridhelm::data {

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

std::size_t leaveModes(StudyWriter &writer, const std::vector<FieldMeans> &wanted)
{
    std::size_t fields = 0;
    for (FieldIndex field = 0; field < wanted.size(); ++field) {
        if (wanted[field].hasModes || wanted[field].isKriged || writer.hasKriging(field)
            || !writer.modeSet(field))
            continue;
        writer.removeModes(field);
        // They were measured with these modes.
        writer.removeErrorFigures(
            field, std::array{ErrorKind::heldOut, ErrorKind::leaveOneOut, ErrorKind::indicator});
        ++fields;
    }
    return fields;
}

namespace {

/// The field has kriging of all runs that there are now.
bool knowsAllRuns(const Study &study, FieldIndex field)
{
    const auto kriging = study.kriging(field);
    return kriging && kriging->model.runs == runsForKriging(study, field);
}

/// Whether there is something that the last choice does not know of.
bool hasToBeChosen(const Study &study, FieldIndex field, const FieldMeans &of,
                   const CompressStep &step)
{
    const auto choice = choiceOf(study, field);
    return of.asked.modes || of.asked.surrogate || !step.degrees.empty() || !choice
           || !isUpToDate(*choice, study, field) || isInDoubt(*choice, study, field)
           || (choice->isKriging ? !knowsAllRuns(study, field) : !study.trainingRuns().empty());
}

} // namespace

void reconsiderForms(StudyWriter &writer, std::vector<FieldMeans> &means, bool areHoldOutsNew)
{
    for (FieldIndex field = 0; field < means.size(); ++field) {
        auto &of = means[field];
        if (!of.staysFloat)
            continue;
        const auto isThere = writer.pointsWithSnapshots(field);
        const auto states = writer.coefficientStates(field);
        bool isNew = areHoldOutsNew;
        for (std::size_t point = 0; point < states.size(); ++point)
            isNew = isNew || (isThere[point] && states[point] == CoefficientState::none);
        isNew = isNew
                || (of.isChosen ? hasToBeChosen(writer, field, of, {})
                                : of.isKriged && !knowsAllRuns(writer, field));
        of.staysFloat = !isNew;
    }
    rememberMeans(writer, means);
}

namespace {

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

/// Once both kinds were compared: hold-outs are asked about the one that was chosen, and where they
/// contradict, about the other one as well. What they say is stored, so that nobody asks again.
void askHoldOuts(StudyWriter &writer, FieldIndex field, const ExecutionContext &context,
                 const std::stop_token &stop)
{
    const auto choice = *choiceOf(writer, field);
    if (!choice.areBothPossible())
        return;
    writer.putErrorFigures(compareAtHoldOuts(writer, field, choice.isKriging, context, stop));
    const auto own = choiceOf(writer, field)->ownHeldOut();
    if (own && isContradicted(choice, *own))
        writer.putErrorFigures(compareAtHoldOuts(writer, field, !choice.isKriging, context, stop));
}

} // namespace

bool chooseSurrogate(StudyWriter &writer, FieldIndex field, const FieldMeans &of,
                     const CompressStep &step, const StepControl &control,
                     const std::function<bool(double)> &progress, CompressStepReport &report)
{
    if (!of.isChosen || !hasToBeChosen(writer, field, of, step))
        return true;
    auto transaction = writer.transaction();
    CompressStepReport made;
    const auto set = writer.modeSet(field);
    const bool isExact = set && !set->quantised; // or few bits would be compared
    if ((of.asked.modes || !isExact || !knowsAllRuns(writer, field))
        && hasEnoughRunsForKriging(writer, field)
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
    askHoldOuts(writer, field, step.context, control.stop);
    if (control.stop.stop_requested())
        return false;
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

namespace {

/// Bits that no number of them was within, and nothing has come since.
bool isTried(const FieldMeans &of)
{
    return of.staysFloat && of.asked == FieldMeans::Asked{};
}

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
    // One that is chosen has been made by then.
    const bool isOld = !of.isChosen && (isAsked || !knowsAllRuns(writer, field));
    if ((isAgain || isOld) && !makeKriging(writer, field, of, step, control, progress, report))
        return false;
    if (!wasKriged)
        allowed = allowedError(writer, field, of.error, report);
    const auto set = writer.modeSet(field);
    if (!(allowed > 0) || !set || set->quantised || isTried(of))
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
    if (isTried(of))
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
    if (rows && of.asked.error && writer.removeQuantisedCoefficients(field))
        ++report.exactRows; // nothing may be added any more
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

/// What is to be remembered of a field that was made: what the study has does not say that an error
/// is half of another one, nor that nothing in few bits was within it, which may be otherwise once
/// there are more runs.
std::optional<FieldMeans> keptMeans(const Study &study, FieldIndex field, const FieldMeans &of)
{
    const auto present = presentMeans(study, field);
    auto kept = present;
    kept.error = of.error;
    if (of.error.isAny() && present.error.allowed == 0) {
        // A half that nobody knows yet is made as soon as it is known.
        kept.asked.error = of.error.isHalf && !errorToHalve(study, field);
        kept.staysFloat = !kept.asked.error;
        if (!present.hasModes && !of.isKriged) { // that come back where nothing may be added
            kept.hasModes = of.hasModes;
            kept.cut = of.cut;
        }
    }
    return kept == present ? std::nullopt : std::optional(kept);
}

} // namespace

bool makeMeans(StudyWriter &writer, const std::vector<FieldMeans> &wanted, const CompressStep &step,
               bool onlyKriging, const StepControl &control,
               const std::function<bool(double)> &progress, CompressStepReport &report)
{
    for (FieldIndex field = 0; field < wanted.size(); ++field) {
        const auto &of = wanted[field];
        if (!chooseSurrogate(writer, field, of, step, control, progress, report))
            return false;
        const bool isKriged = of.isChosen ? writer.hasKriging(field) : of.isKriged;
        if (!isKriged && onlyKriging)
            continue; // and it is remembered
        const auto make = isKriged ? makeKriged : makeGridModes;
        if (!make(writer, field, of, step, control, progress, report))
            return false;
        writer.setWantedMeans(field, keptMeans(writer, field, of));
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
            names += fmt::format("{}{} ({} POD modes, {} rows)", names.empty() ? "" : ", ",
                                 study.fields()[field].name, modes, rows);
    }
    return names.empty() ? names
                         : "pictures of " + names
                               + " read more POD modes than rows without them: cut more where they "
                                 "are to be faster (1e-6 of the energy is an error of 0.1 %)";
}

} // namespace gridhelm::data
