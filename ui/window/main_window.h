// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/solver_backend.h"
#include "ui/controls/theme.h"
#include "ui/performance/backend_choice.h"
#include "ui/steering/field_service.h"
#include "ui/steering/steering_model.h"
#include "ui/window/animation.h"
#include "ui/window/recorder.h"

#include <QJsonObject>
#include <QMainWindow>

#include <memory>
#include <vector>

class QActionGroup;
class QDockWidget;
class QMenu;
class QStackedWidget;

namespace gridhelm::ui {

class CampaignPanel;
class ComparedViews;
class FieldQuestions;
class IndicatorTint;
class MessageBar;
class PerformancePanel;
class ProbePanel;
class SavingDialogs;
class SolvePanel;
class StartPage;
class StudyCopying;
class StatusLine;
class SteeredView;
class SteerPanel;
class TrustPanel;
class ViewArea;
class ViewPanel;

/// What else than the CPU may compute. The solvers must outlive the window; a first one that
/// is called "auto" is what solves unless the user chooses another.
struct Accelerators
{
    std::vector<BackendOffer> evaluating;
    std::vector<const solvers::SolverBackend *> solving;
};

enum class Threads { ofContext, asChosenLast };

/// The program's window. Panels change the model; the window asks the service for what the model
/// says, and hands what comes to the view.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// Computes on the devices of the context; with as many threads as the user chose last, if that
    /// is wanted and known.
    explicit MainWindow(const ExecutionContext &context, const Accelerators &accelerators = {},
                        Threads threads = Threads::ofContext, QWidget *parent = nullptr);
    ~MainWindow() override;

    /// A study, or a saved view.
    void openFile(const QString &path);
    /// The one that was open when the program ended, as it was then; false if there is none.
    bool openLast();
    void closeStudy();

    SteeringModel &model() { return m_model; }
    SteeredView &view() { return *m_view; }
    ComparedViews &views() { return *m_views; }
    ViewArea &viewArea() { return *m_area; }
    SteerPanel &steerPanel() { return *m_steerPanel; }
    MessageBar &messages() { return *m_messages; }
    Animation &animation() { return m_animation; }
    Recorder &recorder() { return m_recorder; }
    SolvePanel &solvePanel() { return *m_solvePanel; }
    TrustPanel &trustPanel() { return *m_trustPanel; }
    CampaignPanel &campaignPanel() { return *m_campaignPanel; }
    ProbePanel &probePanel() { return *m_probePanel; }
    PerformancePanel &performancePanel() { return *m_performancePanel; }
    /// Opens the dock with a panel, and shows it if others lie over it.
    void showPanel(QWidget &panel);

    void setTheme(Theme theme);

signals:
    /// A frame is on the screen, so many seconds after what asked for it.
    void frameShown(std::shared_ptr<const gridhelm::ui::FieldFrame> frame, double latency);

protected:
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void makeActions();
    void makeDocks(const ExecutionContext &context, const Accelerators &accelerators);
    void connectPanels();
    void connectParts();
    void fillRecentMenu();
    QAction *addAction(QMenu &menu, const QString &text, const QKeySequence &key,
                       const std::function<void()> &what);

    void openWhenThereIsSomething();
    void studyOpened(std::shared_ptr<const StudyFacts> facts);
    void frameIsShown(const std::shared_ptr<const FieldFrame> &frame);
    void evaluateBy(std::shared_ptr<const sparse::Backend> backend);

    void chooseFile();
    void openRecorder();
    /// Does it, and says what went wrong.
    void attempt(const std::function<void()> &what);
    void keepSettings();

    std::shared_ptr<const sparse::Backend> m_backend;
    SteeringModel m_model;
    FieldService m_service;
    Animation m_animation;
    Recorder m_recorder;

    MessageBar *m_messages;
    QStackedWidget *m_pages;
    StartPage *m_startPage;
    ViewArea *m_area;
    ComparedViews *m_views; ///< in the middle of it
    SteeredView *m_view;    ///< the main one
    SteerPanel *m_steerPanel = nullptr;
    ViewPanel *m_viewPanel = nullptr;
    SolvePanel *m_solvePanel = nullptr;
    CampaignPanel *m_campaignPanel = nullptr;
    TrustPanel *m_trustPanel = nullptr;
    IndicatorTint *m_tint;
    ProbePanel *m_probePanel = nullptr;
    PerformancePanel *m_performancePanel = nullptr;
    QList<QDockWidget *> m_studyDocks; ///< that are of no use without one
    QMenu *m_recentMenu = nullptr;
    QList<QAction *> m_studyActions;     ///< that need one
    QList<QActionGroup *> m_studyGroups; ///< likewise
    StatusLine *m_status = nullptr;
    std::unique_ptr<SavingDialogs> m_saving;
    StudyCopying *m_copying = nullptr;
    std::unique_ptr<FieldQuestions> m_questions;
    Theme m_theme = Theme::light;
    QString m_notice;          ///< of the study, that is shown; empty: none
    QString m_missingSentence; ///< that is shown; empty: none
    QString m_opening;         ///< the file that is being opened
    bool m_isTrying = false;   ///< to open a study that may have nothing to show yet
    QJsonObject m_steerings;   ///< to apply to the study that is being opened
};

} // namespace gridhelm::ui
