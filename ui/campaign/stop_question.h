// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/campaign/campaign_worker.h"

#include <QMessageBox>

namespace gridhelm::ui {

/// Asks whether what is running is to be stopped, so that the window can close; says what runs,
/// what is kept and what is lost. Accepted: stop it. Enter and Escape mean no.
class StopQuestion : public QMessageBox
{
public:
    /// `progress` is what is said of it while it runs.
    StopQuestion(Work work, const QString &progress, QWidget *parent);
};

} // namespace gridhelm::ui
