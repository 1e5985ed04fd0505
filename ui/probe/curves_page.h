// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/probe/curve_plot.h"
#include "ui/steering/steering_model.h"

#include <QWidget>

#include <memory>
#include <vector>

class QCheckBox;
class QGridLayout;
class QLabel;
class QToolButton;

namespace gridhelm::ui {

/// A curve for each parameter.
class CurvesPage : public QWidget
{
    Q_OBJECT

public:
    explicit CurvesPage(SteeringModel &model, QWidget *parent = nullptr);

    /// Makes the plots of the model's study.
    void setStudy();
    /// With curves; null: nothing is probed.
    void show(std::shared_ptr<const ProbeAnswer> answer);

    const std::vector<CurvePlot *> &plots() const { return m_plots; }

signals:
    /// By the user, who has moved a parameter here.
    void moved();
    void news(const QString &sentence);
    void failed(const QString &sentence);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void showAnswer();
    void arrange();
    void addSaveActions(std::size_t t);
    void withTitle(const QList<QCustomPlot *> &plots,
                   const std::function<void(const QList<QCustomPlot *> &plots)> &use) const;

    SteeringModel &m_model;
    QLabel *m_title;
    QCheckBox *m_sameScale;
    QToolButton *m_save;
    QWidget *m_list;
    QGridLayout *m_grid;
    std::vector<CurvePlot *> m_plots;
    int m_columns = 0;
    std::shared_ptr<const ProbeAnswer> m_answer;
};

} // namespace gridhelm::ui
