// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/run_table_model.h"

#include "core/solvers/run/run_plan.h"
#include "core/support/csv_line.h"
#include "ui/controls/plain_text.h"
#include "ui/plot/plot_style.h"

#include <QGuiApplication>
#include <QPalette>
#include <QPixmap>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace gridhelm::ui {
namespace {

constexpr int swatchSide = 10;

struct ColumnText
{
    const char *title;
    const char *csvTitle;
    std::string_view tip;
};

constexpr std::array<ColumnText, RunTableModel::columnCountOfAll> columnTexts{{
    {"Run", "run", "The check box shows the run's curve; the name can be edited (F2)"},
    {"State", "state",
     "Whether the run goes on, and how it ended; settled: it waits for a parameter to change"},
    {"Method", "method", "Solver, method and precision; warm start: it began with a field"},
    {"Size", "size", "Unknowns, or nodes"},
    {"Iterations", "iterations", "Iterations, or sweeps, done"},
    {"Residual", "residual", meaningOf(solvers::Quantity::residual)},
    {"Change", "largest_change", meaningOf(solvers::Quantity::change)},
    {"Error", "error", meaningOf(solvers::Quantity::error)},
    {"Time [s]", "seconds", "Seconds spent advancing, without computing the figures"},
    {"Iterations/s", "iterations_per_second", "Mean over the whole run"},
    {"GFlop/s", "gflops_per_second", "By the solver's stated count of operations"},
    {"GB/s", "gigabytes_per_second", "By the solver's stated count of bytes"},
}};

double perSecond(double amount, const RunState &state)
{
    return state.report.seconds > 0 ? amount / state.report.seconds : solvers::StepReport::none;
}

/// NaN where a column holds no number, or there is none.
double numberIn(const RunRecord &record, int column)
{
    const auto &report = record.state.report;
    switch (column) {
    case RunTableModel::iterationsColumn:
        return static_cast<double>(report.iterations);
    case RunTableModel::residualColumn:
        return report.residual;
    case RunTableModel::changeColumn:
        return report.largestChange;
    case RunTableModel::errorColumn:
        return report.error;
    case RunTableModel::secondsColumn:
        return report.seconds;
    case RunTableModel::rateColumn:
        return perSecond(static_cast<double>(report.iterations), record.state);
    case RunTableModel::flopsColumn:
        return perSecond(report.flops, record.state) * 1e-9;
    case RunTableModel::bytesColumn:
        return perSecond(report.bytes, record.state) * 1e-9;
    default:
        return solvers::StepReport::none;
    }
}

} // namespace

QString textOf(RunPhase phase)
{
    switch (phase) {
    case RunPhase::preparing:
        return "preparing";
    case RunPhase::running:
        return "running";
    case RunPhase::paused:
        return "paused";
    case RunPhase::settled:
        return "settled";
    case RunPhase::finished:
        return "finished";
    case RunPhase::cancelled:
        return "cancelled";
    case RunPhase::failed:
        break;
    }
    return "failed";
}

int RunTableModel::add(const QString &name, const QString &method, const QString &size)
{
    RunRecord record;
    record.id = ++m_lastId;
    record.name = name;
    record.method = method;
    record.size = size;
    while (std::ranges::any_of(m_records, [&](const auto &each) {
        return each.colour == record.colour;
    })) // the first colour that is free
        ++record.colour;
    const auto row = static_cast<int>(m_records.size());
    beginInsertRows({}, row, row);
    m_records.push_back(std::move(record));
    endInsertRows();
    return m_lastId;
}

void RunTableModel::update(int id, const RunState &state)
{
    const int row = rowOf(id);
    if (row < 0)
        return;
    m_records[static_cast<std::size_t>(row)].state = state;
    emit dataChanged(index(row, stateColumn), index(row, columnCountOfAll - 1));
}

void RunTableModel::remove(int id)
{
    const int row = rowOf(id);
    if (row < 0)
        return;
    beginRemoveRows({}, row, row);
    m_records.erase(m_records.begin() + row);
    endRemoveRows();
    emit removed(id);
}

int RunTableModel::rowOf(int id) const
{
    const auto found = std::ranges::find(m_records, id, &RunRecord::id);
    return found == m_records.end() ? -1 : static_cast<int>(found - m_records.begin());
}

const RunRecord *RunTableModel::record(int id) const
{
    const int row = rowOf(id);
    return row < 0 ? nullptr : &m_records[static_cast<std::size_t>(row)];
}

QString RunTableModel::csv() const
{
    std::string text;
    for (const auto &column : columnTexts)
        text += (text.empty() ? "" : ",") + std::string(column.csvTitle);
    text += "\n";
    for (const auto &record : m_records) {
        for (int column = 0; column < columnCountOfAll; ++column) {
            const double number = numberIn(record, column);
            if (column > 0)
                text += ",";
            if (column < iterationsColumn)
                text += csvCell(this->text(record, column).toStdString());
            else if (!std::isnan(number))
                text += fmt::format("{}", number);
        }
        text += "\n";
    }
    return QString::fromStdString(text);
}

int RunTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_records.size());
}

int RunTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columnCountOfAll;
}

QString RunTableModel::text(const RunRecord &record, int column) const
{
    switch (column) {
    case nameColumn:
        return record.name;
    case stateColumn:
        return textOf(record.state.phase);
    case methodColumn:
        return record.method;
    case sizeColumn:
        return record.size;
    case iterationsColumn:
        return QString::number(record.state.report.iterations);
    default:
        break;
    }
    const double number = numberIn(record, column);
    if (std::isnan(number))
        return "–";
    const bool isTiny = column == residualColumn || column == changeColumn || column == errorColumn;
    return QString::fromStdString(isTiny ? fmt::format("{:.2e}", number)
                                         : fmt::format("{:.4g}", number));
}

QVariant RunTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto &record = m_records[static_cast<std::size_t>(index.row())];
    const bool isName = index.column() == nameColumn;
    switch (role) {
    case Qt::DisplayRole:
        return text(record, index.column());
    case Qt::EditRole:
        return isName ? QVariant(record.name) : QVariant(text(record, index.column()));
    case Qt::ToolTipRole:
        return record.state.message.empty()
                   ? QVariant()
                   : plainTip(QString::fromStdString(record.state.message));
    case Qt::CheckStateRole:
        return isName ? QVariant(record.isShown ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::DecorationRole: {
        if (!isName)
            return {};
        QPixmap swatch(swatchSide, swatchSide);
        swatch.fill(curveColour(QGuiApplication::palette(), record.colour));
        return swatch;
    }
    case Qt::TextAlignmentRole:
        return index.column() >= iterationsColumn ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                                  : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCountOfAll)
        return role == Qt::DisplayRole && section >= 0 && section < rowCount()
                   ? QVariant(section + 1)
                   : QVariant();
    const auto &texts = columnTexts[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return QString(texts.title);
    if (role == Qt::ToolTipRole)
        return QString::fromUtf8(texts.tip);
    return {};
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex &index) const
{
    auto flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == nameColumn)
        flags |= Qt::ItemIsEditable | Qt::ItemIsUserCheckable;
    return flags;
}

bool RunTableModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || index.column() != nameColumn)
        return false;
    auto &record = m_records[static_cast<std::size_t>(index.row())];
    if (role == Qt::CheckStateRole) {
        record.isShown = value.toInt() == Qt::Checked;
    } else if (role == Qt::EditRole) {
        const auto name = value.toString().trimmed();
        if (name.isEmpty())
            return false;
        record.name = name;
    } else {
        return false;
    }
    emit dataChanged(index, index, {role, Qt::DisplayRole});
    emit curveChanged(record.id);
    return true;
}

} // namespace gridhelm::ui
