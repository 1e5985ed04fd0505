// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameters/parameter_space.h"

namespace gridhelm {

/// The same parameters, their units as they may be shown (core/support/clean_text.h). Names always
/// may.
ParameterSpace withCleanUnits(const ParameterSpace &space);

} // namespace gridhelm
