// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/campaign_panel.h"

#include "data/campaign/trust_store.h"

#include "ui/campaign/campaign_worker.h"
#include "ui/campaign/copy_question.h"
#include "ui/campaign/grid_picture.h"
#include "ui/campaign/plan_page.h"
#include "ui/campaign/refine_box.h"
#include "ui/campaign/stop_question.h"
#include "ui/campaign/study_page.h"
#include "ui/campaign/study_reader.h"
#include "ui/campaign/study_text.h"
#include "ui/campaign/trust_dialog.h"
#include "ui/controls/message_bar.h"
#include "ui/controls/plain_text.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {

CampaignPanel::CampaignPanel(data::MeshFiles files, QWidget *parent)
    : QWidget(parent)
    , m_reader(std::make_unique<StudyReader>())
    , m_worker(
          std::make_unique<CampaignWorker>(files, [reader = m_reader.get()] { reader->release(); }))
    , m_messages(new MessageBar(this))
    , m_pages(new QTabWidget(this))
    , m_plan(new PlanPage(std::move(files), m_pages))
    , m_page(new StudyPage(m_pages))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_pages->setObjectName("pages");
    m_pages->setDocumentMode(true);
    m_pages->addTab(m_plan, "Plan");
    m_pages->addTab(m_page, "Study");
    layout->addWidget(m_messages);
    layout->addWidget(m_pages, 1);
    layout->addWidget(makeStatus());

    connect(m_plan, &PlanPage::refused, this, &CampaignPanel::complain);
    connect(m_plan, &PlanPage::news, this, &CampaignPanel::say);
    connect(m_plan, &PlanPage::studyWanted, m_worker.get(), &CampaignWorker::create);
    connect(m_page, &StudyPage::refused, this, &CampaignPanel::complain);
    connect(m_page, &StudyPage::news, this, &CampaignPanel::say);
    connect(m_page, &StudyPage::runWanted, this, [this](const data::RunStep &step) {
        m_worker->setRunPlace(m_page->runPlace());
        m_worker->run(m_study, step);
    });
    connect(m_page, &StudyPage::compressWanted, this, [this](const data::CompressStep &step) {
        m_worker->setRunPlace(m_page->runPlace());
        m_worker->compress(m_study, step);
    });
    connect(m_page, &StudyPage::growWanted, this,
            [this](int level) { m_worker->grow(m_study, level); });
    connect(m_page, &StudyPage::refineWanted, this, [this](const data::RefineStep &step) {
        m_worker->setRunPlace(m_page->runPlace());
        m_worker->refine(m_study, step);
    });
    connect(m_page, &StudyPage::compactWanted, this, [this] { m_worker->compact(m_study); });
    connect(m_page, &StudyPage::undoGrowthWanted, this, [this] { m_worker->undoGrowth(m_study); });
    connect(m_page, &StudyPage::importWanted, this,
            [this](const data::ImportStep &step) { m_worker->import(m_study, step); });
    connect(m_page, &StudyPage::logWanted, m_reader.get(), &StudyReader::readLog);
    connect(m_page, &StudyPage::resultWanted, m_reader.get(), &StudyReader::readPlaces);
    connect(m_page->picture(), &GridPicture::axesChanged, m_reader.get(), &StudyReader::setAxes);

    connect(m_reader.get(), &StudyReader::stateRead, this, &CampaignPanel::follow);
    connect(m_reader.get(), &StudyReader::logRead, this,
            [this](const QString &path, data::JobId job, const QString &log) {
                if (path == m_study)
                    m_page->showLog(job, log);
            });
    connect(m_reader.get(), &StudyReader::placesRead, this,
            [this](const QString &path, data::JobId job, const auto &places) {
                if (path == m_study)
                    emit resultWanted(job, places);
            });
    connect(m_reader.get(), &StudyReader::failed, this,
            [this](const QString &path, const QString &sentence) {
                if (path == m_study)
                    complain(sentence);
            });

    connect(m_worker.get(), &CampaignWorker::started, this, &CampaignPanel::begin);
    connect(m_worker.get(), &CampaignWorker::progressed, this, &CampaignPanel::showProgress);
    connect(m_worker.get(), &CampaignWorker::said, this, [this](const QString &sentence) {
        m_messages->say(MessageBar::Kind::warning, sentence);
        emit news(sentence);
    });
    connect(m_worker.get(), &CampaignWorker::ended, this, &CampaignPanel::end);
    connect(m_pause, &QPushButton::clicked, this, [this] {
        m_worker->pause();
        m_pause->setEnabled(false);
        m_pause->setText("Pausing…");
    });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_worker->cancel();
        m_pause->setEnabled(false);
        m_cancel->setEnabled(false);
    });
}

void CampaignPanel::setPlace(const std::vector<double> &values)
{
    m_page->setPlace(values);
}

void CampaignPanel::refineAt(const std::vector<double> &place, std::uint64_t runs)
{
    emit wanted();
    m_pages->setCurrentWidget(m_page);
    const auto refusal = m_page->refineBox()->refineAt(place, runs);
    if (!refusal.isEmpty())
        complain(refusal);
}

void CampaignPanel::setView(const QString &path, const MeshInViewSource &source)
{
    m_page->refineBox()->setMeshInViewSource(source);
    m_page->refineBox()->setStudyInView(path.isEmpty() ? path : QFileInfo(path).absoluteFilePath());
}

CampaignPanel::~CampaignPanel()
{
    m_worker.reset();
    m_reader.reset();
}

QWidget *CampaignPanel::makeStatus()
{
    auto *bar = new QWidget(this);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(8, 3, 8, 4);
    m_status = new PlainLabel("Nothing is running", bar);
    m_status->setObjectName("status");
    m_progress = new QProgressBar(bar);
    m_progress->setObjectName("progress");
    m_progress->setRange(0, 1000);
    m_progress->setMaximumHeight(bar->fontMetrics().height() + 2);
    m_progress->setMaximumWidth(320);
    m_progress->setFormat("%p %");
    m_progress->setAccessibleName("Progress");
    m_progress->setVisible(false);
    m_pause = new QPushButton("Pause", bar);
    m_pause->setObjectName("pause");
    m_pause->setToolTip(
        "Drain queue: the running jobs end, and no others begin; Run goes on later");
    m_pause->setEnabled(false);
    m_cancel = new QPushButton("Cancel", bar);
    m_cancel->setObjectName("cancel");
    m_cancel->setToolTip("End the running jobs at once; the study stays in order");
    m_cancel->setEnabled(false);
    layout->addWidget(m_status, 1);
    layout->addWidget(m_progress, 1);
    layout->addWidget(m_pause);
    layout->addWidget(m_cancel);
    return bar;
}

void CampaignPanel::setStudy(const QString &path)
{
    const auto absolute = QFileInfo(path).absoluteFilePath();
    if (absolute == m_study)
        return;
    clearStudy();
    m_study = absolute;
    m_reader->setStudy(absolute);
    m_pages->setCurrentWidget(m_page);
}

void CampaignPanel::clearStudy()
{
    m_messages->clear();
    m_study.clear();
    m_state.reset();
    m_contents.reset();
    m_jobToShow = 0;
    m_page->setState(nullptr);
    m_reader->setStudy({});
}

void CampaignPanel::beginPlan()
{
    emit wanted();
    m_pages->setCurrentWidget(m_plan);
    m_plan->begin();
}

void CampaignPanel::openPlan(const QString &path)
{
    m_pages->setCurrentWidget(m_plan);
    m_plan->open(path);
}

bool CampaignPanel::isRunning() const
{
    return m_worker->isRunning();
}

QDialog *CampaignPanel::askToStop(QWidget &window)
{
    auto *question = new StopQuestion(m_worker->work(), m_status->text(), &window);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->open();
    return question;
}

void CampaignPanel::say(const QString &sentence)
{
    m_status->setText(sentence);
    emit news(sentence);
}

void CampaignPanel::complain(const QString &sentence)
{
    m_messages->say(MessageBar::Kind::error, sentence);
    emit failed(sentence);
}

void CampaignPanel::begin()
{
    m_messages->clear();
    m_plan->setBusy(true);
    m_page->setBusy(true);
    m_pause->setEnabled(true);
    m_pause->setText("Pause");
    m_cancel->setEnabled(true);
    m_progress->setVisible(true);
    showProgress("starting", -1);
    emit runningChanged(true);
}

void CampaignPanel::showProgress(const QString &text, double part)
{
    m_status->setText(QFileInfo(m_worker->study()).fileName() + ": " + text);
    // A bar without a range is animated for ever; one that stands still says as much.
    m_progress->setValue(part < 0 ? 0 : static_cast<int>(std::lround(1000 * std::min(part, 1.0))));
    m_progress->setTextVisible(part >= 0);
}

void CampaignPanel::end(const TaskEnd &end)
{
    m_pause->setEnabled(false);
    m_pause->setText("Pause");
    m_cancel->setEnabled(false);
    m_progress->setVisible(false);
    m_status->setText("Nothing is running");
    m_reader->reopen();
    m_plan->setBusy(false);
    m_page->setBusy(false);
    if (end.isImport && end.study == m_study)
        m_page->showImport(end);
    if (end.question)
        askForTrust(end);
    else if (!end.copied.empty())
        askToTakeUp(end);
    else if (end.how == TaskEnd::How::failed)
        complain(end.sentence);
    else if (!end.sentence.isEmpty())
        say(end.sentence);
    if (!end.trouble.isEmpty())
        complain(end.trouble);
    if (end.failedJob != 0 && end.study == m_study)
        m_jobToShow = end.failedJob;
    emit runningChanged(false);
    if (end.isNewStudy && end.how == TaskEnd::How::finished) {
        if (end.study == m_study)
            clearStudy(); // what was there before under this name
        setStudy(end.study);
        emit studyCreated(end.study);
    }
}

void CampaignPanel::askForTrust(const TaskEnd &end)
{
    auto *dialog = new TrustDialog(
        QFileInfo(end.study).fileName()
            + " was not made on this machine, or its templates have changed. Its plan wants to "
              "execute this, with all your rights:",
        *end.question, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::rejected, this, [this, end] { complain(end.sentence); });
    connect(dialog, &QDialog::accepted, this, [this, end] {
        const auto trouble = TrustDialog::remember(*end.question);
        m_worker->repeat(end.question->digest());
        if (!trouble.isEmpty())
            complain(trouble);
    });
    dialog->open(); // modal; the study stays as it is meanwhile
}

void CampaignPanel::askToTakeUp(const TaskEnd &end)
{
    auto *question = new CopyQuestion(end.sentence, this);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &QDialog::rejected, this, [this, end] { complain(end.sentence); });
    connect(question, &QDialog::accepted, this, [this, end] {
        QString trouble;
        try {
            data::TrustStore().trust(end.copied);
        } catch (const std::exception &error) {
            trouble = QString::fromUtf8(error.what());
        }
        m_worker->repeat({}, end.copied);
        if (!trouble.isEmpty())
            complain(trouble);
    });
    question->open();
}

void CampaignPanel::follow(const std::shared_ptr<const StudyState> &state)
{
    if (state->path != m_study)
        return; // read before the study was changed
    m_state = state;
    m_page->setState(state);
    if (m_jobToShow != 0)
        m_page->showJob(std::exchange(m_jobToShow, 0));
    const auto contents = state->contents();
    const bool isNew = m_contents ? *m_contents != contents : state->hasSomethingToShow();
    m_contents = contents;
    emit nextStepChanged(nextStepOf(*state));
    if (isNew)
        emit studyChanged();
}

void CampaignPanel::saveState(QSettings &settings) const
{
    settings.beginGroup("campaign");
    settings.setValue("page", m_pages->currentIndex());
    settings.beginGroup("plan");
    m_plan->saveState(settings);
    settings.endGroup();
    settings.beginGroup("study");
    m_page->saveState(settings);
    settings.endGroup();
    settings.endGroup();
}

void CampaignPanel::restoreState(QSettings &settings)
{
    settings.beginGroup("campaign");
    m_pages->setCurrentIndex(settings.value("page", 0).toInt());
    settings.beginGroup("plan");
    m_plan->restoreState(settings);
    settings.endGroup();
    settings.beginGroup("study");
    m_page->restoreState(settings);
    settings.endGroup();
    settings.endGroup();
}

} // namespace gridhelm::ui
