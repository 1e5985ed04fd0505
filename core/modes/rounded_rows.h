// SPDX-License-Identifier: GPL-3.0-or-later
//
// Modal coefficients with no more digits than an error needs: a file keeps multiples of a step in
// a fraction of the bytes that float32 takes (docs/theory/quantisation.md).
#pragma once

#include "core/modes/modal_surrogate.h"

#include <cstddef>

namespace gridhelm::modes {

/// A first guess for the step of coefficients of so many orthonormal modes: the largest power of 2
/// by which a combination of rows is off by no more than `error`, in the mean, if errors of rows do
/// not hang together. `weights` is the Euclidean norm of the combination's weights. An error of at
/// most half a step, evenly, has the square step^2 / 12: error^2 = modes weights^2 step^2 / 12.
/// Coefficients of smooth functions are rounded the same way side by side, so that it is to be
/// measured. 0, for exact ones, if there is no such step.
double coefficientStep(double error, std::size_t modes, double weights);

/// Each coefficient as the nearest multiple of the step, a power of 2, in which float32 loses
/// nothing more. Residuals are the same, though larger now: they are to be measured again.
ModalRows roundedRows(const ModalRows &rows, double step);

/// No smaller, and off by less than 2^-15 of the largest: residuals are bounds.
void roundUp(std::vector<float> &residuals);

} // namespace gridhelm::modes
