// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/solve_panel.h"

#include "ui/controls/number_text.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"
#include "ui/machine/machine_limits.h"
#include "ui/solve/field_panel.h"
#include "ui/solve/live_controls.h"
#include "ui/solve/rates_bar.h"
#include "ui/solve/run_explanation.h"
#include "ui/solve/runs_panel.h"
#include "ui/solve/solver_form.h"
#include "ui/solve/solver_run.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
namespace {

constexpr const char *hint =
    "Choose a solver and its options on the left, then press Run.\n"
    "While it runs, drag its source in this view, or move the sliders under \"Live\".";

QString sourceName(std::size_t axis)
{
    return QString("source ") + QChar("xyz"[axis]);
}

QString figure(const char *name, double value)
{
    return std::isnan(value) ? QString()
                             : QString::fromStdString(fmt::format("  ·  {} {:.3g}", name, value));
}

} // namespace

SolvePanel::SolvePanel(const ExecutionContext &context,
                       const std::vector<const solvers::SolverBackend *> &further,
                       const SolverDevices &devices, QWidget *parent)
    : QWidget(parent)
    , m_left(new QTabWidget(this))
    , m_formStack(new QStackedWidget(this))
    , m_live(new LiveControls)
    , m_field(new FieldPanel(this))
    , m_runs(new RunsPanel(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_limits(new MachineLimits(this))
    , m_rates(new RatesBar(*m_limits, this))
{
    setAccessibleName("Solve");
    m_formStack->setObjectName("forms");
    SolverBackends backends{further, context,
                            devices}; // the first one is taken if the user says nothing
    const bool hasAuto = !further.empty() && further.front()->name() == "auto";
    backends.all.insert(backends.all.begin() + (hasAuto ? 1 : 0), &solvers::ompSolvers());
    for (const auto *family : solvers::poissonFamilies())
        m_forms.push_back(makePoissonForm(*family, backends, m_formStack));
    m_forms.push_back(makePmmForm(backends, m_formStack));
    m_forms.push_back(makeStencilForm(backends, m_formStack));
    for (auto *each : m_forms) {
        m_formStack->addWidget(each);
        connect(each, &SolverForm::edited, this,
                [this] { m_field->view()->setBands(m_run ? m_runForm->layers() : std::nullopt); });
    }
    auto *livePage = new QScrollArea(m_left);
    livePage->setWidgetResizable(true);
    livePage->setFrameShape(QFrame::NoFrame);
    livePage->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    livePage->setWidget(m_live);
    m_left->setObjectName("pages");
    m_left->setDocumentMode(true);
    m_left->addTab(m_formStack, "Options");
    m_left->addTab(livePage, "Live");
    m_left->setTabToolTip(1, "Parameters that change while the solver runs");
    m_field->view()->setHint(hint);
    m_splitter->addWidget(m_left);
    m_splitter->addWidget(m_field);
    m_splitter->addWidget(m_runs);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 3);
    m_splitter->setStretchFactor(2, 2);
    m_splitter->setSizes({270, 590, 420});
    m_splitter->setChildrenCollapsible(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->setSpacing(4);
    layout->addWidget(makeTransport());
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_rates);

    connect(m_live, &LiveControls::valueEdited, this, &SolvePanel::changeLive);
    connect(m_live, &LiveControls::refused, this, &SolvePanel::failed);
    connect(m_field->view(), &FieldView::markerMoved, this, &SolvePanel::moveSource);
    connect(m_field, &FieldPanel::refused, this, &SolvePanel::failed);
    connect(m_field, &FieldPanel::sliceChosen, this, [this](const solvers::SliceChoice &slice) {
        if (m_run)
            m_run->showSlice(slice);
    });
    connect(m_runs, &RunsPanel::news, this, &SolvePanel::news);
    connect(m_runs, &RunsPanel::failed, this, &SolvePanel::failed);
    connect(m_limits, &MachineLimits::failed, this, &SolvePanel::failed);
    showState();
}

SolvePanel::~SolvePanel() = default;

QWidget *SolvePanel::makeTransport()
{
    auto *bar = new QWidget(this);
    m_solvers = new QTabBar(bar);
    m_solvers->setObjectName("solver");
    m_solvers->setAccessibleName("Solver");
    m_solvers->setDrawBase(false);
    m_solvers->setExpanding(false);
    for (const auto *each : m_forms)
        m_solvers->addTab(each->solver());
    for (int tab = 0; tab < m_solvers->count(); ++tab)
        m_solvers->setTabToolTip(tab, m_forms[static_cast<std::size_t>(tab)]->summary());
    connect(m_solvers, &QTabBar::currentChanged, m_formStack, &QStackedWidget::setCurrentIndex);

    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_solvers);
    const auto add = [&](const char *name, const QString &text, const QString &tip,
                         void (SolvePanel::*action)()) {
        auto *button = new QPushButton(text, bar);
        button->setObjectName(name);
        button->setToolTip(tip);
        connect(button, &QPushButton::clicked, this, action);
        layout->addWidget(button);
        return button;
    };
    m_runButton = add("run", "Pause", "", &SolvePanel::startOrPause); // the longer of its texts
    m_runButton->setFixedWidth(m_runButton->sizeHint().width());
    m_stepButton = add("step", "Step", "Do so many iterations, then pause", &SolvePanel::step);
    m_stepCount = new QSpinBox(bar);
    m_stepCount->setObjectName("step-count");
    m_stepCount->setRange(1, 1000000);
    m_stepCount->setAccessibleName("Iterations of a step");
    m_stepCount->setToolTip("Iterations (sweeps) of a step; methods that do several at once do a "
                            "whole number of passes");
    layout->addWidget(m_stepCount);
    m_stopButton = add("stop", "Stop", "End this run; it stays in the table, and its field here",
                       &SolvePanel::stop);
    m_resetButton = add("reset", "Reset", "Forget this run, and begin again with the options",
                        &SolvePanel::reset);
    m_saveButton = add("save", "Save…",
                       "Save the field as VTK image data (.vti), which ParaView "
                       "opens",
                       &SolvePanel::chooseFile);
    m_stateLabel = new QLabel(bar);
    m_stateLabel->setObjectName("state");
    m_stateLabel->setTextFormat(Qt::PlainText);
    m_stateLabel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    layout->addSpacing(8);
    layout->addWidget(m_stateLabel, 1);
    return bar;
}

SolverForm *SolvePanel::form() const
{
    return m_forms[static_cast<std::size_t>(m_solvers->currentIndex())];
}

bool SolvePanel::isActive() const
{
    return m_run && !isOver(m_run->state().phase) && m_run->state().phase != RunPhase::settled;
}

bool SolvePanel::isRunning() const
{
    return m_run
           && (m_run->state().phase == RunPhase::preparing
               || m_run->state().phase == RunPhase::running);
}

// ---- what the buttons do ---------------------------------------------------------------------

void SolvePanel::startOrPause()
{
    if (!isActive())
        begin(false);
    else if (m_run->state().phase == RunPhase::running)
        m_run->pause();
    else if (m_run->state().phase == RunPhase::paused)
        m_run->run();
}

void SolvePanel::step()
{
    if (isRunning())
        return;
    if (!isActive())
        begin(true);
    m_run->step(static_cast<std::uint64_t>(m_stepCount->value()));
}

void SolvePanel::stop()
{
    if (m_run)
        m_run->stop();
}

void SolvePanel::reset()
{
    if (!m_run)
        return;
    const bool isForgotten = isActive();
    if (!isForgotten)
        closeRecord();
    m_run.reset();
    if (isForgotten)
        m_runs->remove(m_record);
    m_record = 0;
    m_live->clear();
    m_left->setCurrentIndex(0);
    m_field->setFrame(nullptr);
    m_field->view()->setMarker(std::nullopt);
    showState();
}

/// After a cold run the warm one that it is compared with; not from within the cold one's signal.
void SolvePanel::goOn()
{
    const auto goOnWith = [this, cold = m_run.get()](const ColdAndWarm::Next &next) {
        if (m_run.get() != cold) // the user was quicker
            return;
        m_coldAndWarm.compareWith(next.cold);
        start(next.run, next.startsPaused);
    };
    if (auto next = m_coldAndWarm.next(m_run->state()))
        QMetaObject::invokeMethod(
            this, [goOnWith, next = std::move(*next)] { goOnWith(next); }, Qt::QueuedConnection);
    const auto saved = m_coldAndWarm.savedText(m_run->state());
    if (std::exchange(m_saved, saved) != saved && !saved.isEmpty())
        emit news("The warm start has " + saved);
}

/// The run's row gets its last figures: a run that waits at its target is finished.
void SolvePanel::closeRecord()
{
    if (!m_run || m_record == 0)
        return;
    auto state = m_run->state();
    if (state.phase == RunPhase::settled)
        state.phase = RunPhase::finished;
    m_runs->update(m_record, state);
    m_record = 0;
}

void SolvePanel::begin(bool startsPaused)
{
    m_runForm = form();
    m_runForm->showProblem({});
    const auto first = m_coldAndWarm.first(m_runForm->wanted(), startsPaused);
    start(first, startsPaused);
}

void SolvePanel::start(const WantedRun &wanted, bool startsPaused)
{
    closeRecord();
    m_run.reset(); // its memory is free before the next one looks for some
    m_start = wanted.start;
    m_record = m_runs->add({}, m_start.isEmpty() ? wanted.method : wanted.method + ", warm start",
                           wanted.size);
    m_runs->model()->setData(m_runs->model()->index(m_runs->model()->rowOf(m_record), 0),
                             QString("%1 %2").arg(m_runForm->solver()).arg(m_record));
    RunRequest request;
    request.makeCase = wanted.makeCase;
    request.pin = wanted.pin;
    request.staysLive = wanted.staysLive;
    request.startsPaused = startsPaused;
    request.slice = m_field->slice();
    if (m_field->view()->property("solver") != m_runForm->solver()) { // its own usual plane, once
        request.slice = {m_runForm->defaultNormal(), 0.5};
        m_field->setSlice(request.slice);
        m_field->view()->setProperty("solver", m_runForm->solver());
    }
    m_live->clear();
    m_hasShownLive = false;
    m_field->setFrame(nullptr);
    m_field->view()->setMarker(std::nullopt);
    m_field->view()->setBands(m_runForm->layers());
    m_run = std::make_unique<SolverRun>(std::move(request));
    connectRun();
    showState();
}

void SolvePanel::connectRun()
{
    auto *run = m_run.get();
    connect(run, &SolverRun::historyGrown, this,
            [this](const std::vector<solvers::StepReport> &points) {
                m_runs->append(m_record, points);
            });
    connect(run, &SolverRun::frameChanged, this, [this, run] {
        m_field->view()->setQuantity(QString::fromStdString(run->state().fieldName));
        m_field->setFrame(run->frame());
        showMarker();
    });
    connect(run, &SolverRun::stateChanged, this, [this] {
        goOn();
        showState();
    });
    connect(run, &SolverRun::complained, this, [this, run](const QString &sentence) {
        m_live->showValues(run->state().parameters);
        showMarker();
        emit failed(sentence);
    });
    connect(run, &SolverRun::saved, this,
            [this](const QString &path) { emit news(path + " is written"); });
}

void SolvePanel::setShownField(const ShownFieldSource &source)
{
    for (auto *each : m_forms)
        each->setShownField(source);
}

void SolvePanel::saveField(const QString &path)
{
    if (m_run)
        m_run->save(path, m_runForm->layers());
}

void SolvePanel::chooseFile()
{
    const auto path =
        QFileDialog::getSaveFileName(this, "Save the field", "field.vti", "VTK image data (*.vti)");
    if (!path.isEmpty())
        saveField(path);
}

// ---- live parameters -------------------------------------------------------------------------

void SolvePanel::changeLive(const QString &name, double value)
{
    if (!m_run)
        return;
    m_run->setLiveParameter(name, value);
    showMarker();
}

void SolvePanel::moveSource(const QPointF &place)
{
    if (!m_run || !m_run->frame())
        return;
    const auto &axes = m_run->frame()->slice.axes;
    const std::array<double, 2> values{place.x(), place.y()};
    for (const std::size_t i : {0U, 1U}) {
        const auto name = sourceName(axes[i]);
        // A pixel is coarser than a thousandth: numbers that can be read.
        const double value = std::round(values[i] * 1e4) / 1e4;
        if (m_live->value(name) == value)
            continue;
        m_live->setValue(name, value);
        m_run->setLiveParameter(name, value);
    }
}

void SolvePanel::showMarker()
{
    std::optional<QPointF> place;
    if (m_run && m_run->frame() && !isOver(m_run->state().phase)) {
        const auto &axes = m_run->frame()->slice.axes;
        const auto x = m_live->value(sourceName(axes[0]));
        const auto y = m_live->value(sourceName(axes[1]));
        if (x && y)
            place = QPointF(*x, *y);
    }
    m_field->view()->setMarker(place);
}

// ---- what is shown ---------------------------------------------------------------------------

void SolvePanel::showState()
{
    const auto isIn = [this](RunPhase phase) { return m_run && m_run->state().phase == phase; };
    const bool hasFailed = isIn(RunPhase::failed), isPaused = isIn(RunPhase::paused),
               isPreparing = isIn(RunPhase::preparing);
    if (m_run) {
        const auto &state = m_run->state();
        const bool neverBegan = hasFailed && state.unknowns == 0;
        if (neverBegan) {
            m_runForm->showProblem(QString::fromStdString(state.message));
            m_left->setCurrentIndex(0);
            m_formStack->setCurrentWidget(m_runForm);
        }
        const bool isWorthARow = !neverBegan && !(isOver(state.phase) && state.unknowns == 0);
        if (m_record != 0 && !isWorthARow) {
            m_runs->remove(m_record);
            m_record = 0;
        }
        if (m_record != 0)
            m_runs->update(m_record, state);
        if (!state.parameters.empty() || state.unknowns > 0) {
            m_live->setParameters(state.parameters);
            m_runs->plot()->setUnit(m_record, QString::fromStdString(state.unit));
        }
        m_live->setEnabled(!isOver(state.phase));
        if (!m_hasShownLive && !m_live->isEmpty()) {
            m_hasShownLive = true;
            m_left->setCurrentIndex(1);
        }
        if (hasFailed && !neverBegan && m_record != 0)
            emit failed(QString::fromStdString(state.message));
        if (isOver(state.phase))
            m_record = 0;
        showMarker();
    }
    const bool active = isActive();
    m_runs->setActive(active ? m_record : 0);
    m_runButton->setText(active && !isPaused ? "Pause" : "Run");
    m_runButton->setToolTip(!active    ? "Run the solver with these options (F5)"
                            : isPaused ? "Go on (F5)"
                                       : "Pause after this iteration (F5)");
    m_runButton->setShortcut(Qt::Key_F5); // setText() takes it away
    m_runButton->setEnabled(!isPreparing);
    m_stepButton->setEnabled(!isRunning());
    m_stopButton->setEnabled(m_run && !isOver(m_run->state().phase));
    m_resetButton->setEnabled(m_run != nullptr);
    m_saveButton->setEnabled(m_run && m_run->frame());
    m_solvers->setEnabled(!active);
    for (auto *each : m_forms)
        each->setOptionsEnabled(!active);

    QString text = "no run yet", tip;
    if (m_run) {
        const auto &state = m_run->state();
        text = runStateText(state);
        tip = plainTip(explanationOf(state, m_start));
        if (state.unknowns > 0) {
            text += QString("  ·  %1 %2")
                        .arg(groupedText(static_cast<double>(state.report.iterations)),
                             QString::fromStdString(state.unit));
            text += figure("residual", state.report.residual);
            text += figure("change", state.report.largestChange);
            text += figure("error", state.report.error);
            if (!m_saved.isEmpty())
                text += "  ·  " + m_saved;
        }
    }
    m_stateLabel->setToolTip(tip);
    m_stateLabel->setText(text);
    m_stateLabel->setAccessibleName(text);
    showRates();
    if (m_run && m_run->state().unknowns > 0 && m_shares != m_run->state().shares) {
        m_shares = m_run->state().shares;
        emit sharesChanged(m_runForm->solver(), m_shares);
    }
    if (std::exchange(m_wasRunning, isRunning()) != isRunning())
        emit runningChanged(isRunning());
}

void SolvePanel::showRates()
{
    const bool hasRun = m_run && m_run->state().unknowns > 0;
    m_rates->show(hasRun ? std::optional(m_run->state()) : std::nullopt,
                  hasRun ? m_run->state().threads : form()->threads());
}

} // namespace gridhelm::ui
