// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "data/mesh/campaign_files.h"
#include "ui/campaign/campaign_panel.h"
#include "ui/controls/message_bar.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/typing_keys.h"
#include "ui/performance/performance_panel.h"
#include "ui/probe/probe_panel.h"
#include "ui/solve/solve_panel.h"
#include "ui/trust/indicator_tint.h"
#include "ui/trust/tint_legend.h"
#include "ui/trust/trust_panel.h"
#include "ui/window/camera_menu.h"
#include "ui/window/companion_actions.h"
#include "ui/window/compare_actions.h"
#include "ui/window/compared_views.h"
#include "ui/window/field_questions.h"
#include "ui/window/keys_dialog.h"
#include "ui/window/kind_actions.h"
#include "ui/window/recent_files.h"
#include "ui/window/record_dialog.h"
#include "ui/window/saving_dialogs.h"
#include "ui/window/start_page.h"
#include "ui/window/status_line.h"
#include "ui/window/steer_panel.h"
#include "ui/window/steered_view.h"
#include "ui/window/study_copying.h"
#include "ui/window/view_area.h"
#include "ui/window/view_panel.h"
#include "ui/window/window_files.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonDocument>
#include <QMenuBar>
#include <QMimeData>
#include <QScrollArea>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

#include <exception>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr int panelWidth = 250;

} // namespace

MainWindow::MainWindow(const ExecutionContext &context, const Accelerators &accelerators,
                       Threads threads, QWidget *parent)
    : QMainWindow(parent)
    , m_backend(sparse::makeOmpBackend(context))
    , m_service(m_backend)
    , m_animation(m_model)
    , m_recorder(m_model,
                 [this](Recorder::TakePicture take) { m_views->takePicture(std::move(take)); })
    , m_tint(new IndicatorTint(m_model, m_backend, this))
{
    setObjectName("main window");
    setWindowTitle("Gridhelm");
    setAcceptDrops(true);
    auto *central = new QWidget(this);
    m_messages = new MessageBar(central);
    m_pages = new QStackedWidget(central);
    m_startPage = new StartPage(m_pages);
    m_area = new ViewArea(m_model, m_backend, m_pages);
    m_views = &m_area->compared();
    m_view = &m_views->steered();
    m_pages->addWidget(m_startPage);
    m_pages->addWidget(m_area);
    auto *layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_messages);
    layout->addWidget(m_pages, 1);
    setCentralWidget(central);
    makeDocks(context, accelerators);
    makeActions();
    new TypingKeys(this);
    m_status = new StatusLine(*statusBar(), *m_view);
    m_status->setBackend(m_performancePanel->backends().text());
    m_saving = std::make_unique<SavingDialogs>(*this, m_model, *m_area, *m_messages);
    m_copying = new StudyCopying(*m_messages, this);
    connectParts();
    connectPanels();

    QSettings settings;
    m_solvePanel->restoreState(settings);
    m_campaignPanel->restoreState(settings);
    m_performancePanel->backends().restoreState(settings, threads == Threads::asChosenLast);
    setTheme(settings.value("theme").toString() == "dark" ? Theme::dark : Theme::light);
    QMainWindow::layout()->activate(); // the closed docks need no room
    resize(1280, 800);
    restoreGeometry(settings.value("geometry").toByteArray());
    restoreState(settings.value("window state").toByteArray());
    closeStudy();
}

MainWindow::~MainWindow() = default;

void MainWindow::makeDocks(const ExecutionContext &context, const Accelerators &accelerators)
{
    const auto dock = [this](const QString &title, QWidget *panel, Qt::DockWidgetArea area) {
        auto *holder = new QDockWidget(title, this);
        holder->setObjectName(title);
        panel->setMinimumWidth(panelWidth);
        holder->setWidget(panel);
        addDockWidget(area, holder);
        return holder;
    };
    m_steerPanel = new SteerPanel(m_model, m_animation);
    m_viewPanel = new ViewPanel(m_model);
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_viewPanel);
    m_studyDocks = {dock("Steer", m_steerPanel, Qt::LeftDockWidgetArea),
                    dock("View", scroll, Qt::RightDockWidgetArea)};
    m_trustPanel = new TrustPanel(m_model);
    auto *trust = dock("Trust", m_trustPanel, Qt::RightDockWidgetArea);
    trust->toggleViewAction()->setShortcut(QKeySequence("T"));
    m_solvePanel = new SolvePanel(context, accelerators.solving);
    m_campaignPanel = new CampaignPanel(data::meshFilesThroughVtk());
    auto *solve = dock("Solve", m_solvePanel, Qt::BottomDockWidgetArea);
    auto *campaign = dock("Campaign", m_campaignPanel, Qt::BottomDockWidgetArea);
    tabifyDockWidget(solve, campaign);
    m_performancePanel = new PerformancePanel(m_solvePanel->limits(), context);
    for (const auto &offer : accelerators.evaluating)
        m_performancePanel->backends().add(offer);
    auto *performance = dock("Performance", m_performancePanel, Qt::BottomDockWidgetArea);
    performance->toggleViewAction()->setShortcut(QKeySequence("Ctrl+P"));
    tabifyDockWidget(campaign, performance);
    m_probePanel = new ProbePanel(m_model, m_backend, m_view->sceneWidget());
    auto *probe = dock("Probe", m_probePanel, Qt::RightDockWidgetArea);
    probe->toggleViewAction()->setShortcut(QKeySequence("P"));
    tabifyDockWidget(m_studyDocks.last(), probe);
    connect(probe, &QDockWidget::visibilityChanged, m_probePanel, &ProbePanel::setActive);
    tabifyDockWidget(probe, trust);
    m_studyDocks << trust;
    for (auto *holder : {trust, solve, campaign, performance, probe}) // closed until wanted
        holder->hide();
}

QAction *MainWindow::addAction(QMenu &menu, const QString &text, const QKeySequence &key,
                               const std::function<void()> &what)
{
    auto *action = menu.addAction(text);
    action->setShortcut(key);
    connect(action, &QAction::triggered, this, what);
    return action;
}

void MainWindow::makeActions()
{
    auto &file = *menuBar()->addMenu("&File");
    auto *open = addAction(file, "&Open ...", QKeySequence::Open, [this] { chooseFile(); });
    m_recentMenu = file.addMenu("Open &recent");
    connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    auto *close =
        addAction(file, "&Close the study", QKeySequence::Close, [this] { closeStudy(); });
    file.addSeparator();
    auto *picture = addAction(file, "Save the &picture ...", QKeySequence::Save,
                              [this] { m_saving->savePicture(); });
    auto *transparent =
        addAction(file, "Save the picture with a &transparent background ...",
                  QKeySequence("Ctrl+Alt+S"), [this] { m_saving->saveTransparentPicture(); });
    auto *field = addAction(file, "&Export the field ...", QKeySequence("Ctrl+E"),
                            [this] { m_saving->saveField(); });
    auto *state = addAction(file, "Save the &view ...", QKeySequence("Ctrl+Shift+S"),
                            [this] { m_saving->saveView(); });
    auto *copying = addAction(file, "Save a cop&y of the study ...", {}, [this] {
        if (m_model.study())
            m_copying->ask(*this, QString::fromStdString(m_model.study()->path.string()));
    });
    copying->setObjectName("saveCopy");
    auto *record =
        addAction(file, "Record a &movie ...", QKeySequence("Ctrl+M"), [this] { openRecorder(); });
    file.addSeparator();
    addAction(file, "&Quit", QKeySequence::Quit, [this] { this->close(); });

    auto &edit = *menuBar()->addMenu("&Edit");
    auto *undo = m_model.undoStack().createUndoAction(this, "&Undo");
    undo->setShortcut(QKeySequence::Undo);
    auto *redo = m_model.undoStack().createRedoAction(this, "&Redo");
    redo->setShortcut(QKeySequence::Redo);
    edit.addAction(undo);
    edit.addAction(redo);

    auto &view = *menuBar()->addMenu("&View");
    const auto kinds = addKindActions(
        view, m_model, [this](ViewKind kind) { return m_view->whyNot(kind); },
        [this](const QString &reason) { m_messages->say(MessageBar::Kind::news, reason); });
    view.addSeparator();
    auto *whole = addAction(view, "&All of it", QKeySequence("0"), [this] {
        if (auto *widget = m_view->sceneWidget())
            widget->resetCamera();
    });
    whole->setToolTip("The whole mesh fills the view again (0)");
    auto *camera = addCameraMenu(view, *m_view);
    auto *play = addAction(view, "&Play or stop", QKeySequence("Space"), [this] {
        if (m_animation.isPlaying())
            m_animation.stop();
        else
            m_animation.play(m_animation.parameter());
    });
    view.addSeparator();
    auto *companions = addCompanionActions(view, m_model);
    view.addSeparator();
    auto *dark = addAction(view, "&Dark theme", QKeySequence("Ctrl+T"), [] {});
    dark->setObjectName("dark theme");
    dark->setCheckable(true);
    connect(dark, &QAction::toggled, this,
            [this](bool isDark) { setTheme(isDark ? Theme::dark : Theme::light); });
    addAction(view, "&Full screen", QKeySequence::FullScreen,
              [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    auto *panels = view.addMenu("Pa&nels");
    for (auto *holder : findChildren<QDockWidget *>())
        panels->addAction(holder->toggleViewAction());

    auto &compare = *menuBar()->addMenu("&Compare");
    const auto comparing = addCompareActions(compare, m_model);

    auto &help = *menuBar()->addMenu("&Help");
    addAction(help, "&Keys", QKeySequence("?"), [this] { showKeys(*this); });

    m_studyActions = kinds;
    m_studyActions << close << copying << picture << transparent << field << state << record
                   << whole << camera << play;
    m_studyGroups = {comparing.all, companions};
    auto &bar = *addToolBar("Tools");
    bar.setObjectName("tools");
    bar.setMovable(false);
    bar.setToolButtonStyle(Qt::ToolButtonTextOnly);
    bar.addAction(open);
    bar.addSeparator();
    bar.addActions(kinds.first(3));
    bar.addAction(whole);
    bar.addSeparator();
    for (auto *action : {undo, redo}) { // without the names of steps, that would move the others
        auto *copy = bar.addAction(action == undo ? "Undo" : "Redo", action, &QAction::trigger);
        copy->setEnabled(false);
        connect(action, &QAction::changed, copy, [action, copy] {
            copy->setEnabled(action->isEnabled());
            copy->setToolTip(action->text().remove('&') + " ("
                             + action->shortcut().toString(QKeySequence::NativeText) + ")");
        });
    }
    bar.addSeparator();
    bar.addActions(comparing.ofToolBar);
    bar.addSeparator();
    bar.addAction(picture);
    bar.addSeparator();
    for (auto *panel : std::initializer_list<QWidget *>{m_probePanel, m_trustPanel, m_solvePanel,
                                                        m_campaignPanel, m_performancePanel}) {
        auto *holder = static_cast<QDockWidget *>(panel->parentWidget());
        auto *toggle = holder->toggleViewAction();
        connect(toggle, &QAction::triggered, holder, [holder](bool isOn) {
            if (isOn)
                holder->raise();
        });
        toggle->setToolTip("Shows or hides the panel " + holder->windowTitle());
        bar.addAction(toggle);
    }
}

void MainWindow::connectParts()
{
    const auto complain = [this](const QString &sentence) {
        m_messages->say(MessageBar::Kind::error, sentence);
    };
    const auto advise = [this](const QString &sentence) {
        m_messages->say(MessageBar::Kind::news, sentence);
    };
    connect(m_startPage, &StartPage::openWanted, this, &MainWindow::openFile);
    connect(m_startPage, &StartPage::chooseWanted, this, &MainWindow::chooseFile);
    connect(m_startPage, &StartPage::failed, this, complain);
    connect(m_steerPanel, &SteerPanel::refused, this, advise);
    connect(m_viewPanel, &ViewPanel::refused, this, advise);
    connect(m_area, &ViewArea::failed, this, complain);
    connect(m_view, &SteeredView::shown, this, &MainWindow::frameIsShown);
    connect(m_view, &SteeredView::sceneChanged, this, [this] {
        m_viewPanel->showScene(m_view->scene().shape(), m_view->scene().range());
        m_status->sceneChanged();
    });
    m_questions = std::make_unique<FieldQuestions>(m_model, m_service, *m_area, m_backend);
    connect(&m_service, &FieldService::opened, this, &MainWindow::studyOpened);
    connect(&m_service, &FieldService::openFailed, this, [this, complain](const QString &sentence) {
        if (std::exchange(m_isTrying, false))
            return;
        closeStudy();
        complain(sentence);
    });
    connect(&m_service, &FieldService::failed, this, complain);
    connect(&m_service, &FieldService::frameReady, m_area, &ViewArea::showFrame);
    connect(&m_service, &FieldService::partReady, m_view, &SteeredView::showPart);
}

void MainWindow::connectPanels()
{
    const auto sayIfHidden = [this](QWidget *panel, MessageBar::Kind kind) {
        return [this, panel, kind](const QString &sentence) {
            if (!panel->isVisible())
                m_messages->say(kind, sentence);
        };
    };
    connect(m_campaignPanel, &CampaignPanel::news, this,
            sayIfHidden(m_campaignPanel, MessageBar::Kind::news));
    connect(m_campaignPanel, &CampaignPanel::failed, this,
            sayIfHidden(m_campaignPanel, MessageBar::Kind::error));
    connect(m_campaignPanel, &CampaignPanel::studyCreated, this, [this](const QString &path) {
        const auto created = path; // closing forgets it
        if (m_pages->currentWidget() == m_area)
            closeStudy();
        m_campaignPanel->setStudy(created);
    });
    // The service follows the study that is open by itself.
    connect(m_campaignPanel, &CampaignPanel::studyChanged, this,
            &MainWindow::openWhenThereIsSomething);
    connect(m_view, &SteeredView::sceneChanged, m_probePanel,
            [this] { m_probePanel->setFrame(m_view->frame()); });
    connect(m_probePanel, &ProbePanel::wanted, this, [this] { showPanel(*m_probePanel); });
    connect(m_probePanel, &ProbePanel::moved, &m_animation, &Animation::stop);
    const auto say = [this](MessageBar::Kind kind) {
        return [this, kind](const QString &sentence) { m_messages->say(kind, sentence); };
    };
    connect(m_probePanel, &ProbePanel::news, this, say(MessageBar::Kind::news));
    connect(m_probePanel, &ProbePanel::refused, this, say(MessageBar::Kind::news));
    connect(m_probePanel, &ProbePanel::failed, this, say(MessageBar::Kind::error));
    connect(&m_performancePanel->backends(), &BackendRow::chosen, this, &MainWindow::evaluateBy);
    connect(&m_service, &FieldService::backendFailed, &m_performancePanel->backends(),
            &BackendRow::giveUp);
    connect(m_performancePanel, &PerformancePanel::news, this, say(MessageBar::Kind::news));
    connect(m_performancePanel, &PerformancePanel::failed, this, say(MessageBar::Kind::error));
    connect(&m_service, &FieldService::frameReady, m_tint, &IndicatorTint::setFrame);
    connect(m_tint, &IndicatorTint::found, &m_steerPanel->tint(), &TintLegend::showTint);
    connect(m_tint, &IndicatorTint::failed, &m_steerPanel->tint(), &TintLegend::showProblem);
    connect(m_solvePanel, &SolvePanel::news, this,
            [this](const QString &sentence) { m_messages->say(MessageBar::Kind::news, sentence); });
    connect(m_solvePanel, &SolvePanel::failed, this, [this](const QString &sentence) {
        m_messages->say(MessageBar::Kind::error, sentence);
    });
}

void MainWindow::openWhenThereIsSomething()
{
    if (m_pages->currentWidget() == m_area || m_campaignPanel->study().isEmpty())
        return;
    m_isTrying = true;
    m_opening = m_campaignPanel->study();
    m_service.open(m_opening.toStdString());
}

void MainWindow::showPanel(QWidget &panel)
{
    for (auto *holder : findChildren<QDockWidget *>()) {
        if (holder->isAncestorOf(&panel)) {
            holder->show();
            holder->raise();
        }
    }
}

void MainWindow::fillRecentMenu()
{
    m_recentMenu->clear();
    for (const auto &path : recentFiles())
        connect(m_recentMenu->addAction(plainName(QDir::toNativeSeparators(path))),
                &QAction::triggered, this, [this, path] { openFile(path); });
    if (m_recentMenu->isEmpty())
        m_recentMenu->addAction("(none yet)")->setEnabled(false);
}

void MainWindow::openFile(const QString &path)
{
    attempt([&] {
        m_messages->clear();
        m_isTrying = false;
        m_steerings = {};
        m_opening = path;
        if (path.endsWith(viewSuffix)) {
            const auto saved = readView(path);
            m_opening = saved.study;
            m_steerings = saved.steering;
        }
        m_animation.stop();
        m_status->say("Opening " + QDir::toNativeSeparators(m_opening) + " ...");
        m_service.open(m_opening.toStdString());
    });
}

bool MainWindow::openLast()
{
    const QSettings settings;
    const auto path = settings.value("last study").toString();
    if (path.isEmpty() || !QFileInfo::exists(path))
        return false;
    openFile(path);
    m_steerings = QJsonDocument::fromJson(settings.value("last steering").toByteArray()).object();
    return true;
}

void MainWindow::closeStudy()
{
    m_animation.stop();
    m_recorder.stop();
    m_service.close();
    m_opening.clear();
    m_pages->setCurrentWidget(m_startPage);
    m_startPage->refresh();
    setWindowTitle("Gridhelm");
    for (auto *action : m_studyActions)
        action->setEnabled(false);
    for (auto *group : m_studyGroups)
        group->setEnabled(false);
    for (auto *holder : m_studyDocks)
        holder->widget()->setEnabled(false);
    m_campaignPanel->clearStudy();
    m_performancePanel->backends().setStudy(nullptr);
    m_probePanel->clearStudy();
    m_tint->clear();
    m_status->clear();
}

void MainWindow::studyOpened(std::shared_ptr<const StudyFacts> facts)
{
    m_isTrying = false;
    const bool isNew = !m_opening.isEmpty();
    m_model.setStudy(std::move(facts));
    const auto &study = *m_model.study();
    if (isNew) {
        addRecentFile(QString::fromStdString(study.path.string()));
        if (!m_steerings.isEmpty())
            m_model.change("saved view", fromJson(m_steerings, study, m_model.now()));
        m_area->arrange(m_steerings);
        m_model.undoStack().clear();
        m_opening.clear();
        m_performancePanel->clear();
    }
    m_performancePanel->backends().setStudy(m_model.study());
    m_pages->setCurrentWidget(m_area);
    const auto name = QString::fromStdString(study.path.filename().string());
    setWindowTitle(QString::fromStdString(study.title) + " (" + name + ") - Gridhelm");
    for (auto *action : m_studyActions)
        action->setEnabled(true);
    for (auto *group : m_studyGroups)
        group->setEnabled(true);
    for (auto *holder : m_studyDocks)
        holder->widget()->setEnabled(true);
    m_campaignPanel->setStudy(QString::fromStdString(study.path.string()));
    m_messages->retract(std::exchange(m_notice, QString::fromStdString(study.notice)));
    if (!m_notice.isEmpty())
        m_messages->say(MessageBar::Kind::warning, m_notice);
    m_messages->retract(std::exchange(m_missingSentence, {}));
    if (const auto missing = study.missingPoints.at(m_model.now().field)) {
        m_missingSentence = QString("%1 of %2 grid points have no coefficients yet and count as 0: "
                                    "run and compress the study")
                                .arg(missing)
                                .arg(study.gridPoints);
        m_messages->say(MessageBar::Kind::warning, m_missingSentence);
    }
    m_questions->askAll();
}

void MainWindow::evaluateBy(std::shared_ptr<const sparse::Backend> backend)
{
    m_service.setBackend(std::move(backend));
    m_status->setBackend(m_performancePanel->backends().text());
}

void MainWindow::frameIsShown(const std::shared_ptr<const FieldFrame> &frame)
{
    const double latency =
        std::chrono::duration<double>(FieldRequest::Clock::now() - frame->request.asked).count();
    m_animation.frameShown();
    m_recorder.frameShown(frame);
    const auto *widget = m_view->sceneWidget();
    m_performancePanel->note(*frame, latency, m_view->secondsToHand(),
                             widget ? widget->secondsToDraw() : 0);
    m_status->frameShown(frame, latency);
    emit frameShown(frame, latency);
}

void MainWindow::setTheme(Theme theme)
{
    m_theme = theme;
    applyTheme(theme);
    if (auto *action = findChild<QAction *>("dark theme"))
        action->setChecked(theme == Theme::dark);
}

void MainWindow::attempt(const std::function<void()> &what)
{
    try {
        what();
    } catch (const std::exception &problem) {
        m_messages->say(MessageBar::Kind::error, QString::fromStdString(problem.what()));
    }
}

void MainWindow::chooseFile()
{
    const auto path = QFileDialog::getOpenFileName(
        this, "Open a study or a saved view", {},
        QString("Studies and views (*.gridhelm *%1);;All files (*)").arg(viewSuffix));
    if (!path.isEmpty())
        openFile(path);
}

void MainWindow::openRecorder()
{
    auto *dialog = findChild<RecordDialog *>();
    if (!dialog)
        dialog = new RecordDialog(m_model, m_recorder, this);
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
    settings.setValue("theme", m_theme == Theme::dark ? "dark" : "light");
    m_solvePanel->saveState(settings);
    m_campaignPanel->saveState(settings);
    m_performancePanel->backends().saveState(settings);
    const bool hasStudy = m_pages->currentWidget() == m_area && m_model.study();
    settings.setValue("last study", hasStudy
                                        ? QString::fromStdString(m_model.study()->path.string())
                                        : QString());
    if (hasStudy)
        settings.setValue("last steering",
                          QJsonDocument(m_area->state()).toJson(QJsonDocument::Compact));
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    m_animation.stop();
    m_recorder.stop();
    keepSettings();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    for (const auto &url : event->mimeData()->urls()) {
        if (url.isLocalFile()) {
            openFile(url.toLocalFile());
            return;
        }
    }
}

} // namespace gridhelm::ui
