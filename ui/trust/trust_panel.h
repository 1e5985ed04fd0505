// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/steering_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QModelIndex;
class QPushButton;
class QSortFilterProxyModel;
class QTabWidget;
class QTableView;

namespace gridhelm::ui {

class ErrorModel;
class ValidationPage;

/// How far the shown field can be trusted: its measured errors, in sentences, as a table of the
/// places, the worst first, and as plots; from both the sliders jump there.
class TrustPanel : public QWidget
{
    Q_OBJECT

public:
    TrustPanel(SteeringModel &model, const ExecutionContext &context, QWidget *parent = nullptr);

    QTabWidget *pages() const { return m_pages; }
    ValidationPage *validation() const { return m_validation; }

    /// All kinds together: "validation: 12 points, 0.05 % in the mean, 0.3 % at worst".
    QString summary() const;

signals:
    void news(const QString &sentence);
    void failed(const QString &sentence);

private:
    std::vector<data::ErrorFigure> figures() const; ///< of the field
    QString headline() const;
    QString details() const;
    void showErrors();
    void showKinds();
    void goTo(const QModelIndex &row);
    void moveTo(const std::vector<double> &parameters);

    SteeringModel &m_model;
    ErrorModel *m_errors;
    QSortFilterProxyModel *m_sorted;
    QLabel *m_headline, *m_details;
    QComboBox *m_kind;
    QTableView *m_table;
    QPushButton *m_go;
    QTabWidget *m_pages;
    ValidationPage *m_validation;
};

} // namespace gridhelm::ui
