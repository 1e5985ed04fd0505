// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/study_page.h"

#include "core/support/system_info.h"
#include "data/campaign/campaign_text.h"
#include "ui/campaign/compress_box.h"
#include "ui/campaign/error_curve_plot.h"
#include "ui/campaign/grid_picture.h"
#include "ui/campaign/grow_box.h"
#include "ui/campaign/import_page.h"
#include "ui/campaign/job_model.h"
#include "ui/campaign/job_table.h"
#include "ui/campaign/place_box.h"
#include "ui/campaign/refine_box.h"
#include "ui/campaign/study_forecast.h"
#include "ui/campaign/study_text.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"
#include "ui/controls/toned_label.h"

#include <QCheckBox>
#include <QEvent>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFormLayout>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QTabWidget>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>

namespace gridhelm::ui {
namespace {

QString text(const std::string &from)
{
    return QString::fromStdString(from);
}

QFrame *line(QWidget *parent)
{
    auto *frame = new QFrame(parent);
    frame->setFrameShape(QFrame::HLine);
    frame->setForegroundRole(QPalette::Mid);
    return frame;
}

} // namespace

StudyPage::StudyPage(QWidget *parent)
    : QWidget(parent)
    , m_splitter(new QSplitter(Qt::Horizontal, this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(m_splitter);
    auto *scroll = new QScrollArea(this); // low docks
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto *actions = makeActions();
    scroll->setWidget(actions);
    scroll->setMinimumWidth(actions->minimumSizeHint().width() + 18);
    m_splitter->addWidget(scroll);
    m_jobs = new JobTable(this);
    m_splitter->addWidget(m_jobs);
    m_splitter->addWidget(makeDetails());
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 4);
    m_splitter->setStretchFactor(2, 3);
    m_splitter->setSizes({276, 620, 374});

    connect(m_jobs, &JobTable::currentChanged, this, &StudyPage::followJob);
    connect(m_jobs, &JobTable::resultWanted, this, &StudyPage::resultWanted);
    connect(m_jobs, &JobTable::activated, this, [this] {
        m_details->setCurrentWidget(m_logPage);
        followJob();
    });
    follow();
}

QWidget *StudyPage::makeActions()
{
    auto *all = new QWidget(this);
    auto *layout = new QVBoxLayout(all);
    layout->setContentsMargins(0, 0, 8, 0);
    layout->setSpacing(5);
    m_title = new PlainLabel(all);
    m_title->setObjectName("studyTitle");
    auto bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setWordWrap(true);
    m_summary = new TonedLabel(quietTextColour, all);
    m_summary->setObjectName("studySummary");
    m_nextStep = new TonedLabel(accentColour, all);
    m_nextStep->setObjectName("studyNextStep");
    layout->addWidget(m_title);
    layout->addWidget(m_summary);
    layout->addWidget(m_nextStep);
    layout->addWidget(line(all));
    layout->addLayout(makeRunActions(all));
    layout->addWidget(line(all));
    m_compress = new CompressBox(all);
    connect(m_compress, &CompressBox::wanted, this, [this](data::CompressStep step) {
        step.keepGoing = m_keepGoing->isChecked();
        emit compressWanted(step);
    });
    connect(m_compress, &CompressBox::compactWanted, this, &StudyPage::compactWanted);
    layout->addWidget(m_compress);
    layout->addWidget(line(all));
    m_grow = new GrowBox(all);
    connect(m_grow, &GrowBox::growWanted, this, &StudyPage::growWanted);
    connect(m_grow, &GrowBox::undoWanted, this, &StudyPage::undoGrowthWanted);
    layout->addWidget(m_grow);
    layout->addWidget(line(all));
    m_refine = new RefineBox(all);
    connect(m_refine, &RefineBox::wanted, this, [this](data::RefineStep step) {
        step.jobs = m_atATime->value();
        step.keepGoing = m_keepGoing->isChecked();
        step.context = ExecutionContext(CpuDevice{querySystemInfo().threadCount});
        emit refineWanted(step);
    });
    layout->addWidget(m_refine);
    layout->addStretch(1);
    const auto followJobs = [this](int jobs) {
        m_compress->setJobsAtATime(jobs);
        m_grow->setJobsAtATime(jobs);
    };
    connect(m_atATime, &QSpinBox::valueChanged, this, followJobs);
    followJobs(m_atATime->value());
    QList<QWidget *> boxes{m_atATime, m_compress->holdOutsBox(), m_grow->levelBox()};
    for (auto *box : boxes + m_refine->numberBoxes()) {
        box->setFocusPolicy(Qt::StrongFocus);
        box->installEventFilter(this);
    }
    return all;
}

QLayout *StudyPage::makeRunActions(QWidget *all)
{
    auto *runs = new QGridLayout;
    m_run = new QPushButton("Run", all);
    m_run->setObjectName("run");
    m_run->setToolTip("Run the jobs that are waiting; those that are done are never run again");
    m_atATime = new QSpinBox(all);
    m_atATime->setObjectName("atATime");
    m_atATime->setRange(1, 1024);
    m_atATime->setValue(querySystemInfo().threadCount);
    m_atATime->setSuffix(" at a time");
    m_atATime->setAccessibleName("Jobs at a time");
    m_atATime->setToolTip("Jobs that run side by side, 1 to 1024");
    m_rerun = new QPushButton("Rerun failed", all);
    m_rerun->setObjectName("rerunFailed");
    m_rerun->setToolTip("Run all failed jobs again, and those that are waiting");
    m_keepFolders = new QCheckBox("Keep folders", all);
    m_keepFolders->setToolTip("Keep the working folders of commands that succeeded, too; those of "
                              "failed ones always stay");
    runs->addWidget(m_run, 0, 0);
    runs->addWidget(m_atATime, 0, 1);
    runs->addWidget(m_rerun, 1, 0);
    m_keepGoing = new QCheckBox("Ignore errors", all);
    m_keepGoing->setObjectName("keepGoing");
    m_keepGoing->setToolTip("Go on even if the first jobs or validation runs fail one after the "
                            "other, all alike; otherwise no more are begun then");
    runs->addWidget(m_keepFolders, 1, 1);
    runs->addWidget(m_keepGoing, 2, 0, 1, 2);
    m_place = new PlaceBox(all);
    runs->addWidget(m_place, 3, 0, 1, 2);
    connect(m_run, &QPushButton::clicked, this, [this] { run(false, std::nullopt); });
    connect(m_rerun, &QPushButton::clicked, this, [this] { run(true, std::nullopt); });
    return runs;
}

QWidget *StudyPage::makeDetails()
{
    m_details = new QTabWidget(this);
    m_details->setObjectName("details");
    m_picture = new GridPicture(m_details);
    m_picture->setObjectName("studyPicture");
    m_picture->layout()->setContentsMargins(6, 6, 6, 2);
    m_details->addTab(m_picture, "Grid");

    m_logPage = new QWidget(m_details);
    auto *logLayout = new QVBoxLayout(m_logPage);
    logLayout->setContentsMargins(6, 6, 6, 6);
    auto *row = new QHBoxLayout;
    m_logTitle = new PlainLabel(m_logPage);
    m_logTitle->setObjectName("logTitle");
    m_logTitle->setWordWrap(true);
    m_rerunOne = new QPushButton("Rerun this job", m_logPage);
    m_rerunOne->setObjectName("rerunOne");
    m_rerunOne->setToolTip("Run this job alone, which failed or is waiting");
    row->addWidget(m_logTitle, 1);
    row->addWidget(m_rerunOne);
    logLayout->addLayout(row);
    m_log = new QPlainTextEdit(m_logPage);
    m_log->setObjectName("log");
    m_log->setReadOnly(true);
    m_log->setTabChangesFocus(true);
    m_log->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_log->setAccessibleName("Log of the selected job");
    m_log->setToolTip("What the job's command printed");
    logLayout->addWidget(m_log, 1);
    connect(m_rerunOne, &QPushButton::clicked, this, [this] {
        if (const auto *job = m_jobs->current())
            run(true, job->id);
    });
    m_details->addTab(m_logPage, "Log");

    // Not a label: that lays a table out anew for every height it is asked for.
    m_errors = new QTextBrowser(m_details);
    m_errors->setObjectName("errors");
    m_errors->setFrameShape(QFrame::NoFrame);
    m_errors->setTabChangesFocus(true);
    m_errors->viewport()->setAutoFillBackground(false);
    m_errors->setAccessibleName("Measured errors");
    m_details->addTab(m_errors, "Errors");
    m_errorCurve = new ErrorCurvePlot(m_details);
    m_errorCurve->setObjectName("errorCurve");

    m_import = new ImportPage(m_details);
    connect(m_import, &ImportPage::wanted, this, &StudyPage::importWanted);
    connect(m_import, &ImportPage::refused, this, &StudyPage::refused);
    connect(m_import, &ImportPage::news, this, &StudyPage::news);
    m_details->addTab(m_import, "Import");
    m_details->addTab(m_errorCurve, "Error history");
    return m_details;
}

bool StudyPage::eventFilter(QObject *watched, QEvent *event)
{
    // Turning over the actions scrolls them; who means a number clicks it first.
    const auto *widget = qobject_cast<QWidget *>(watched);
    if (event->type() != QEvent::Wheel || !widget || widget->hasFocus())
        return QWidget::eventFilter(watched, event);
    event->ignore();
    return true;
}

void StudyPage::run(bool retryFailed, std::optional<data::JobId> only)
{
    data::RunStep step;
    step.jobs = m_atATime->value();
    step.retryFailed = retryFailed;
    step.keepFolders = m_keepFolders->isChecked();
    step.keepGoing = m_keepGoing->isChecked();
    step.only = only;
    emit runWanted(step);
}

void StudyPage::setState(const StudyStatePtr &state)
{
    const bool isOther = !m_state || !state || m_state->path != state->path;
    m_state = state;
    if (isOther) {
        m_shownLog = 0;
        m_shownJob.reset();
        m_import->forget();
        m_keepGoing->setChecked(false); // meant for the study that it was asked for
        m_log->clear();
    }
    m_jobs->setState(state);
    m_place->setState(state);
    m_compress->setState(state);
    m_grow->setState(state);
    m_grow->setVisible(!state || !state->isScattered()); // others have no levels
    m_refine->setState(state);
    m_errorCurve->setHistory(state ? state->errorHistory : std::vector<data::ErrorThen>(),
                             state ? state->fields : std::vector<std::string>());
    if (state) {
        m_picture->setSpace(state->description.space);
        if (state->across == m_picture->across() && state->up == m_picture->up())
            m_picture->dots()->setProjection(state->projection);
    } else {
        m_picture->clear();
    }
    follow();
    followJob();
}

void StudyPage::setBusy(bool busy)
{
    m_isBusy = busy;
    m_place->setEnabled(!busy);
    m_compress->setBusy(busy);
    m_grow->setBusy(busy);
    m_refine->setBusy(busy);
    follow();
}

void StudyPage::follow()
{
    const bool isAble = m_state && !m_isBusy;
    const auto waiting =
        m_state ? m_state->count(data::JobState::waiting) + m_state->count(data::JobState::running)
                : 0;
    const auto failed = m_state ? m_state->count(data::JobState::failed) : 0;
    m_title->setText(m_state ? text(m_state->description.title)
                                   + (QFileInfo(m_state->path).completeBaseName()
                                              == text(m_state->description.title)
                                          ? QString()
                                          : "  (" + QFileInfo(m_state->path).fileName() + ")")
                             : QString("No study is open"));
    m_title->setToolTip(m_state ? plainTip(m_state->path) : QString());
    m_summary->setText(m_state ? summaryOf(*m_state)
                               : QString("Create one on the page Plan, or open one in the window"));
    m_nextStep->setText(m_state ? nextStepOf(*m_state) : QString());
    m_nextStep->setVisible(!m_nextStep->text().isEmpty());
    m_run->setEnabled(isAble && m_state->outlook.hasSimulation && waiting > 0);
    m_rerun->setEnabled(isAble && m_state->outlook.hasSimulation && failed > 0);
    m_rerun->setText(failed > 0 ? QString("Rerun failed (%1)").arg(failed) : "Rerun failed");
    m_keepFolders->setVisible(!m_state || !m_state->isBuiltIn);
    m_import->setAble(isAble && m_state->description.kind == data::StudyKind::vector);
    if (const auto errors = m_state ? errorsOf(*m_state) : QString(); errors != m_saidErrors)
        m_errors->setHtml(m_saidErrors = errors); // which scrolls to its beginning
}

void StudyPage::followJob()
{
    const auto *job = m_jobs->current();
    m_rerunOne->setEnabled(
        job && job->id > 0 && m_state && m_state->outlook.hasSimulation && !m_isBusy
        && (job->state == data::JobState::failed || job->state == data::JobState::waiting));
    if (!job || !m_state) {
        m_shownLog = 0;
        m_shownJob.reset();
        m_logTitle->setText("Select a job to see its log");
        m_log->clear();
        return;
    }
    std::string where;
    for (std::size_t i = 0; i < job->parameters.size(); ++i) {
        const auto &parameter = m_state->description.space[m_state->jobParameters.at(i)];
        where += (i > 0 ? ", " : "") + parameter.name + " = "
                 + QString::number(job->parameters[i], 'g', 6).toStdString()
                 + (parameter.unit.empty() ? "" : " " + parameter.unit);
    }
    m_logTitle->setText(
        QString("Job %1, %2: %3").arg(job->id).arg(jobStateText(*job), text(where)));
    if (m_shownJob && *m_shownJob == *job)
        return;
    m_shownJob = *job;
    if (m_shownLog != job->id)
        m_log->clear();
    m_shownLog = job->id;
    emit logWanted(job->id);
}

std::string StudyPage::runPlace() const
{
    return m_place->place();
}

void StudyPage::setPlace(const std::vector<double> &values)
{
    m_refine->setPlace(values);
}

void StudyPage::showLog(data::JobId job, const QString &log)
{
    if (job != m_shownLog)
        return;
    m_log->setPlaceholderText("This job has no log");
    if (m_log->toPlainText() != log)
        m_log->setPlainText(log);
}

void StudyPage::showImport(const TaskEnd &end)
{
    m_import->show(end);
}

void StudyPage::showJob(data::JobId job)
{
    m_jobs->select(job);
    m_details->setCurrentWidget(m_logPage);
}

void StudyPage::saveState(QSettings &settings) const
{
    settings.setValue("splitter", m_splitter->saveState());
    settings.setValue("atATime", m_atATime->value());
    m_compress->saveState(settings);
    settings.setValue("keepFolders", m_keepFolders->isChecked());
    settings.setValue("details", m_details->currentIndex());
    settings.setValue("across", m_picture->acrossName());
    settings.setValue("up", m_picture->upName());
    m_jobs->saveState(settings);
}

void StudyPage::restoreState(QSettings &settings)
{
    m_splitter->restoreState(settings.value("splitter").toByteArray());
    m_atATime->setValue(settings.value("atATime", m_atATime->value()).toInt());
    m_compress->restoreState(settings);
    m_keepFolders->setChecked(settings.value("keepFolders", false).toBool());
    m_details->setCurrentIndex(settings.value("details", 0).toInt());
    m_picture->choose(settings.value("across").toString(), settings.value("up").toString());
    m_jobs->restoreState(settings);
}

} // namespace gridhelm::ui
