// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/execution.h"

#include <QDialog>

namespace gridhelm::ui {

/// Shows what a plan would execute, as plain text, and asks whether the user trusts it. Accepted:
/// yes. Nothing but the button means yes.
class TrustDialog : public QDialog
{
public:
    /// `why`: what is asked, as a sentence, any text.
    TrustDialog(const QString &why, const data::Execution &execution, QWidget *parent);

    /// That the user trusts this; why it could not be remembered, or nothing.
    static QString remember(const data::Execution &execution);
};

} // namespace gridhelm::ui
