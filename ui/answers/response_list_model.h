// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/answers/live_answer.h"

#include <QAbstractListModel>

#include <memory>

namespace gridhelm::ui {

/// The responses of a study, a row each, with what they are at the sliders.
class ResponseListModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role {
        nameRole = Qt::UserRole,
        valueRole,     ///< "61.2 K"; empty: not known yet
        errorRole,     ///< "95 % error bound 0.4 K"; or why the response cannot be had
        isProblemRole, ///< whether it cannot
    };

    using QAbstractListModel::QAbstractListModel;

    /// Null: no study is open.
    void setSet(std::shared_ptr<const AnswerSet> set);
    void setLive(std::shared_ptr<const LiveAnswer> live);
    const std::shared_ptr<const AnswerSet> &set() const { return m_set; }
    const std::shared_ptr<const LiveAnswer> &live() const { return m_live; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    std::shared_ptr<const AnswerSet> m_set;
    std::shared_ptr<const LiveAnswer> m_live; ///< of m_set; null: not known yet
};

} // namespace gridhelm::ui
