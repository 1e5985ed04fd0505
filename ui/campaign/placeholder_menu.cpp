// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/placeholder_menu.h"

#include "ui/controls/plain_text.h"

#include <QMenu>

#include <utility>

namespace gridhelm::ui {

PlaceholderMenu::PlaceholderMenu(const QString &what,
                                 std::function<std::vector<Placeholder>()> list, QWidget *parent)
    : QToolButton(parent)
{
    setText("Insert {…}");
    setToolTip(what + ": a word in braces that becomes a value in each run");
    setAccessibleName(what);
    setFocusPolicy(Qt::StrongFocus);
    setPopupMode(InstantPopup);
    auto *menu = new QMenu(this);
    setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu, list = std::move(list)] {
        menu->clear();
        for (const auto &[name, meaning] : list()) {
            const auto placeholder = "{" + name + "}";
            auto *action = menu->addAction(plainName(placeholder + "   " + meaning));
            connect(action, &QAction::triggered, this,
                    [this, placeholder] { emit chosen(placeholder); });
        }
        if (menu->isEmpty())
            menu->addAction("(the plan has no parameters yet)")->setEnabled(false);
    });
}

} // namespace gridhelm::ui
