// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/scattered_column_model.h"

#include "ui/campaign/choice_delegate.h"
#include "ui/controls/number_text.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"

#include <QGuiApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace gridhelm::ui {
namespace {

using data::ColumnRole;

struct RoleInfo
{
    ColumnRole role;
    const char *text;
};
constexpr std::array roleInfos{
    RoleInfo{ColumnRole::parameter, "parameter"}, RoleInfo{ColumnRole::time, "time"},
    RoleInfo{ColumnRole::file, "file of the run"}, RoleInfo{ColumnRole::response, "response"},
    RoleInfo{ColumnRole::ignored, "ignored"}};

QString textOf(ParameterScale scale)
{
    return QString::fromUtf8(toString(scale));
}

QString textOf(ColumnRole role)
{
    return QString::fromUtf8(std::ranges::find(roleInfos, role, &RoleInfo::role)->text);
}

bool isSteered(ColumnRole role)
{
    return role == ColumnRole::parameter || role == ColumnRole::time;
}

struct ColumnInfo
{
    const char *title, *explanation;
};
constexpr std::array<ColumnInfo, ScatteredColumnModel::firstValues> columnInfos{
    {{"Column", "As the first line of the table has it"},
     {"Role", "A parameter is steered, a response is a number that a run gave, and a file holds "
              "the fields of a run; rows that differ in the time alone are one run"},
     {"From", "The lower end of the parameter's range; runs below it are left out"},
     {"To", "The upper end of the parameter's range; runs above it are left out"},
     {"Scale", "Logarithmic for what goes over decades, as a permeability does: halfway is then a "
               "factor, not a difference"},
     {"Issues", "What has to be put right before anything is imported"}}};

QString cleaned(const std::string &text)
{
    return cleanLine(QString::fromStdString(text));
}

} // namespace

void ScatteredColumnModel::setFile(const std::shared_ptr<const ScatteredFile> &file)
{
    beginResetModel();
    m_file = file;
    m_roles = file ? file->roles : std::vector<ColumnRole>();
    m_ranges.assign(m_roles.size(), std::nullopt);
    m_scales = file ? file->scales : std::vector<ParameterScale>();
    m_problems.assign(m_roles.size(), QString());
    endResetModel();
}

void ScatteredColumnModel::setProblems(const std::vector<data::ColumnProblem> &problems)
{
    m_problems.assign(m_roles.size(), QString());
    for (const auto &one : problems)
        if (one.column && *one.column < m_problems.size())
            m_problems[*one.column] = cleaned(one.sentence);
    if (!m_problems.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

std::map<std::string, data::ScatteredRange, std::less<>> ScatteredColumnModel::ranges() const
{
    std::map<std::string, data::ScatteredRange, std::less<>> ranges;
    for (std::size_t c = 0; c < m_roles.size(); ++c)
        if (isSteered(m_roles[c]) && m_ranges[c])
            ranges[m_file->cells.columns()[c].name] = *m_ranges[c];
    return ranges;
}

std::map<std::string, ParameterScale, std::less<>> ScatteredColumnModel::scales() const
{
    std::map<std::string, ParameterScale, std::less<>> scales;
    for (std::size_t c = 0; c < m_roles.size(); ++c)
        if (m_roles[c] == ColumnRole::parameter)
            scales[m_file->cells.columns()[c].name] = m_scales[c];
    return scales;
}

int ScatteredColumnModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_roles.size());
}

int ScatteredColumnModel::columnCount(const QModelIndex &parent) const
{
    if (parent.isValid())
        return 0;
    const auto lines = m_file ? m_file->cells.rows() : 0;
    return firstValues + static_cast<int>(std::min<std::size_t>(lines, shownRows));
}

std::optional<data::ScatteredRange> ScatteredColumnModel::range(std::size_t row) const
{
    if (!isSteered(m_roles[row]))
        return std::nullopt;
    return m_ranges[row] ? m_ranges[row] : m_file->ranges[row];
}

QString ScatteredColumnModel::text(std::size_t row, int column) const
{
    const auto &of = m_file->cells.columns()[row];
    switch (column) {
    case name:
        return cleaned(of.unit.empty() ? of.name : of.name + " [" + of.unit + "]");
    case columnRole:
        return textOf(m_roles[row]);
    case low:
    case high: {
        const auto both = range(row);
        return both ? numberText(column == low ? both->low : both->high) : QString();
    }
    case scale:
        return m_roles[row] == ColumnRole::parameter ? textOf(m_scales[row]) : QString();
    case problem:
        return m_problems[row];
    default:
        return cleaned(
            std::string(m_file->cells.cell(static_cast<std::size_t>(column - firstValues), row)));
    }
}

QVariant ScatteredColumnModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const auto column = index.column();
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return text(row, column);
    case Qt::TextAlignmentRole:
        return QVariant(column == low || column == high ? Qt::AlignRight | Qt::AlignVCenter
                                                        : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (!m_problems[row].isEmpty() && (column == name || column == problem))
            return errorColour(QGuiApplication::palette());
        if (m_roles[row] == ColumnRole::ignored && column != columnRole)
            return quietTextColour(QGuiApplication::palette());
        return {};
    case Qt::ToolTipRole: {
        const auto shown = text(row, column);
        return shown.isEmpty() ? headerData(column, Qt::Horizontal, role)
                               : QVariant(plainTip(shown));
    }
    case Qt::AccessibleTextRole:
        return QString("%1 of %2: %3")
            .arg(headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), text(row, name),
                 text(row, column));
    case ChoiceDelegate::choicesRole: {
        if (column == scale && m_roles[row] == ColumnRole::parameter)
            return QStringList{textOf(ParameterScale::linear), textOf(ParameterScale::logarithmic)};
        if (column != columnRole)
            return {};
        QStringList all;
        for (const auto &info : roleInfos)
            all << info.text;
        return all;
    }
    default:
        return {};
    }
}

QVariant ScatteredColumnModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section < 0 || orientation == Qt::Vertical)
        return {};
    if (section < firstValues) {
        const auto &info = columnInfos[static_cast<std::size_t>(section)];
        return role == Qt::DisplayRole   ? QVariant(info.title)
               : role == Qt::ToolTipRole ? QVariant(info.explanation)
                                         : QVariant();
    }
    return role == Qt::DisplayRole ? QVariant(QString("Row %1").arg(section - firstValues + 1))
                                   : QVariant();
}

Qt::ItemFlags ScatteredColumnModel::flags(const QModelIndex &index) const
{
    auto flags = QAbstractTableModel::flags(index);
    if (!index.isValid())
        return flags;
    const bool isBound = index.column() == low || index.column() == high;
    const auto row = static_cast<std::size_t>(index.row());
    if (index.column() == columnRole || (isBound && range(row))
        || (index.column() == scale && m_roles[row] == ColumnRole::parameter))
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool ScatteredColumnModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable))
        return false;
    const auto row = static_cast<std::size_t>(index.row());
    const auto text = value.toString().trimmed();
    if (text == this->text(row, index.column()))
        return true;
    const bool isTaken = index.column() == columnRole ? setRole(row, text)
                         : index.column() == scale    ? setScale(row, text)
                                                      : setBound(row, index.column(), text);
    if (!isTaken)
        return false;
    emit dataChanged(this->index(index.row(), 0), this->index(index.row(), columnCount() - 1));
    emit edited();
    return true;
}

bool ScatteredColumnModel::setRole(std::size_t row, const QString &text)
{
    const auto info =
        std::ranges::find_if(roleInfos, [&](const RoleInfo &one) { return text == one.text; });
    if (info == roleInfos.end())
        return false;
    m_roles[row] = info->role;
    return true;
}

bool ScatteredColumnModel::setScale(std::size_t row, const QString &text)
{
    for (const auto scale : {ParameterScale::linear, ParameterScale::logarithmic})
        if (text == textOf(scale)) {
            m_scales[row] = scale;
            return true;
        }
    return false;
}

/// Nothing typed: as the table has it.
bool ScatteredColumnModel::setBound(std::size_t row, int column, const QString &text)
{
    const auto ofTable = m_file->ranges[row].value();
    auto both = range(row).value();
    auto &bound = column == low ? both.low : both.high;
    bool isNumber = true;
    const double value =
        text.isEmpty() ? (column == low ? ofTable.low : ofTable.high) : text.toDouble(&isNumber);
    if (!isNumber || !std::isfinite(value)) {
        emit refused(QString("%1 is no number for the range of %2: type one, as 0.5 or 1e-3")
                         .arg(text, this->text(row, name)));
        return false;
    }
    bound = value;
    if (both == ofTable)
        m_ranges[row].reset();
    else
        m_ranges[row] = both;
    return true;
}

} // namespace gridhelm::ui
