// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_style.h"
#include "ui/probe/parameter_axis.h"
#include "ui/probe/probe_answer.h"
#include "ui/scene/colour/value_axis.h"

namespace gridhelm::ui {

/// The probed value along one parameter, with its present value as a line, and the values that were
/// simulated as ticks. A click, a drag or the arrow keys move the parameter.
class CurvePlot : public Plot
{
    Q_OBJECT

public:
    CurvePlot(const Parameter &parameter, std::vector<double> marks, QWidget *parent = nullptr);

    /// `value`: at the present value of the parameter.
    void show(const ProbeCurve &curve, double present, double value, const ValueRange &range);
    /// The line alone, ahead of the curve's next values.
    void setPresent(double present);
    void clear();

    double present() const { return m_present; }
    const ProbeCurve &curve() const { return m_curve; }
    /// Where a value of the parameter is, in pixels of the plot.
    QPoint placeOf(double value) const;

    QSize sizeHint() const override { return {300, 150}; }
    QSize minimumSizeHint() const override { return {180, 120}; }

signals:
    /// By the user; more will follow if isMoving.
    void moved(double value, bool isMoving);

protected:
    void restyle() override;
    void showAll() override {}
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void moveTo(double pixel, bool isMoving);

    ParameterAxis m_axis;
    ProbeCurve m_curve;
    double m_present = 0;
    QCPGraph *m_line, *m_dot, *m_ticks;
    QCPItemStraightLine *m_cursor;
};

} // namespace gridhelm::ui
