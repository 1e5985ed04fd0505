// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/steering_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QModelIndex;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace gridhelm::ui {

class ErrorModel;

/// How far the shown field can be trusted: its measured errors, in sentences and as a table of the
/// places, the worst first, from which the sliders jump there.
class TrustPanel : public QWidget
{
    Q_OBJECT

public:
    explicit TrustPanel(SteeringModel &model, QWidget *parent = nullptr);

    /// All kinds together: "validation: 12 points, 0.05 % in the mean, 0.3 % at worst".
    QString summary() const;

private:
    void showErrors();
    void showKinds();
    void goTo(const QModelIndex &row);

    SteeringModel &m_model;
    ErrorModel *m_errors;
    QSortFilterProxyModel *m_sorted;
    QLabel *m_summary;
    QComboBox *m_kind;
    QTableView *m_table;
    QPushButton *m_go;
};

} // namespace gridhelm::ui
