// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/performance/frame_history.h"
#include "ui/plot/plot_style.h"

namespace gridhelm::ui {

/// How closely the view follows, over the last seconds: the latency of each frame (left axis), and
/// the evaluations per second (right axis).
class PacePlot : public Plot
{
    Q_OBJECT

public:
    static constexpr double shownSeconds = 30;

    explicit PacePlot(QWidget *parent = nullptr);

    void show(const FrameHistory &history);

protected:
    void restyle() override;
    void showAll() override;

private:
    QCPGraph *m_latency;
    QCPGraph *m_evaluations;
    double m_mostMilliseconds = 20;
    double m_mostEvaluations = 10;
};

} // namespace gridhelm::ui
