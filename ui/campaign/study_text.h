// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/campaign/study_state.h"

#include <QString>

namespace gridhelm::ui {

/// What is missing until there is something to show, and what to do about it: one or two
/// sentences; empty: nothing.
QString nextStepOf(const StudyState &state);
/// Of its grid, its runs and its file, in two lines.
QString summaryOf(const StudyState &state);
/// The errors that have been measured, as a table in HTML.
QString errorsOf(const StudyState &state);

} // namespace gridhelm::ui
