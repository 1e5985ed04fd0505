// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace gridhelm::ui {

/// The shortest text that reads back as the same number: "0.1", "1e-06".
QString numberText(double value);
/// The same of what somebody may have typed; a number with more digits (a place of the grid, say)
/// as a slider's field has room for it: "316.227766".
QString shortNumberText(double value);
/// Rounded to a whole number, for reading: 12345.6 -> "12,346".
QString groupedText(double value);

} // namespace gridhelm::ui
