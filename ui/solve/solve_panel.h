// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/field_slice.h"
#include "core/solvers/solver_backend.h"

#include "ui/solve/cold_and_warm.h"
#include "ui/solve/shown_field.h"
#include "ui/solve/solver_devices.h"

#include <QString>
#include <QWidget>

#include <memory>
#include <vector>

class QLabel;
class QPushButton;
class QSettings;
class QSpinBox;
class QSplitter;
class QStackedWidget;
class QTabBar;
class QTabWidget;

namespace gridhelm::ui {

class FieldPanel;
class LiveControls;
class MachineLimits;
class RatesBar;
class RunsPanel;
class SolverForm;
class SolverRun;

/// Jacobi, SOR, PMM and stencils at work: their options, their field while it comes about,
/// parameters that change meanwhile, how they converge and how fast they are, and runs compared.
/// One run at a time; it may be deleted at any moment, which takes some hundredths of a second.
class SolvePanel : public QWidget
{
    Q_OBJECT

public:
    /// `further`: back ends beside the CPU. They must outlive the panel.
    explicit SolvePanel(const ExecutionContext &context,
                        const std::vector<const solvers::SolverBackend *> &further = {},
                        const SolverDevices &devices = {}, QWidget *parent = nullptr);
    ~SolvePanel() override;

    /// A solver is at work, or about to be.
    bool isRunning() const;
    /// The present run, or the last one; null if there is none.
    const SolverRun *run() const { return m_run.get(); }

    /// What runs may begin with, beside files: none before this is called.
    void setShownField(const ShownFieldSource &source);

    /// Of this machine; one for all panels.
    MachineLimits &limits() { return *m_limits; }

    void saveState(QSettings &settings) const;
    void restoreState(QSettings &settings);

    /// What the buttons do, for menus and scripts.
    void startOrPause();
    void step();
    void stop();
    void reset();
    /// As a .vti file, by the worker: news() or failed() says how it went.
    void saveField(const QString &path);

signals:
    void news(const QString &sentence);
    void failed(const QString &sentence);
    void runningChanged(bool isRunning);
    /// Several devices share the grid of the run from now on, or (none) one has it alone.
    void sharesChanged(const QString &solver, const std::vector<gridhelm::DeviceShare> &shares);

private:
    QWidget *makeTransport();
    SolverForm *form() const; ///< that of the chosen solver
    bool isActive() const;    ///< a run that is neither over nor settled
    void begin(bool startsPaused);
    void start(const WantedRun &wanted, bool startsPaused);
    void goOn();
    void closeRecord();
    void connectRun();
    void showState();
    void showRates();
    void showMarker();
    void changeLive(const QString &name, double value);
    void moveSource(const QPointF &place);
    void chooseFile();

    std::vector<SolverForm *> m_forms;
    QTabBar *m_solvers = nullptr;
    QPushButton *m_runButton = nullptr;
    QPushButton *m_stepButton = nullptr;
    QSpinBox *m_stepCount = nullptr;
    QPushButton *m_stopButton = nullptr;
    QPushButton *m_resetButton = nullptr;
    QPushButton *m_saveButton = nullptr;
    QLabel *m_stateLabel = nullptr;
    QTabWidget *m_left = nullptr;
    QStackedWidget *m_formStack = nullptr;
    LiveControls *m_live = nullptr;
    FieldPanel *m_field = nullptr;
    RunsPanel *m_runs = nullptr;
    QSplitter *m_splitter = nullptr;
    MachineLimits *m_limits = nullptr;
    RatesBar *m_rates = nullptr;

    std::unique_ptr<SolverRun> m_run;
    SolverForm *m_runForm = nullptr; ///< whose options the run has
    QString m_start;                 ///< what it began with; empty: nothing
    ColdAndWarm m_coldAndWarm;       ///< what it may be compared with
    QString m_saved;                 ///< by its start, in words; empty: not known
    int m_record = 0;                ///< the run's row; 0: none
    bool m_wasRunning = false;
    bool m_hasShownLive = false;
    std::vector<DeviceShare> m_shares; ///< that were told last
};

} // namespace gridhelm::ui
