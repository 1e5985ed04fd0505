// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

#include <functional>

namespace gridhelm::ui {

/// What the command palette offers.
struct Command
{
    QString text;        ///< "View > Camera > From x"
    QString key = {};    ///< its shortcut; empty: none
    QString reason = {}; ///< why it cannot be done now; empty: it can
    QIcon icon = {};
    std::function<void()> run = {}; ///< none: `typed` comes into the field instead
    QString typed = {};
};

} // namespace gridhelm::ui
