// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trust/error_model.h"

#include "ui/controls/number_text.h"
#include "ui/controls/plain_text.h"

#include <algorithm>
#include <utility>

namespace gridhelm::ui {
namespace {

/// Of a parameter: with all its digits the error would be out of sight.
constexpr int shownDigits = 4;

} // namespace

QString errorKindText(data::ErrorKind kind)
{
    switch (kind) {
    case data::ErrorKind::heldOut:
        return "validation";
    case data::ErrorKind::leaveOneOut:
        return "leave-one-out";
    case data::ErrorKind::indicator:
        return "indicator";
    default: // comparisons, which are no errors of what is shown
        break;
    }
    return {};
}

QString errorKindTip(data::ErrorKind kind)
{
    switch (kind) {
    case data::ErrorKind::heldOut:
        return "Validation error: at a simulation that the grid has never seen; the one to believe";
    case data::ErrorKind::leaveOneOut:
        return "The error at a grid point if that point were not there: an estimate from the grid "
               "itself";
    case data::ErrorKind::indicator:
        return "What the finest complete level of the grid adds: no error, but large where it is";
    default:
        break;
    }
    return {};
}

QString percentText(double share)
{
    return QString::number(100 * share, 'g', 2) + " %";
}

void ErrorModel::show(std::shared_ptr<const StudyFacts> study, data::FieldIndex field,
                      std::optional<data::ErrorKind> kind)
{
    if (study == m_study && field == m_field && kind == m_kind)
        return;
    beginResetModel();
    m_study = std::move(study);
    m_field = field;
    m_kind = kind;
    m_rows.clear();
    if (m_study) {
        for (const auto &figure : m_study->errors) {
            if (figure.field == field && (!kind || figure.kind == *kind))
                m_rows.push_back(&figure);
        }
    }
    std::ranges::stable_sort(m_rows, std::ranges::greater{},
                             [](const auto *figure) { return figure->relativeL2; });
    endResetModel();
}

int ErrorModel::relativeColumn() const
{
    const auto parameters = m_study ? m_study->parameters.parameters().size() : 0;
    return firstParameter + static_cast<int>(parameters);
}

int ErrorModel::largestColumn() const
{
    return relativeColumn() + 1;
}

int ErrorModel::largestShareColumn() const
{
    return relativeColumn() + 2;
}

int ErrorModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ErrorModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_study ? 0 : largestShareColumn() + 1;
}

double ErrorModel::number(const data::ErrorFigure &figure, int column) const
{
    if (column == relativeColumn())
        return figure.relativeL2;
    if (column == largestColumn())
        return figure.maximum;
    if (column == largestShareColumn())
        return figure.relativeMaximum;
    return figure.parameters.at(static_cast<std::size_t>(column - firstParameter));
}

QVariant ErrorModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto &of = figure(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        if (column == kindColumn)
            return errorKindText(of.kind);
        if (column == relativeColumn() || column == largestShareColumn())
            return percentText(number(of, column));
        if (column == largestColumn())
            return QString::number(of.maximum, 'g', 3);
        return QString::number(number(of, column), 'g', shownDigits);
    case sortRole:
        return column == kindColumn ? QVariant(errorKindText(of.kind)) : number(of, column);
    case Qt::ToolTipRole:
        return (column == kindColumn ? errorKindTip(of.kind) : numberText(number(of, column)))
               + ". Double click or Enter: go there";
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignVCenter
                                | (column == kindColumn ? Qt::AlignLeft : Qt::AlignRight));
    default:
        return {};
    }
}

QVariant ErrorModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || !m_study || section < 0 || section >= columnCount())
        return {};
    const bool isName = role == Qt::DisplayRole;
    if (!isName && role != Qt::ToolTipRole)
        return {};
    const auto inUnit = [](const std::string &unit) {
        return unit.empty() ? QString() : QString::fromStdString(" (" + unit + ")");
    };
    const auto &unit = m_study->fields.at(m_field).unit;
    if (section == kindColumn)
        return isName ? "measured by" : "How the error was measured";
    if (section == relativeColumn())
        return isName ? "error" : "L2 norm of the error by that of the snapshot";
    if (section == largestColumn())
        return isName ? "largest" + inUnit(unit) : "The largest error of any node or cell";
    if (section == largestShareColumn())
        return isName ? "of maximum" : "The largest error by the snapshot's largest magnitude";
    const auto &parameter = m_study->parameters[static_cast<std::size_t>(section - firstParameter)];
    const auto name = QString::fromStdString(parameter.name) + inUnit(parameter.unit);
    return isName ? name : plainTip(name);
}

} // namespace gridhelm::ui
