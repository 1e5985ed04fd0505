// SPDX-License-Identifier: GPL-3.0-or-later
//
// What fields are to be evaluated by: what a step asks for, and what they had before, which is made
// again when there is more (data/campaign/make_means.h). Private to data.
#pragma once

#include "data/campaign/campaign_steps.h"
#include "data/study/field_means.h"

#include <stop_token>
#include <vector>

namespace gridhelm::data {

/// What the study has. An error is then a number, whatever it was once.
FieldMeans presentMeans(const Study &study, FieldIndex field);

/// What fields are evaluated by, or shall be once a compression that was interrupted goes on.
std::vector<FieldMeans> meansOf(const Study &study);

/// To be called before anything takes away what is there: it is made by the next compressStep().
void rememberMeans(StudyWriter &writer, const std::vector<FieldMeans> &means);
/// The same when they could not be made: what the study has needs no remembering.
void rememberLostMeans(StudyWriter &writer, const std::vector<FieldMeans> &before);

/// The same with what the step asks for. Throws gridhelm::Error for fields that are not there, and
/// for what the study cannot have.
std::vector<FieldMeans> wantedMeans(const Study &study, const CompressStep &step);

/// The same, where what is chosen is chosen again, with the degree.
std::vector<FieldMeans> chosenAgain(std::vector<FieldMeans> means);

/// Chooses the degree if that is asked for, before compressing; forgets how it was chosen if the
/// step has degrees.
void chooseDegree(StudyWriter &writer, const std::vector<FieldMeans> &wanted,
                  const CompressStep &step, const std::stop_token &stop);

/// Whether any field is kriged, or may be.
bool isAnyKriged(const std::vector<FieldMeans> &means);

} // namespace gridhelm::data
