// SPDX-License-Identifier: GPL-3.0-or-later
//
// Modes and kriging as a part of compressing: what a step asks for, and what fields had before,
// which is made again when there is more. Private to data.
#pragma once

#include "data/campaign/campaign_steps.h"
#include "data/study/field_means.h"

#include <functional>
#include <vector>

namespace gridhelm::data {

/// What fields are evaluated by, or shall be once a compression that was interrupted goes on.
std::vector<FieldMeans> meansOf(const Study &study);

/// To be called before anything takes away what is there: it is made by the next compressStep().
void rememberMeans(StudyWriter &writer, const std::vector<FieldMeans> &means);
/// The same when they could not be made: what the study has needs no remembering.
void rememberLostMeans(StudyWriter &writer, const std::vector<FieldMeans> &before);

/// The same with what the step asks for. Throws gridhelm::Error for fields that are not there, and
/// for what the study cannot have.
std::vector<FieldMeans> wantedMeans(const Study &study, const CompressStep &step);

/// Fields whose coefficients stay float32 have their form chosen again where snapshots wait for
/// coefficients, or if there are new hold-outs. That is remembered. To be called before
/// coefficients are computed.
void reconsiderForms(StudyWriter &writer, std::vector<FieldMeans> &means, bool areHoldOutsNew);

/// Steps after which fields are evaluated by these, with what the study has then: coefficients take
/// modes and kriging away.
std::vector<CompressStep> stepsThatMake(const Study &study, const std::vector<FieldMeans> &means);

/// Chooses the degree if that is asked for, before compressing; forgets how it was chosen if the
/// step has degrees.
void chooseDegree(StudyWriter &writer, const std::vector<FieldMeans> &wanted,
                  const CompressStep &step, const std::stop_token &stop);

/// Whether any field is kriged, or may be.
bool isAnyKriged(const std::vector<FieldMeans> &means);

/// Fields that are kriged and shall not be so any more are not, and what was chosen and is not any
/// more is forgotten. Whether there were any of the former.
bool leaveKriging(StudyWriter &writer, const std::vector<FieldMeans> &wanted);

/// Makes what is wanted where it is not there, does not know of all runs, or is asked for; then it
/// need not be remembered any more.
/// `onlyKriging`: coefficients are not whole. False if it was stopped; `progress` as in
/// ModesOptions.
bool makeMeans(StudyWriter &writer, const std::vector<FieldMeans> &wanted, const CompressStep &step,
               bool onlyKriging, const StepControl &control,
               const std::function<bool(double)> &progress, CompressStepReport &report);

/// Behind what is said already.
void addNote(CompressStepReport &report, const std::string &note);

/// A sentence about fields whose pictures cost more by modes than they did before; empty: none.
std::string costNote(const Study &study);

} // namespace gridhelm::data
