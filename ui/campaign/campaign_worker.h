// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/refine_step.h"
#include "data/campaign/scattered_study.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace gridhelm::ui {

/// What a CampaignWorker does with a study.
enum class Work { create, run, compress, compact, grow, refine, import, importRuns };

/// How a task of a CampaignWorker has ended.
struct TaskEnd
{
    enum class How { finished, paused, cancelled, failed } how = How::finished;
    QString study;    ///< the file
    QString sentence; ///< what was done, or why not
    bool isNewStudy = false;
    QString trouble;           ///< a sentence about what went wrong on the way: failed jobs, say
    data::JobId failedJob = 0; ///< the first of these
    bool isImport = false;
    std::uint64_t missing = 0; ///< after an import: grid points without a snapshot
    QString missingCsv;        ///< the same, as a table
    /// If nothing was run because the user has not agreed to this.
    std::shared_ptr<const data::Execution> question = {};
    /// If nothing was run because another copy of the study has submitted runs:
    /// data::CopiedStudy::digest.
    std::string copied = {};
};

/// Works on studies, one task at a time, in a thread of its own, which holds the study's writer
/// while it works and no longer. Signals come in the thread of the object; destroying it stops what
/// is running as Ctrl-C does on a terminal, and waits for that.
class CampaignWorker : public QObject
{
    Q_OBJECT

public:
    /// `release` is called in the working thread before a writer is closed.
    CampaignWorker(data::MeshFiles files, std::function<void()> release, QObject *parent = nullptr);
    ~CampaignWorker() override;

    bool isRunning() const { return m_thread.joinable(); }
    /// The study that is being worked on.
    const QString &study() const { return m_study; }
    /// What is being done, or was the last time.
    Work work() const { return m_work; }
    bool isPausing() const { return m_pause.stop_requested(); }

    /// Where runs of the next tasks go, see data::StepControl::on.
    void setRunPlace(std::string on) { m_on = std::move(on); }

    // Each does nothing while another task is running.
    void create(const QString &study, const data::Plan &plan);
    void run(const QString &study, const data::RunStep &step);
    void compress(const QString &study, const data::CompressStep &step);
    /// See data::compactStudy().
    void compact(const QString &study);
    void grow(const QString &study, int level);
    void refine(const QString &study, const data::RefineStep &step);
    /// See data::undoGrowth().
    void undoGrowth(const QString &study);
    void import(const QString &study, const data::ImportStep &step);
    /// Makes step.study; if that fails or is stopped, there is no such file.
    void importRuns(const data::ScatteredStep &step);

    /// The last task once more, with what the user has agreed to (Execution::digest, and
    /// data::CopiedStudy::digest).
    void repeat(const std::string &trusted, const std::string &takeOver = {});

    /// Runs in flight end, others are not begun.
    void pause();
    void cancel();

signals:
    void started();
    void progressed(const QString &text, double part); ///< part < 0: not known
    void said(const QString &sentence);                ///< while it goes on: see StepControl::say
    void ended(const gridhelm::ui::TaskEnd &end);

private:
    using Task = std::function<TaskEnd(const data::StepControl &)>;

    void start(const QString &study, Work work, Task task, const std::string &trusted = {},
               const std::string &takeOver = {});
    void finish(const TaskEnd &end);
    /// Opens the study's writer for as long as `work` takes.
    TaskEnd withWriter(const QString &study,
                       const std::function<TaskEnd(data::StudyWriter &)> &work) const;

    data::MeshFiles m_files;
    std::function<void()> m_release;
    QString m_study;
    Work m_work = Work::run;
    Task m_task; ///< the last one
    std::string m_on;
    std::stop_source m_stop, m_pause;
    std::jthread m_thread;
};

} // namespace gridhelm::ui
