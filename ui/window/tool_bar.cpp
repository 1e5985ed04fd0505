// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tool_bar.h"

#include <QAction>
#include <QDockWidget>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>

namespace gridhelm::ui {
namespace {

const QString downArrow = " \u25be"; ///< behind what opens a list

/// What the bar calls the entry.
QString nameOnButton(const QAction &choice)
{
    return choice.text().remove('&');
}

} // namespace

void fillToolBar(QToolBar &bar, const QList<QList<QAction *>> &groups)
{
    for (const auto &group : groups) {
        if (&group != &groups.first())
            bar.addSeparator();
        bar.addActions(group);
    }
    for (auto *entry : bar.actions()) {
        auto *button = qobject_cast<QToolButton *>(bar.widgetForAction(entry));
        if (!button)
            continue;
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(nameOnButton(*entry).remove(" ..."));
        if (!entry->menu())
            continue;
        button->setPopupMode(QToolButton::InstantPopup);
        if (bar.toolButtonStyle() == Qt::ToolButtonIconOnly)
            continue;
        int widest = 0; // else the others move with every choice
        for (const auto *choice : entry->menu()->actions())
            widest =
                std::max(widest, button->fontMetrics().horizontalAdvance(nameOnButton(*choice)));
        constexpr int arrowAndMargins = 24;
        button->setMinimumWidth(widest + arrowAndMargins);
    }
}

QAction *nameless(QAction &action, const QString &text, QToolBar &bar)
{
    auto *copy = new QAction(action.icon(), text, &bar);
    QObject::connect(copy, &QAction::triggered, &action, &QAction::trigger);
    copy->setEnabled(false);
    const auto follow = [&action, copy] {
        copy->setEnabled(action.isEnabled());
        copy->setToolTip(action.text().remove('&') + " ("
                         + action.shortcut().toString(QKeySequence::NativeText) + ")");
    };
    QObject::connect(&action, &QAction::changed, copy, follow);
    follow();
    return copy;
}

QAction *chooserOf(const QList<QAction *> &choices, const QString &what, QToolBar &bar)
{
    auto *menu = new QMenu(&bar);
    menu->addActions(choices);
    menu->setToolTipsVisible(true);
    auto *chooser = menu->menuAction();
    chooser->setToolTip("How the field is drawn");
    const auto follow = [choices, what, chooser] {
        const auto at =
            std::ranges::find_if(choices, [](const QAction *one) { return one->isChecked(); });
        const auto *shown = at == choices.end() ? choices.constFirst() : *at;
        chooser->setText((at == choices.end() ? what : nameOnButton(*shown)) + downArrow);
        chooser->setIcon(shown->icon());
        chooser->setEnabled(shown->isEnabled());
    };
    for (const auto *choice : choices)
        QObject::connect(choice, &QAction::changed, chooser, follow);
    follow();
    return chooser;
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
        toggles << toggle;
    }
    return toggles;
}

} // namespace gridhelm::ui
