// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a refinement is for: which fields' errors count, and where. Private to data.
#pragma once

#include "data/campaign/refine_step.h"
#include "data/campaign/surrogate_step.h"
#include "data/evaluate/block_gains.h"

#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::data {

/// Relative to what float32 snapshots can show.
inline constexpr double leastWishedError = 1e-6;

std::string waitText(std::uint64_t runs); ///< "2 runs wait"

/// Neither stopped nor paused.
bool goesOn(const StepControl &control);

/// Throws gridhelm::Error as refineStep() does.
void requireSensible(const StudyWriter &writer, const RefineStep &step);

/// All, or that of the name.
std::vector<FieldIndex> fieldsOf(const Study &study, const std::string &name);

/// Whether it is the error everywhere that counts, which hold-outs can confirm.
bool countsEverywhere(const RefineStep &step);

/// Of each field. Throws gridhelm::Error for a region without values.
std::vector<ErrorThatCounts> countsOf(const Study &study, const std::vector<FieldIndex> &fields,
                                      const RefineStep &step);

/// The step, where the kind of surrogate is chosen if the step leaves it open in a study of an
/// adaptive plan that has not been refined yet, where nothing was chosen by hand, and runs may be
/// at any places. To be called before runs are begun: it reads the plan, in a process of its own.
RefineStep settled(const Study &study, RefineStep step, const std::stop_token &stop);

/// What fields are to be evaluated by from now on: as the step says; else as they are.
std::vector<FieldMeans> meansFor(const Study &study, const RefineStep &step);

/// Computes what these evaluate by, where `wanted` says, and measures its errors, without points
/// that are missing. False if it was stopped.
bool compressAgain(StudyWriter &writer, const std::vector<FieldMeans> &means,
                   const RefineStep &wanted, const StepControl &control,
                   ComputedOn *where = nullptr);

/// Of the fields whose errors count those whose surrogate is chosen, and so the places of the runs:
/// where the error everywhere counts.
std::vector<FieldIndex> fieldsToChooseBy(const std::vector<FieldIndex> &fields,
                                         const std::vector<FieldMeans> &means,
                                         const RefineStep &step);

} // namespace gridhelm::data
