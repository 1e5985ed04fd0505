// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>

namespace gridhelm::ui {

/// Asks before a grid grows, since there is no way back once the first of its runs is there. Enter
/// and Escape mean no.
class GrowQuestion : public QMessageBox
{
public:
    /// `added`: points, jobs and time, "76 points, 76 jobs".
    GrowQuestion(int level, const QString &added, QWidget *parent);
};

} // namespace gridhelm::ui
