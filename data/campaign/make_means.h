// SPDX-License-Identifier: GPL-3.0-or-later
//
// Modes, kriging and few bits as a part of compressing: what is wanted of each field is made of
// what the study has now. Private to data.
#pragma once

#include "data/campaign/campaign_steps.h"
#include "data/study/field_means.h"

#include <functional>
#include <string>
#include <vector>

namespace gridhelm::data {

/// Fields that got nothing in few bits, or whose coefficients stay float32, have their form chosen
/// again where there are runs that it does not know of, or new hold-outs. What is wanted is
/// remembered. To be called before coefficients are computed.
void reconsiderForms(StudyWriter &writer, std::vector<FieldMeans> &means, bool areHoldOutsNew);

/// Fields that are kriged and shall not be so any more are not, and what was chosen and is not any
/// more is forgotten. Whether there were any of the former.
bool leaveKriging(StudyWriter &writer, const std::vector<FieldMeans> &wanted);

/// Takes modes away from fields of a sparse grid that shall have none; of how many.
std::size_t leaveModes(StudyWriter &writer, const std::vector<FieldMeans> &wanted);

/// Of a field whose surrogate is chosen: makes both kinds and keeps the better one, if that does
/// not know of all runs or is asked for. What is wanted stays remembered. False if it was stopped:
/// then the study is as before.
bool chooseSurrogate(StudyWriter &writer, FieldIndex field, const FieldMeans &of,
                     const CompressStep &step, const StepControl &control,
                     const std::function<bool(double)> &progress, CompressStepReport &report);

/// Makes what is wanted where it is not there, does not know of all runs, or is asked for. After
/// that only what the study does not say itself is remembered: an error that is half of the
/// measured one, or that nothing in few bits is within.
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
