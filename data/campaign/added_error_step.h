// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows in few bits, as a compression step asks for them. Private to data.
#pragma once

#include "data/campaign/campaign_steps.h"

#include <functional>
#include <optional>
#include <string>

namespace gridhelm::data {

/// Twice what may be added as half of the error (quantisation.md, eq:half-error), of the errors at
/// hold-outs, or where there are none of those left out; none: nothing was measured.
std::optional<double> errorToHalve(const Study &study, FieldIndex field);

/// What may be added to the field's error now: 0 where half of it is asked for, and it was not
/// measured or is too small.
double allowedError(const Study &study, FieldIndex field, const AddedErrorStep &step,
                    CompressStepReport &report);

/// The modes of the field in few bits, if that is possible; false if it was stopped.
bool quantise(StudyWriter &writer, FieldIndex field, double allowed, const CompressStep &step,
              const StepControl &control, const std::function<bool(double)> &progress,
              bool &isQuantised);

/// Of a sparse grid's field that has modes, exact ones or (`isQuantised`) in few bits: its
/// coefficients take their place, in few bits or as float32, if a picture is then quicker. A byte
/// of codes is taken for more than one of float32, since it is to be decoded. False if it was
/// stopped.
bool chooseForm(StudyWriter &writer, FieldIndex field, double allowed, bool isQuantised,
                const CompressStep &step, const StepControl &control,
                const std::function<bool(double)> &progress, FormChoice &choice);

/// A sentence: no number of modes is within what is allowed.
std::string staysExact(const Study &study, FieldIndex field, double allowed);

} // namespace gridhelm::data
