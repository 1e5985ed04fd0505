// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a picture is dark because its values may be far off.
#pragma once

#include "core/surrogate/error_band.h"

#include <optional>
#include <string>

namespace gridhelm::ui {

/// The indicator from which on a node may be off by more than `error`, both in the field's unit; no
/// band: the indicator itself is what counts. Where a band does not depend on the indicator, that
/// is below or above all of them.
double indicatorAt(double error, const std::optional<ErrorBand> &band);

/// What the dark parts are; `percent` of the range of the colours.
std::string lowConfidenceText(double percent, const std::optional<ErrorBand> &band);

} // namespace gridhelm::ui
