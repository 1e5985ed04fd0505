// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/performance/backend_row.h"
#include "ui/performance/frame_history.h"

#include <QElapsedTimer>
#include <QList>
#include <QTimer>
#include <QWidget>

#include <vector>

class QCustomPlot;
class QLabel;
class QPushButton;

namespace gridhelm::ui {

class FigureModel;
class FrameTimePlot;
class MachineLimits;
class MachineTuner;
class PacePlot;
class RooflinePlot;
class SaveMenu;

/// How fast the view follows, and why: what each frame took, its evaluation by this machine's
/// limits, and the back end and threads that evaluate, to be chosen. Shows news ten times a second
/// at most; while it is hidden, frames are noted and nothing is drawn.
class PerformancePanel : public QWidget
{
    Q_OBJECT

public:
    /// Begins with back end `omp` and the context's threads.
    PerformancePanel(MachineLimits &limits, const ExecutionContext &context,
                     QWidget *parent = nullptr);

    BackendRow &backends() { return *m_backends; }
    const BackendRow &backends() const { return *m_backends; }
    /// What else than the CPU *Tune this machine* tunes.
    void setTuning(
        const std::function<std::vector<tuning::TuningDevice>(const ExecutionContext &)> &further);

    const FrameHistory &history() const { return m_history; }

    /// A frame is on the screen, `latency` seconds after what asked for it; handing it to the scene
    /// took `transfer`, drawing it `render`.
    void note(const FieldFrame &frame, double latency, double transfer, double render);
    void clear();

    /// How several devices share the grid of a solver; none: nothing is divided.
    void showShares(const QString &solver, const std::vector<gridhelm::DeviceShare> &shares);

signals:
    void news(const QString &sentence);
    /// There are new constants of kernels to evaluate with.
    void tuned();
    void failed(const QString &sentence);

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *makeTools();
    QPushButton *makeTuneButton(QWidget *parent);
    SaveMenu *makeSaveMenu(const QString &name, const QList<QCustomPlot *> &plots);
    QWidget *makeFigures();
    void refreshSoon();
    void refresh();

    MachineLimits &m_limits;
    FrameHistory m_history;
    QElapsedTimer m_clock; ///< since the history began
    BackendRow *m_backends;
    FigureModel *m_figures;
    FrameTimePlot *m_times;
    PacePlot *m_pace;
    RooflinePlot *m_roofline;
    QPushButton *m_measure = nullptr;
    QLabel *m_count = nullptr;
    QLabel *m_shares;
    MachineTuner *m_tuner;
    QTimer m_refresh;
};

} // namespace gridhelm::ui
