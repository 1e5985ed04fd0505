// SPDX-License-Identifier: GPL-3.0-or-later
//
// Modal coefficients with no more digits than an error needs: a file keeps multiples of a step in
// a fraction of the bytes that float32 takes (ARCHITECTURE.md, "Quantised rows").
#pragma once

#include "core/modes/modal_surrogate.h"

#include <cstddef>

namespace gridhelm::modes {

/// The step for coefficients of so many orthonormal modes: the largest power of 2 by which a
/// combination of rows is off by no more than `error`, in the mean. `weights` is the Euclidean norm
/// of the combination's weights. An error of at most half a step, evenly, has the square
/// step^2 / 12, and those of modes and rows do not hang together:
/// error^2 = modes weights^2 step^2 / 12. 0, for exact ones, if there is no such step.
double coefficientStep(double error, std::size_t modes, double weights);

/// Each coefficient as the nearest multiple of the step, a power of 2, in which float32 loses
/// nothing more. Residuals are the same, though larger now: they are to be measured again.
ModalRows roundedRows(const ModalRows &rows, double step);

/// No smaller, and off by 2^-16 of the largest at most: residuals are bounds.
void roundUp(std::vector<float> &residuals);

} // namespace gridhelm::modes
