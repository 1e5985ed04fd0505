// SPDX-License-Identifier: GPL-3.0-or-later
//
// Errors at runs that are left out, without leaving them out ([Dubrule1983]; surrogates.md,
// eq:kriging-left-out): hyperparameters stay, the mean is estimated again.
#pragma once

#include "core/kriging/likelihood.h"

namespace gridhelm::kriging {

/// (B y)_i / B_ii for each output, one in each column: the value of run i less its prediction from
/// all others. `weights` are B y, and `diagonal` that of B.
Matrix leaveOneOutErrors(const Matrix &weights, const Vector &diagonal);

/// Root of the mean square of these errors over outputs and runs, relative to the same of the
/// values less each output's mean (the absolute one where all are constant). Infinity where the
/// correlations are singular to round-off.
double relativeLeaveOneOut(const Runs &runs, const Form &form,
                           const Hyperparameters &hyperparameters);

} // namespace gridhelm::kriging
