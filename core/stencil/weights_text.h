// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stencil/stencil.h"

#include <string>

namespace gridhelm::stencil {

/// The weights as a table for people, in lines of one width: columns are x, rows y (upwards), one
/// table for each z that has neighbours. Weights that are no numbers have names (w1, w2, ...),
/// whose formulas follow; coefficients are called c1, c2, ... in their order.
std::string weightsText(const Stencil &stencil);

} // namespace gridhelm::stencil
