// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/surrogate_step.h"

#include "core/support/error.h"
#include "data/evaluate/degree_choice.h"
#include "data/evaluate/surrogate_choice.h"

#include <algorithm>

namespace gridhelm::data {

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
    const FieldMeans nothing;
    for (FieldIndex field = 0; field < means.size(); ++field) {
        const bool isAny = means[field] != nothing || presentMeans(writer, field) != nothing;
        writer.setWantedMeans(field, isAny ? std::optional(means[field]) : std::nullopt);
    }
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

/// With what was added to their error.
void leaveModes(const Study &study, FieldIndex field, FieldMeans &of)
{
    forgetModes(of);
    of.asked.modes = false;
    if (!of.asked.error && !study.quantisedCoefficients(field))
        of.error = {};
}

} // namespace

std::vector<FieldMeans> wantedMeans(const Study &study, const CompressStep &step)
{
    auto means = meansOf(study);
    const bool isScattered = study.description().design == StudyDesign::scattered;
    for (auto &of : means) {
        if (step.modes && !step.modes->areNone) {
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
    if (step.modes && step.modes->areNone)
        for (std::size_t field = 0; field < means.size(); ++field) {
            auto &of = means[field];
            if (of.isKriged && !of.isChosen)
                throw Error("field " + study.fields()[field].name
                            + " is evaluated by kriging of its POD modes: it cannot be without them"
                            + (isScattered ? "" : ", unless it goes back to its sparse grid"));
            if (!of.isKriged) // chosen, it keeps them as long as it is kriged
                leaveModes(study, static_cast<FieldIndex>(field), of);
        }
    return means;
}

std::vector<FieldMeans> chosenAgain(std::vector<FieldMeans> means)
{
    for (auto &of : means)
        if (of.isChosen)
            of.asked.surrogate = of.asked.degree = true;
    return means;
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

bool isAnyKriged(const std::vector<FieldMeans> &means)
{
    return std::ranges::any_of(means, [](const auto &of) { return of.isKriged || of.isChosen; });
}

} // namespace gridhelm::data
