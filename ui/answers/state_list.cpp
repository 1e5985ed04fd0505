// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/state_list.h"

#include "core/support/csv_line.h"
#include "ui/controls/plain_text.h"

#include <cmath>
#include <limits>
#include <utility>

namespace gridhelm::ui {

void StateList::setRows(const QStringList &parameters, const QStringList &responses,
                        std::vector<StateRow> rows)
{
    beginResetModel();
    m_columns = parameters;
    for (const auto &response : responses)
        m_columns << response << response + "_surrogate";
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
    const auto &state = m_rows.at(row);
    auto all = state.parameters;
    for (std::size_t k = 0; k < state.responses.size(); ++k)
        all.push_back(std::isnan(state.responses[k]) ? state.predicted[k] : state.responses[k]);
    return all;
}

double StateList::number(std::size_t row, std::size_t column) const
{
    const auto &state = m_rows.at(row);
    if (column < state.parameters.size())
        return state.parameters[column];
    column -= state.parameters.size();
    const auto &values = column % 2 == 0 ? state.responses : state.predicted;
    return column / 2 < values.size() ? values[column / 2]
                                      : std::numeric_limits<double>::quiet_NaN();
}

std::string StateList::csv() const
{
    std::string table = "state";
    for (const auto &column : m_columns)
        table += "," + csvCell(column.toStdString());
    table += "\n";
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        table += csvCell(m_rows[row].name.toStdString());
        for (std::size_t column = 0; column < static_cast<std::size_t>(m_columns.size());
             ++column) {
            const double shown = number(row, column);
            table += ","
                     + (std::isnan(shown) ? std::string()
                                          : QByteArray::number(shown, 'g', 17).toStdString());
        }
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
