// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tool_bar.h"

#include <QAction>
#include <QDockWidget>
#include <QToolBar>

namespace gridhelm::ui {

void fillToolBar(QToolBar &bar, const QList<QList<QAction *>> &groups)
{
    for (const auto &group : groups) {
        if (&group != &groups.first())
            bar.addSeparator();
        bar.addActions(group);
    }
}

QAction *nameless(QAction &action, const QString &text, QToolBar &bar)
{
    auto *copy = new QAction(text, &bar);
    QObject::connect(copy, &QAction::triggered, &action, &QAction::trigger);
    copy->setEnabled(false);
    QObject::connect(&action, &QAction::changed, copy, [&action, copy] {
        copy->setEnabled(action.isEnabled());
        copy->setToolTip(action.text().remove('&') + " ("
                         + action.shortcut().toString(QKeySequence::NativeText) + ")");
    });
    return copy;
}

QList<QAction *> togglesOf(const QList<QDockWidget *> &docks)
{
    QList<QAction *> toggles;
    for (auto *dock : docks) {
        auto *toggle = dock->toggleViewAction();
        QObject::connect(toggle, &QAction::triggered, dock, [dock](bool isOn) {
            if (isOn)
                dock->raise();
        });
        toggle->setToolTip("Shows or hides the panel " + dock->windowTitle());
        toggles << toggle;
    }
    return toggles;
}

} // namespace gridhelm::ui
