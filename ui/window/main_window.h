// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/controls/theme.h"
#include "ui/steering/field_service.h"
#include "ui/steering/steering_model.h"
#include "ui/window/accelerators.h"
#include "ui/window/menus.h"
#include "ui/window/panels.h"
#include "ui/window/preferences/preferences.h"
#include "ui/window/record/recorder.h"
#include "ui/window/steer/animation.h"

#include <QMainWindow>
#include <QPointer>

#include <memory>

class QDialog;
class QStackedWidget;

namespace gridhelm::ui {

class ComparedViews;
class FieldRequester;
class FileDrop;
class GuidedTour;
class IndicatorTint;
class JobResultBar;
class MessageBar;
class StartPage;
class StatusLine;
class StudyOpening;
class UnfinishedPage;
class ViewArea;

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
    /// Without asking whether what runs is to be stopped; also while that is being asked.
    void closeAtOnce();

    const ExecutionContext &context() const { return m_context; }
    SteeringModel &model() { return m_model; }
    /// The ends of the colours are being looked for.
    bool isRangeMoving() const;
    SteeredView &view() { return *m_view; }
    ComparedViews &views() { return *m_views; }
    ViewArea &viewArea() { return *m_area; }
    SteerPanel &steerPanel() { return *m_panels.steer; }
    MessageBar &messages() { return *m_messages; }
    Animation &animation() { return m_animation; }
    Recorder &recorder() { return m_recorder; }
    SolvePanel &solvePanel() { return *m_panels.solve; }
    TrustPanel &trustPanel() { return *m_panels.trust; }
    CampaignPanel &campaignPanel() { return *m_panels.campaign; }
    ProbePanel &probePanel() { return *m_panels.probe; }
    AnswersPanel &answersPanel() { return *m_panels.answers; }
    PerformancePanel &performancePanel() { return *m_panels.performance; }
    void showPanel(const QWidget &panel) { ui::showPanel(*this, panel); }
    void setTheme(Theme theme);
    const Preferences &preferences() const { return m_preferences; }
    /// From now on, and kept; what is about the start has its effect then.
    void use(const Preferences &preferences);
    bool hasStudy() const;
    /// Once, to who has never seen it, as soon as a study is shown.
    void offerTour();
    GuidedTour &tour() { return *m_tour; }

signals:
    /// A frame is on the screen, so many seconds after what asked for it.
    void frameShown(std::shared_ptr<const gridhelm::ui::FieldFrame> frame, double latency);
    /// What was to be opened; it has been said in the window.
    void couldNotOpen(const QString &why);

protected:
    void closeEvent(QCloseEvent *event) override;

private:
    /// With what is told being said here, each sentence once.
    ExecutionContext tellingAnew(const ExecutionContext &context) const;
    void makePages();
    void connectParts();
    void connectPanels();
    void restoreSettings(Threads threads);

    void openWhenThereIsSomething();
    void showUnfinished(QString study);
    void studyOpened(bool isNew);
    void openingFailed(const QString &why, bool isAsBefore);
    void setStudyIsOpen(bool isOpen);
    void sayWhatIsMissing();
    void frameIsShown(const std::shared_ptr<const FieldFrame> &frame);
    void evaluateBy(const std::shared_ptr<const sparse::Backend> &backend);

    void openRecorder();
    void keepSettings();
    void askBeforeClosing();

    MessageBar *m_messages;
    const ExecutionContext m_context;
    std::shared_ptr<const sparse::Backend> m_backend; ///< that evaluates
    SteeringModel m_model;
    FieldService m_service;
    Animation m_animation;
    Recorder m_recorder;
    IndicatorTint *m_tint;

    QStackedWidget *m_pages = nullptr;
    FileDrop *m_drop = nullptr;
    StartPage *m_startPage = nullptr;
    UnfinishedPage *m_unfinished = nullptr;
    ViewArea *m_area = nullptr;
    JobResultBar *m_jobResult = nullptr; ///< above it
    ComparedViews *m_views = nullptr;    ///< in the middle of it
    SteeredView *m_view = nullptr;       ///< the main one
    Panels m_panels;
    Menus m_menus;
    StatusLine *m_status = nullptr;
    std::unique_ptr<FieldRequester> m_questions;
    std::unique_ptr<StudyOpening> m_opening;
    Preferences m_preferences;
    GuidedTour *m_tour = nullptr;
    bool m_offersTour = false;
    QPointer<QDialog> m_closingQuestion; ///< that is being asked
    bool m_isClosingAtOnce = false;
    QString m_notice;          ///< of the study, that is shown; empty: none
    QString m_missingSentence; ///< that is shown; empty: none
};

} // namespace gridhelm::ui
