// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/execution.h"

#include <QDialog>

namespace gridhelm::ui {

/// Shows what a study's plan would execute, as plain text, and asks whether the user trusts it.
/// Accepted: yes. Nothing but the button means yes.
class TrustDialog : public QDialog
{
public:
    TrustDialog(const QString &study, const data::Execution &execution, QWidget *parent);
};

} // namespace gridhelm::ui
