// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/parameter_model.h"

#include "data/campaign/edit_plan.h"
#include "ui/campaign/choice_delegate.h"
#include "ui/campaign/plan_draft.h"
#include "ui/controls/number_text.h"
#include "ui/controls/plain_text.h"

#include <array>
#include <cmath>
#include <string>

namespace gridhelm::ui {
namespace {

struct ColumnInfo
{
    const char *title;
    const char *key; ///< in the plan
    const char *explanation;
};

constexpr std::array<ColumnInfo, ParameterModel::columns> columnInfos{{
    {"Name", "name", "As the simulation calls it: letters, digits, _ and -"},
    {"Unit", "unit", "For people: shown beside every value"},
    {"Low", "low", "Lower end of the range, in the parameter's unit"},
    {"High", "high", "Upper end of the range, in the parameter's unit"},
    {"Scale", "scale", "How grid points are spread over the range"},
    {"Kind", "kind", "One run delivers all values of a time-like parameter"},
    {"Boundary basis", "treatment",
     "Basis functions at the ends of the range"}, // and what each treatment does there
    {"Degree", "degree", "Of the polynomials between grid points; 2 and 3 suit smooth results"},
    {"Cap", "cap",
     "At most so many levels for this parameter; empty: as many as the grid has. Of a time-like "
     "parameter: its values in every run (33, say), which cost no run; empty: 33"},
}};

QString explanationOf(int column)
{
    auto text = QString::fromUtf8(columnInfos[static_cast<std::size_t>(column)].explanation);
    if (column == ParameterModel::treatment)
        text += ": " + QString::fromStdString(sparse::boundaryTreatmentHelp());
    return text;
}

QString treatmentText(const Parameter &parameter)
{
    const auto used = QString::fromUtf8(sparse::toString(parameter.usedTreatment()));
    return parameter.treatment ? used : "default (" + used + ")";
}

/// What a cell shows; what is edited begins with it, too.
QString cellText(const Parameter &parameter, int column)
{
    switch (column) {
    case ParameterModel::name:
        return QString::fromStdString(parameter.name);
    case ParameterModel::unit:
        return QString::fromStdString(parameter.unit);
    case ParameterModel::low:
        return numberText(parameter.low);
    case ParameterModel::high:
        return numberText(parameter.high);
    case ParameterModel::scale:
        return QString::fromUtf8(toString(parameter.scale));
    case ParameterModel::kind:
        return QString::fromUtf8(toString(parameter.kind));
    case ParameterModel::treatment:
        return treatmentText(parameter);
    case ParameterModel::degree:
        return QString::number(parameter.degree);
    case ParameterModel::cap:
        if (parameter.isDense && parameter.levelCap)
            return QString::number(valuesOfCap(parameter.usedTreatment(), *parameter.levelCap));
        return parameter.levelCap ? QString::number(*parameter.levelCap) : QString();
    default:
        return {};
    }
}

} // namespace

ParameterModel::ParameterModel(PlanDraft &draft, QObject *parent)
    : QAbstractTableModel(parent)
    , m_draft(draft)
{
    connect(&draft, &PlanDraft::changed, this, &ParameterModel::follow);
    follow();
}

ParameterModel::~ParameterModel() = default;

void ParameterModel::follow()
{
    const auto parameters =
        m_draft.plan() ? m_draft.plan()->description.space.parameters() : std::vector<Parameter>();
    if (parameters.size() != m_parameters.size()) {
        beginResetModel();
        m_parameters = parameters;
        m_isEditable = m_draft.isGood();
        endResetModel();
        return;
    }
    if (parameters == m_parameters && m_isEditable == m_draft.isGood())
        return;
    m_parameters = parameters;
    m_isEditable = m_draft.isGood();
    if (!m_parameters.empty())
        emit dataChanged(index(0, 0),
                         index(static_cast<int>(m_parameters.size()) - 1, columns - 1));
}

int ParameterModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_parameters.size());
}

int ParameterModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

QStringList ParameterModel::choices(const Parameter &parameter, int column) const
{
    switch (column) {
    case scale:
        return {"linear", "logarithmic"};
    case kind:
        return {"ordinary", "time-like"};
    case treatment: {
        QStringList all{
            QString("default (%1)")
                .arg(QString::fromUtf8(sparse::toString(defaultTreatment(parameter.kind))))};
        for (const auto one : sparse::boundaryTreatments())
            all << QString::fromUtf8(sparse::toString(one));
        return all;
    }
    case degree: {
        QStringList all;
        for (int one = 1; one <= sparse::highestDegreeOf(parameter.usedTreatment()); ++one)
            all << QString::number(one);
        return all;
    }
    default:
        return {};
    }
}

QVariant ParameterModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto &parameter = m_parameters[static_cast<std::size_t>(index.row())];
    const auto column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        if (column == cap && !parameter.levelCap)
            return QStringLiteral("–");
        if (column == cap && parameter.isDense)
            return QString("%1 values").arg(cellText(parameter, column));
        [[fallthrough]];
    case Qt::EditRole:
        return cellText(parameter, column);
    case Qt::TextAlignmentRole:
        return QVariant(column == low || column == high || column == degree || column == cap
                            ? Qt::AlignRight | Qt::AlignVCenter
                            : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole: {
        auto text = explanationOf(column);
        if ((column == low || column == high) && !parameter.unit.empty())
            text += ": " + QString::fromStdString(parameter.unit);
        return plainTip(text);
    }
    case Qt::AccessibleTextRole:
        return QString("%1 of %2: %3")
            .arg(columnInfos[static_cast<std::size_t>(column)].title,
                 QString::fromStdString(parameter.name), cellText(parameter, column));
    case ChoiceDelegate::choicesRole: {
        const auto all = choices(parameter, column);
        return all.isEmpty() ? QVariant() : QVariant(all);
    }
    default:
        return {};
    }
}

QVariant ParameterModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section < 0 || (orientation == Qt::Horizontal && section >= columns))
        return {};
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    if (role == Qt::DisplayRole)
        return QString::fromUtf8(columnInfos[static_cast<std::size_t>(section)].title);
    if (role == Qt::ToolTipRole)
        return explanationOf(section);
    return {};
}

Qt::ItemFlags ParameterModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    if (!m_isEditable)
        return Qt::ItemIsSelectable; // greyed: the text is to be corrected first
    auto flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    const bool isSpatial =
        m_parameters[static_cast<std::size_t>(index.row())].kind == ParameterKind::spatial;
    if (!isSpatial || (index.column() != kind && index.column() != scale))
        flags |= Qt::ItemIsEditable;
    return flags;
}

/// Where a new treatment has no such degree as the parameter.
QString ParameterModel::leaveOutDegree(std::size_t row, const QString &newTreatment)
{
    const auto &parameter = m_parameters[row];
    const auto wanted = sparse::findBoundaryTreatment(newTreatment.toStdString())
                            .value_or(defaultTreatment(parameter.kind));
    if (parameter.degree <= sparse::highestDegreeOf(wanted))
        return {};
    return m_draft.setParameterKey(row, columnInfos[degree].key, std::nullopt);
}

bool ParameterModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable))
        return false;
    const auto row = static_cast<std::size_t>(index.row());
    const auto parameter = m_parameters[row];
    const auto typed = value.toString().trimmed();
    const auto column = index.column();
    if (typed == cellText(parameter, column))
        return true;
    const auto refuse = [&](const QString &sentence) {
        emit refused(sentence);
        return false;
    };
    const auto who = QString("%1 of %2")
                         .arg(columnInfos[static_cast<std::size_t>(column)].title,
                              QString::fromStdString(parameter.name));
    std::optional<std::string> written;
    if (column == low || column == high) {
        auto number = typed;
        bool isNumber = false;
        const double parsed = number.replace(',', '.').toDouble(&isNumber);
        if (!isNumber || !std::isfinite(parsed))
            return refuse(QString("%1 cannot be \"%2\": type a number").arg(who, typed));
        written = data::tomlNumber(parsed);
    } else if (column == cap && parameter.isDense) {
        bool isNumber = false;
        const int times = typed.toInt(&isNumber);
        if (!typed.isEmpty()) {
            if (!isNumber || times < 1)
                return refuse(
                    QString("%1 cannot be \"%2\": type how many values there are in every "
                            "run, or nothing")
                        .arg(who, typed));
            written = std::to_string(times);
        }
        const auto problem = m_draft.setTimes(row, written);
        return problem.isEmpty() || refuse(problem);
    } else if (column == cap) {
        bool isNumber = false;
        const int levels = typed.toInt(&isNumber);
        if (!typed.isEmpty() && typed != "–") {
            const int most = sparse::highestLevelOf(parameter.usedTreatment()) + 1;
            if (!isNumber || levels < 1 || levels > most)
                return refuse(QString("%1 cannot be \"%2\": type a whole number from 1 to %3, or "
                                      "nothing")
                                  .arg(who, typed)
                                  .arg(most));
            written = std::to_string(levels);
        }
    } else if (column == treatment) {
        if (!typed.startsWith("default"))
            written = data::tomlText(typed.toStdString());
        if (const auto problem = leaveOutDegree(row, typed); !problem.isEmpty())
            return refuse(problem);
    } else if (column == degree) {
        if (!choices(parameter, column).contains(typed))
            return refuse(QString("%1 cannot be \"%2\": choose %3")
                              .arg(who, typed, choices(parameter, column).join(", ")));
        if (typed != "1")
            written = typed.toStdString();
    } else if (column != unit || !typed.isEmpty()) {
        written = data::tomlText(typed.toStdString());
    }
    const auto problem = column == name
                             ? m_draft.renameParameter(row, typed)
                             : m_draft.setParameterKey(
                                 row, columnInfos[static_cast<std::size_t>(column)].key, written);
    return problem.isEmpty() || refuse(problem);
}

} // namespace gridhelm::ui
