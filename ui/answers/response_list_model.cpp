// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/response_list_model.h"

#include "ui/answers/answer_text.h"
#include "ui/controls/plain_text.h"

#include <utility>

namespace gridhelm::ui {

void ResponseListModel::setSet(std::shared_ptr<const AnswerSet> set)
{
    beginResetModel();
    m_set = std::move(set);
    m_live.reset();
    endResetModel();
}

void ResponseListModel::setLive(std::shared_ptr<const LiveAnswer> live)
{
    if (!live || live->question.set != m_set || rowCount() == 0)
        return;
    m_live = std::move(live);
    emit dataChanged(index(0), index(rowCount() - 1));
}

int ResponseListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_set ? 0 : static_cast<int>(m_set->responses.size());
}

QVariant ResponseListModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const auto &response = m_set->responses[row];
    const auto name = cleanLine(QString::fromStdString(response.definition.name));
    QString value;
    if (m_live && m_live->responses[row].value)
        value = valueText(*m_live->responses[row].value, response.definition.unit, response.digits);
    switch (role) {
    case nameRole:
        return name;
    case valueRole:
        return value;
    case errorRole:
        return shortErrorText(response);
    case isProblemRole:
        return !response.problem.empty();
    case Qt::DisplayRole:
        return value.isEmpty() ? name : name + " " + value;
    case Qt::AccessibleTextRole:
        return response.problem.empty()
                   ? QString("%1: %2, %3").arg(name, value, shortErrorText(response))
                   : name + ": " + shortErrorText(response);
    case Qt::ToolTipRole:
        return plainTip(name + ": " + definitionText(response.definition) + ". "
                        + errorText(response, m_set->outlook));
    default:
        return {};
    }
}

} // namespace gridhelm::ui
