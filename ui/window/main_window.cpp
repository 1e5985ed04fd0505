// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/answers/answers_panel.h"
#include "ui/campaign/campaign_panel.h"
#include "ui/controls/message_bar.h"
#include "ui/controls/typing_keys.h"
#include "ui/performance/performance_panel.h"
#include "ui/probe/probe_panel.h"
#include "ui/solve/solve_panel.h"
#include "ui/trust/indicator_tint.h"
#include "ui/trust/tint_legend.h"
#include "ui/trust/trust_panel.h"
#include "ui/window/close_question.h"
#include "ui/window/files/file_drop.h"
#include "ui/window/files/file_menu.h"
#include "ui/window/files/recent_files.h"
#include "ui/window/files/runs_import.h"
#include "ui/window/files/start_page.h"
#include "ui/window/files/study_opening.h"
#include "ui/window/files/unfinished_page.h"
#include "ui/window/help/guided_tour.h"
#include "ui/window/look/view_panel.h"
#include "ui/window/record/record_dialog.h"
#include "ui/window/screen_room.h"
#include "ui/window/status_line.h"
#include "ui/window/steer/field_requester.h"
#include "ui/window/steer/job_result_bar.h"
#include "ui/window/steer/steer_panel.h"
#include "ui/window/views/compared_views.h"
#include "ui/window/views/mesh_in_view.h"
#include "ui/window/views/steered_view.h"
#include "ui/window/views/view_area.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QPointer>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

#include <algorithm>
#include <exception>
#include <utility>

namespace gridhelm::ui {
namespace {

auto saying(MessageBar &messages, MessageBar::Kind kind)
{
    return [&messages, kind](const QString &sentence) { messages.say(kind, sentence); };
}

} // namespace

MainWindow::MainWindow(const ExecutionContext &context, const Accelerators &accelerators,
                       Threads threads, QWidget *parent)
    : QMainWindow(parent)
    , m_messages(new MessageBar(this))
    , m_context(tellingAnew(context))
    , m_backend(sparse::makeOmpBackend(m_context))
    , m_service(m_backend)
    , m_animation(m_model)
    , m_recorder(m_model, [this]() -> ComparedViews & { return *m_views; })
    , m_tint(new IndicatorTint(m_model, m_backend, this))
{
    setObjectName("main window");
    setWindowTitle("Gridhelm");
    makePages();
    m_panels = makePanels(*this, m_model, m_animation, *m_view, m_context, accelerators, m_backend);
    m_tour = new GuidedTour(*this);
    m_menus = makeMenus(*this, m_panels);
    new TypingKeys(this);
    m_status = new StatusLine(*statusBar(), *m_view, *m_messages);
    m_status->setBackend(m_panels.performance->backends().text());
    m_questions = std::make_unique<FieldRequester>(m_model, m_service, *m_area, m_backend);
    m_opening = std::make_unique<StudyOpening>(m_service, m_model, *m_area);
    connectParts();
    connectPanels();
    restoreSettings(threads);
    closeStudy();
}

MainWindow::~MainWindow() = default;

ExecutionContext MainWindow::tellingAnew(const ExecutionContext &context) const
{
    // From any thread, also from one that is left behind when the window goes.
    return context.withEvents([bar = QPointer(m_messages)](const ExecutionEvent &event) {
        QMetaObject::invokeMethod(
            qApp,
            [bar, sentence = QString::fromStdString(event.sentence)] {
                if (bar)
                    bar->say(MessageBar::Kind::news, sentence);
            },
            Qt::QueuedConnection);
    });
}

void MainWindow::makePages()
{
    auto *central = new QWidget(this);
    m_pages = new QStackedWidget(central);
    m_startPage = new StartPage(m_pages);
    m_area = new ViewArea(m_model, m_backend, m_pages);
    m_views = &m_area->compared();
    m_view = &m_views->steered();
    m_pages->addWidget(m_startPage);
    m_pages->addWidget(m_area);
    m_pages->addWidget(m_unfinished = new UnfinishedPage(m_pages));
    auto *layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_messages);
    layout->addWidget(m_jobResult = new JobResultBar(m_model, *m_view, central));
    layout->addWidget(m_pages, 1);
    // Panels that open take no more from the views than there is room for on the screen.
    constexpr int wanted = 674, beside = 520;
    central->setMinimumWidth(std::min(wanted, roomOn(*screen()).width() - beside));
    setCentralWidget(central);
}

void MainWindow::connectParts()
{
    const auto complain = saying(*m_messages, MessageBar::Kind::error);
    const auto advise = saying(*m_messages, MessageBar::Kind::news);
    connect(m_menus.files, &FileMenu::openWanted, this, &MainWindow::openFile);
    connect(m_menus.files, &FileMenu::closeWanted, this, &MainWindow::closeStudy);
    connect(m_menus.files, &FileMenu::recordWanted, this, &MainWindow::openRecorder);
    connect(m_menus.files, &FileMenu::quitWanted, this, &QWidget::close);
    const auto import = [this](const QStringList &tables) { importRuns(*this, tables); };
    connect(m_menus.files, &FileMenu::importWanted, this, [import] { import({}); });
    m_drop = new FileDrop(*this);
    connect(m_drop, &FileDrop::openWanted, this, &MainWindow::openFile);
    connect(m_drop, &FileDrop::importWanted, this, import);
    connect(m_drop, &FileDrop::refused, this, complain);
    connect(m_startPage, &StartPage::openWanted, this, &MainWindow::openFile);
    connect(m_startPage, &StartPage::chooseWanted, m_menus.files, &FileMenu::choose);
    connect(m_startPage, &StartPage::importWanted, this, [import] { import({}); });
    connect(m_startPage, &StartPage::newWanted, m_panels.campaign, &CampaignPanel::beginPlan);
    connect(m_menus.files, &FileMenu::newWanted, m_panels.campaign, &CampaignPanel::beginPlan);
    connect(m_unfinished, &UnfinishedPage::closeWanted, this, &MainWindow::closeStudy);
    connect(m_startPage, &StartPage::failed, this, complain);
    connect(m_panels.steer, &SteerPanel::refused, this, advise);
    connect(m_panels.view, &ViewPanel::refused, this, advise);
    connect(m_area, &ViewArea::failed, this, complain);
    connect(m_view, &SteeredView::shown, this, &MainWindow::frameIsShown);
    connect(m_view, &SteeredView::sceneChanged, this, [this] {
        const auto &scene = m_view->scene();
        m_panels.view->showScene(scene.shape(), scene.range(), scene.rangeOfValues());
        m_status->sceneChanged();
    });
    connect(m_opening.get(), &StudyOpening::opened, this, &MainWindow::studyOpened);
    connect(m_opening.get(), &StudyOpening::openedUnfinished, this, &MainWindow::showUnfinished);
    connect(m_opening.get(), &StudyOpening::failed, this, &MainWindow::openingFailed);
    connect(&m_service, &FieldService::failed, this, complain);
    connect(&m_service, &FieldService::frameReady, m_area, &ViewArea::showFrame);
    connect(&m_service, &FieldService::partReady, m_view, &SteeredView::showPart);
}

void MainWindow::connectPanels()
{
    const auto news = saying(*m_messages, MessageBar::Kind::news);
    const auto complain = saying(*m_messages, MessageBar::Kind::error);
    auto *campaign = m_panels.campaign;
    // What the panel says itself is in the list of messages all the same.
    const auto ifHidden = [this, campaign](MessageBar::Kind kind) {
        return [this, campaign, kind](const QString &sentence) {
            if (campaign->isVisible())
                m_messages->history().add(kind, sentence);
            else
                m_messages->say(kind, sentence);
        };
    };
    connect(campaign, &CampaignPanel::news, this, ifHidden(MessageBar::Kind::news));
    connect(campaign, &CampaignPanel::failed, this, ifHidden(MessageBar::Kind::error));
    connect(campaign, &CampaignPanel::studyCreated, this, &MainWindow::showUnfinished);
    connect(campaign, &CampaignPanel::nextStepChanged, m_unfinished, &UnfinishedPage::setNextStep);
    connect(campaign, &CampaignPanel::wanted, this, [this] { showPanel(*m_panels.campaign); });
    connect(m_unfinished, &UnfinishedPage::campaignWanted, campaign, &CampaignPanel::wanted);
    connect(campaign, &CampaignPanel::resultWanted, m_jobResult, &JobResultBar::showResult);
    connect(m_jobResult, &JobResultBar::wanted, m_questions.get(), &FieldRequester::showResult);
    const auto place = [this, campaign] { campaign->setPlace(m_model.now().parameters); };
    connect(m_view, &SteeredView::sceneChanged, campaign, [this, campaign] {
        campaign->setView(studyInView(*m_view), [this] { return meshInView(*m_view); });
    });
    connect(&m_model, &SteeringModel::studyChanged, campaign, place);
    connect(&m_model, &SteeringModel::changed, campaign, place);
    // The service follows the study that is open by itself.
    connect(campaign, &CampaignPanel::studyChanged, this, &MainWindow::openWhenThereIsSomething);
    auto *probe = m_panels.probe;
    connect(m_view, &SteeredView::sceneChanged, probe,
            [this] { m_panels.probe->setFrame(m_view->frame()); });
    connect(probe, &ProbePanel::wanted, this, [this] { showPanel(*m_panels.probe); });
    connect(probe, &ProbePanel::moved, &m_animation, &Animation::stop);
    connect(probe, &ProbePanel::news, this, news);
    connect(probe, &ProbePanel::refused, this, news);
    connect(probe, &ProbePanel::failed, this, complain);
    auto *answers = m_panels.answers;
    connect(answers, &AnswersPanel::moved, &m_animation, &Animation::stop);
    connect(answers, &AnswersPanel::news, this, news);
    connect(answers, &AnswersPanel::failed, this, complain);
    connect(m_panels.trust, &TrustPanel::news, this, news);
    connect(m_panels.trust, &TrustPanel::failed, this, complain);
    connect(answers, &AnswersPanel::runWanted, campaign, [campaign](const auto &best) {
        constexpr std::uint64_t runs =
            16; // of a grid whole blocks are run, few of which are smaller
        campaign->refineAt(best, runs);
    });
    auto *performance = m_panels.performance;
    connect(&performance->backends(), &BackendRow::chosen, this, &MainWindow::evaluateBy);
    connect(&m_service, &FieldService::backendFailed, &performance->backends(),
            &BackendRow::giveUp);
    connect(performance, &PerformancePanel::news, this, news);
    connect(performance, &PerformancePanel::tuned, this,
            [this] { m_panels.performance->backends().beginAnew(tellingAnew(m_context)); });
    connect(performance, &PerformancePanel::failed, this, complain);
    auto &tracks = m_panels.steer->tint();
    connect(&m_service, &FieldService::frameReady, m_tint, &IndicatorTint::setFrame);
    connect(m_tint, &IndicatorTint::found, &tracks, &TintLegend::showTint);
    connect(m_tint, &IndicatorTint::bandFound, m_status, &StatusLine::setBand);
    connect(m_tint, &IndicatorTint::failed, &tracks, &TintLegend::showProblem);
    connect(m_panels.solve, &SolvePanel::news, this, news);
    connect(m_panels.solve, &SolvePanel::failed, this, complain);
}

void MainWindow::restoreSettings(Threads threads)
{
    QSettings settings;
    m_panels.solve->restoreState(settings);
    m_panels.campaign->restoreState(settings);
    m_panels.performance->backends().restoreState(settings, threads == Threads::asChosenLast);
    m_preferences = readPreferences();
    if (threads == Threads::asChosenLast)
        m_panels.performance->backends().prefer(m_preferences.backend, m_preferences.threads);
    m_model.setUndoLimit(m_preferences.undoSteps);
    setTheme(themeOf(m_preferences.theme));
    QMainWindow::layout()->activate(); // the closed docks need no room
    resize(QSize(1280, 800).boundedTo(roomOn(*screen())));
    restoreGeometry(settings.value("geometry").toByteArray()); // also of a larger screen: it fits
    restoreState(settings.value("window state").toByteArray());
    closePanelsWithoutRoom(*this, m_panels.tools);
}

void MainWindow::openWhenThereIsSomething()
{
    const auto study = m_panels.campaign->study();
    if (!hasStudy() && !study.isEmpty() && !m_opening->isOpening())
        m_opening->tryToOpen(study);
}

/// A study without a picture. By value: closing forgets the path.
void MainWindow::showUnfinished(QString study)
{
    if (m_pages->currentWidget() == m_area || m_panels.campaign->study() != study)
        closeStudy();
    addRecentFile(study);
    m_unfinished->setStudy(study);
    m_pages->setCurrentWidget(m_unfinished);
    m_menus.files->close()->setEnabled(true);
    setWindowTitle(QFileInfo(study).fileName() + " - Gridhelm");
    m_panels.campaign->setStudy(study);
    showPanel(*m_panels.campaign);
}

void MainWindow::openFile(const QString &path)
{
    m_messages->clear();
    if (FileDrop::isOfRuns(path)) {
        m_drop->take(path);
        return;
    }
    m_animation.stop();
    try {
        m_opening->open(path);
        m_status->say("Opening " + QDir::toNativeSeparators(m_opening->study()) + " ...");
    } catch (const std::exception &problem) {
        m_messages->say(MessageBar::Kind::error, QString::fromStdString(problem.what()));
    }
}

bool MainWindow::openLast()
{
    if (!m_preferences.reopensStudy || !m_opening->openLast())
        return false;
    m_status->say("Opening " + QDir::toNativeSeparators(m_opening->study()) + " ...");
    return true;
}

void MainWindow::closeStudy()
{
    m_animation.stop();
    m_recorder.stop("The study was closed");
    m_opening->close();
    m_pages->setCurrentWidget(m_startPage);
    m_jobResult->hide();
    m_startPage->refresh();
    setWindowTitle("Gridhelm");
    setStudyIsOpen(false);
    m_model.undoStack().clear();
    m_panels.steer->clear();
    m_panels.campaign->clearStudy();
    m_panels.campaign->setView({}, {});
    m_panels.performance->backends().setStudy(nullptr);
    m_panels.probe->clearStudy();
    m_panels.answers->clearStudy();
    m_tint->clear();
    m_status->clear();
}

void MainWindow::setStudyIsOpen(bool isOpen)
{
    for (auto *action : m_menus.ofStudy)
        action->setEnabled(isOpen);
    for (auto *group : m_menus.groupsOfStudy)
        group->setEnabled(isOpen);
    for (auto *holder : m_panels.ofStudy)
        holder->widget()->setEnabled(isOpen);
}

void MainWindow::studyOpened(bool isNew)
{
    if (isNew) {
        m_panels.performance->clear();
        m_panels.performance->backends().beginAnew(tellingAnew(m_context));
    }
    m_panels.performance->backends().setStudy(m_model.study());
    m_pages->setCurrentWidget(m_area);
    const auto &study = *m_model.study();
    const auto name = QString::fromStdString(study.path.filename().string());
    setWindowTitle(QString::fromStdString(study.title) + " (" + name + ") - Gridhelm");
    setStudyIsOpen(true);
    m_panels.campaign->setStudy(QString::fromStdString(study.path.string()));
    sayWhatIsMissing();
    m_questions->askAll();
}

void MainWindow::openingFailed(const QString &why, bool isAsBefore)
{
    if (isAsBefore && hasStudy()) {
        m_status->sceneChanged(); // instead of what is being opened
        sayWhatIsMissing();
        m_questions->askAll();
    } else if (!isAsBefore || m_pages->currentWidget() != m_unfinished) {
        closeStudy();
    } else {
        m_status->clear(); // of what is being opened
    }
    m_messages->say(MessageBar::Kind::error, why);
    emit couldNotOpen(why);
}

void MainWindow::sayWhatIsMissing()
{
    const auto &study = *m_model.study();
    m_messages->retract(std::exchange(m_notice, QString::fromStdString(study.notice)));
    if (!m_notice.isEmpty())
        m_messages->say(MessageBar::Kind::warning, m_notice);
    m_messages->retract(std::exchange(m_missingSentence, {}));
    if (const auto missing = study.missingPoints.at(m_model.now().field)) {
        m_missingSentence =
            QString("%1 of %2 grid points have no coefficients yet and count as 0: %3")
                .arg(missing)
                .arg(study.gridPoints)
                .arg(QString::fromStdString(data::howToComplete(study.outlook)));
        m_messages->say(MessageBar::Kind::warning, m_missingSentence);
    }
}

/// All that evaluates the study, by one object: on a GPU its coefficients are there once.
void MainWindow::evaluateBy(const std::shared_ptr<const sparse::Backend> &backend)
{
    m_backend = backend;
    m_service.setBackend(backend);
    m_panels.probe->setBackend(backend);
    m_tint->setBackend(backend);
    m_questions->setBackend(backend);
    m_area->setBackend(backend);
    m_status->setBackend(m_panels.performance->backends().text());
}

void MainWindow::frameIsShown(const std::shared_ptr<const FieldFrame> &frame)
{
    const double latency =
        std::chrono::duration<double>(FieldRequest::Clock::now() - frame->request.asked).count();
    m_animation.frameShown();
    m_recorder.frameShown(frame);
    const auto *widget = m_view->sceneWidget();
    m_panels.performance->note(*frame, latency, m_view->secondsToHand(),
                               widget ? widget->secondsToDraw() : 0);
    m_status->frameShown(frame, latency);
    emit frameShown(frame, latency);
    if (std::exchange(m_offersTour, false))
        m_tour->start();
}

void MainWindow::setTheme(Theme theme)
{
    if (themeOf(m_preferences.theme) != theme)
        m_preferences.theme = theme == Theme::dark ? ThemeChoice::dark : ThemeChoice::light;
    applyTheme(theme);
    if (auto *action = findChild<QAction *>("dark theme"))
        action->setChecked(theme == Theme::dark);
}

void MainWindow::use(const Preferences &preferences)
{
    m_preferences = preferences;
    keepPreferences(preferences);
    m_model.setUndoLimit(preferences.undoSteps);
    setTheme(themeOf(preferences.theme));
}

bool MainWindow::isRangeMoving() const
{
    return m_questions->isRangeMoving();
}

bool MainWindow::hasStudy() const
{
    return m_pages->currentWidget() == m_area;
}

void MainWindow::offerTour()
{
    m_offersTour = !GuidedTour::wasSeen();
}

void MainWindow::openRecorder()
{
    auto *dialog = findChild<RecordDialog *>();
    if (!dialog) {
        dialog = new RecordDialog(m_model, m_recorder, *m_views, this);
        connect(&m_recorder, &Recorder::ended, dialog,
                [this, dialog](const QString &sentence, bool isWhole) {
                    if (!dialog->isVisible()) // nobody sees what it says
                        m_messages->say(
                            isWhole ? MessageBar::Kind::news : MessageBar::Kind::warning, sentence);
                });
    }
    m_animation.stop();
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

void MainWindow::keepSettings()
{
    QSettings settings;
    settings.setValue("geometry", saveGeometry());
    settings.setValue("window state", saveState());
    keepPreferences(m_preferences);
    m_panels.solve->saveState(settings);
    m_panels.campaign->saveState(settings);
    m_panels.performance->backends().saveState(settings);
    m_opening->keep(settings, m_panels.campaign->study());
}

/// Nothing waits for the answer: a signal may end the program meanwhile.
void MainWindow::askBeforeClosing()
{
    if (m_closingQuestion && m_closingQuestion->isVisible()) {
        m_closingQuestion->raise();
        return;
    }
    m_closingQuestion =
        m_panels.campaign->isRunning() ? m_panels.campaign->askToStop(*this) : askToClose(*this);
    connect(m_closingQuestion, &QDialog::accepted, this, &MainWindow::closeAtOnce);
}

void MainWindow::closeAtOnce()
{
    m_isClosingAtOnce = true;
    if (m_closingQuestion)
        m_closingQuestion->close();
    close();
    m_isClosingAtOnce = false;
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    const bool asks =
        m_panels.campaign->isRunning() || (m_preferences.asksBeforeClosing && hasStudy());
    if (asks && !m_isClosingAtOnce) {
        event->ignore();
        askBeforeClosing();
        return;
    }
    m_animation.stop();
    m_recorder.stop("The window was closed");
    keepSettings();
    event->accept();
}

} // namespace gridhelm::ui
