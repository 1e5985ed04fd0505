// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the live numbers of a run mean, for those who see them for the first time.
#pragma once

#include "ui/solve/run_update.h"

#include <QString>

namespace gridhelm::ui {

/// "settled, converged"; "running".
QString runStateText(const RunState &state);

/// What the run is doing, why it has ended, what its figures are, and what it began with:
/// `start` is empty after a cold start.
QString explanationOf(const RunState &state, const QString &start);

/// Of iterations, operations and bytes per second.
QString explanationOfRates();

} // namespace gridhelm::ui
