// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/table_copying.h"

#include "core/support/csv_line.h"

#include <QAbstractItemView>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>

#include <functional>
#include <sstream>

namespace gridhelm::ui {
namespace {

QString tsvLine(int cells, const std::function<std::string(int column)> &textOf)
{
    QStringList line;
    for (int column = 0; column < cells; ++column)
        line << QString::fromStdString(csvCell(textOf(column)));
    return line.join('\t') + '\n';
}

QString tsvRows(const QAbstractItemView &view, const QModelIndex &parent)
{
    const auto &model = *view.model();
    const auto &selection = *view.selectionModel();
    QString text;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        if (!selection.hasSelection() || selection.rowIntersectsSelection(row, parent))
            text += tsvLine(model.columnCount(parent), [&](int column) {
                return model.index(row, column, parent).data().toString().toStdString();
            });
        text += tsvRows(view, model.index(row, 0, parent));
    }
    return text;
}

} // namespace

QString tsvOf(const QAbstractItemView &view)
{
    const auto &model = *view.model();
    return tsvLine(model.columnCount(),
                   [&](int column) {
                       return model.headerData(column, Qt::Horizontal).toString().toStdString();
                   })
           + tsvRows(view, {});
}

QString tsvOfCsv(const std::string &csv)
{
    QString text;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        const auto cells = csvCells(line, "a table");
        text += tsvLine(static_cast<int>(cells.size()),
                        [&](int column) { return cells[static_cast<std::size_t>(column)]; });
    }
    return text;
}

TableCopying::TableCopying(QAbstractItemView &view)
    : QObject(&view)
    , m_view(view)
{
    auto *action = new QAction("Copy", &view);
    // No shortcut: there would be as many of the same as there are tables.
    action->setToolTip("The selected rows, or all of them, for a spreadsheet (Ctrl+C)");
    connect(action, &QAction::triggered, this, &TableCopying::copy);
    view.addAction(action);
    if (view.contextMenuPolicy() == Qt::DefaultContextMenu)
        view.setContextMenuPolicy(Qt::ActionsContextMenu);
    view.installEventFilter(this);
}

bool TableCopying::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress
        || !static_cast<QKeyEvent *>(event)->matches(QKeySequence::Copy))
        return QObject::eventFilter(watched, event);
    copy();
    return true;
}

void TableCopying::copy() const
{
    QGuiApplication::clipboard()->setText(tsvOf(m_view));
}

} // namespace gridhelm::ui
