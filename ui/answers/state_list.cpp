// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/state_list.h"

#include "core/support/csv_line.h"
#include "ui/controls/plain_text.h"

#include <cmath>
#include <limits>
#include <utility>

namespace gridhelm::ui {

void StateList::setRows(const QStringList &columns, std::vector<StateRow> rows)
{
    beginResetModel();
    m_columns = columns;
    m_rows = std::move(rows);
    endResetModel();
}

void StateList::setRow(std::size_t row, StateRow state)
{
    m_rows.at(row) = std::move(state);
    emit dataChanged(index(static_cast<int>(row), 0),
                     index(static_cast<int>(row), columnCount() - 1));
}

std::vector<double> StateList::numbers(std::size_t row) const
{
    auto all = m_rows.at(row).parameters;
    const auto &responses = m_rows[row].responses;
    all.insert(all.end(), responses.begin(), responses.end());
    return all;
}

double StateList::number(std::size_t row, std::size_t column) const
{
    const auto &[name, parameters, responses, isRun] = m_rows.at(row);
    if (column < parameters.size())
        return parameters[column];
    column -= parameters.size();
    return column < responses.size() ? responses[column] : std::numeric_limits<double>::quiet_NaN();
}

std::string StateList::csv() const
{
    std::string table = "state";
    for (const auto &column : m_columns)
        table += "," + csvCell(column.toStdString());
    table += "\n";
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        table += csvCell(m_rows[row].name.toStdString());
        for (const double number : numbers(row))
            table += ","
                     + (std::isnan(number) ? std::string()
                                           : QByteArray::number(number, 'g', 17).toStdString());
        table += "\n";
    }
    return table;
}

int StateList::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int StateList::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : 1 + static_cast<int>(m_columns.size());
}

QVariant StateList::data(const QModelIndex &index, int role) const
{
    const auto row = static_cast<std::size_t>(index.row());
    if (index.column() == 0) {
        if (role == Qt::DisplayRole)
            return m_rows[row].name;
        return role == sortRole ? QVariant(index.row()) : QVariant();
    }
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != sortRole)
        return {};
    const double shown = number(row, static_cast<std::size_t>(index.column() - 1));
    if (std::isnan(shown))
        return {};
    return role == sortRole ? QVariant(shown) : QVariant(QString::number(shown, 'g', 5));
}

QVariant StateList::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == 0 ? QString("Design") : cleanLine(m_columns.at(section - 1));
}

} // namespace gridhelm::ui
