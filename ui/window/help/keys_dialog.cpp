// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help/keys_dialog.h"

#include <QAction>
#include <QDialog>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr auto nameOfDialog = "keys";

struct Row
{
    QString key, what;
};

void addRows(QTreeWidget &tree, const QString &where, const QList<Row> &rows)
{
    auto *group = new QTreeWidgetItem(&tree, {where});
    group->setFirstColumnSpanned(true);
    group->setExpanded(true);
    for (const auto &row : rows)
        new QTreeWidgetItem(group, {row.key, row.what});
}

QList<Row> rowsOfActions(const QWidget &window)
{
    QList<Row> rows;
    for (const auto *action : window.findChildren<QAction *>()) {
        if (!action->shortcut().isEmpty())
            rows.push_back(
                {QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText)
                     .replace("; ", ", "),
                 action->text().remove('&').remove(" ...")});
    }
    return rows;
}

} // namespace

void showKeys(QWidget &window)
{
    if (auto *there = window.findChild<QDialog *>(nameOfDialog); there && there->isVisible()) {
        there->raise();
        there->activateWindow();
        return;
    }
    auto *dialog = new QDialog(&window);
    dialog->setObjectName(nameOfDialog);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle("Keys");
    // Not a text with a table: laying that out takes a tenth of a second.
    auto *tree = new QTreeWidget(dialog);
    tree->setAccessibleName("Keys and what they do");
    tree->setToolTip("What keys and the mouse do");
    tree->setHeaderLabels({"Key", "What it does"});
    tree->setRootIsDecorated(false);
    tree->setSelectionMode(QAbstractItemView::NoSelection);
    tree->setUniformRowHeights(true);
    addRows(*tree, "In the window", rowsOfActions(window));
    addRows(*tree, "On a slider",
            {{"Arrows, wheel", "1 % of the range; with Shift 10 %; with Alt 0.1 %; with Ctrl from "
                               "mark to mark"},
             {"R, double click on the handle", "back to where it began"}});
    addRows(*tree, "In the view",
            {{"Drag", "turn (flat fields: move); with Shift move"},
             {"Wheel, +, -", "nearer, farther"},
             {"Arrows", "turn or move"},
             {"Click", "values there, in the panel Probe"},
             {"Alt and drag", "values along a line"},
             {"Double click, Home", "all of it"}});
    tree->resizeColumnToContents(0);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    buttons->button(QDialogButtonBox::Close)->setToolTip("Closes this list (Esc)");
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto *layout = new QVBoxLayout(dialog);
    layout->addWidget(tree);
    layout->addWidget(buttons);
    dialog->resize(620, std::max(300, std::min(window.height() - 60, 700)));
    dialog->show();
}

} // namespace gridhelm::ui
