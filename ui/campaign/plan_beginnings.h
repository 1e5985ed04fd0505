// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace gridhelm::ui {

/// A plan to be changed: of a built-in sample, "program" for any command, or "files" for results
/// that exist already.
QString planToBeginWith(const QString &what);

} // namespace gridhelm::ui
