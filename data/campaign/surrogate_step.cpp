// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/surrogate_step.h"

#include "core/support/error.h"
#include "data/evaluate/study_surrogate.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::data {

std::vector<FieldMeans> meansOf(const Study &study)
{
    std::vector<FieldMeans> means;
    for (FieldIndex field = 0; field < study.fields().size(); ++field) {
        const auto set = study.modeSet(field);
        means.push_back(
            {study.kriging(field) != nullptr, set ? std::optional(set->cut) : std::nullopt});
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
        const bool isKriged = step.surrogate->kind == SurrogateKind::kriging;
        if (isKriged && study.description().kind == StudyKind::scalar)
            throw Error(study.path().string()
                        + " is a scalar study, whose points are single numbers: kriging is for "
                          "studies whose points are snapshots");
        if (!isKriged && isScattered)
            throw Error(study.path().string()
                        + " is a study of scattered runs, which are at no points of a sparse grid: "
                          "kriging is its only surrogate");
        std::vector<bool> isMeant(means.size(), step.surrogate->fields.empty());
        for (const auto &name : step.surrogate->fields)
            isMeant[study.fieldIndex(name)] = true;
        for (std::size_t field = 0; field < means.size(); ++field) {
            if (!isMeant[field])
                continue;
            if (means[field].isKriged && !isKriged && !step.modes)
                means[field].cut.reset(); // modes came with it
            means[field].isKriged = isKriged;
        }
    }
    for (auto &of : means)
        of.isKriged = of.isKriged || isScattered;
    return means;
}

bool isAnyKriged(const std::vector<FieldMeans> &means)
{
    return std::ranges::any_of(means, &FieldMeans::isKriged);
}

bool leaveKriging(StudyWriter &writer, const std::vector<FieldMeans> &wanted)
{
    bool hasLeft = false;
    for (FieldIndex field = 0; field < wanted.size(); ++field) {
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
                 const VolumesOfMesh &volumes, const std::function<bool(double)> &progress,
                 CompressStepReport &report)
{
    KrigingOptions options;
    if (step.modes) // else as the error asks for: it is another one with more runs
        options.cut = step.modes->cut;
    options.volumes = volumes;
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
               const CompressStep &step, const VolumesOfMesh &volumes,
               const std::function<bool(double)> &progress, CompressStepReport &report)
{
    ModesOptions options;
    options.cut = cut;
    options.volumes = volumes;
    options.cpu = step.context.cpu();
    options.progress = progress;
    const auto made = storeModes(writer, field, options);
    report.modes.fields += made.fields;
    report.modes.zero += made.zero;
    return !made.cancelled;
}

} // namespace

bool makeMeans(StudyWriter &writer, const std::vector<FieldMeans> &wanted, const CompressStep &step,
               bool onlyKriging, const VolumesOfMesh &volumes,
               const std::function<bool(double)> &progress, CompressStepReport &report)
{
    for (FieldIndex field = 0; field < wanted.size(); ++field) {
        const auto &of = wanted[field];
        if (of.isKriged) {
            const bool isAsked = step.modes || step.surrogate;
            if ((isAsked || !knowsAllRuns(writer, field))
                && !makeKriging(writer, field, step, volumes, progress, report))
                return false;
            continue;
        }
        const bool isWanted = step.modes || (of.cut && !writer.modeSet(field));
        if (isWanted && !onlyKriging
            && !makeModes(writer, field, of.cut, step, volumes, progress, report))
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
