// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers of tables for the clipboard: tab-separated, as spreadsheets take them. What they would
// compute or start is only text in them (core/support/csv_line.h).
#pragma once

#include <QObject>
#include <QString>

#include <string>

class QAbstractItemView;

namespace gridhelm::ui {

/// With its headers: the rows of which something is selected; all, if nothing is. Those of a tree
/// one below the other.
QString tsvOf(const QAbstractItemView &view);
/// Of a table as csvCell() makes them.
QString tsvOfCsv(const std::string &csv);

/// Copies the rows of a view: its menu has an entry, and Ctrl+C does it.
class TableCopying : public QObject
{
    Q_OBJECT

public:
    /// Belongs to the view.
    explicit TableCopying(QAbstractItemView &view);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void copy() const;

    QAbstractItemView &m_view;
};

} // namespace gridhelm::ui
