// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/campaign_worker.h"

#include "data/campaign/campaign_text.h"
#include "data/campaign/point_table.h"
#include "data/campaign/study_plan.h"
#include "data/campaign/submitted_jobs.h"
#include "data/evaluate/hold_out.h"
#include "data/study/compact_study.h"
#include "data/study/undo_growth.h"
#include "ui/machine/lower_priority.h"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <new>
#include <set>
#include <utility>

namespace gridhelm::ui {
namespace {

using data::countText;
using How = TaskEnd::How;

constexpr double patience = 0.4; ///< seconds: closing a window must not take longer
constexpr std::chrono::milliseconds betweenProgress{80};

QString text(const std::string &from)
{
    return QString::fromStdString(from);
}

TaskEnd runEnd(const data::CampaignReport &report)
{
    TaskEnd end;
    end.how = report.cancelled ? How::cancelled : report.paused ? How::paused : How::finished;
    auto sentence =
        fmt::format("{} done, {} waiting", countText(report.done, "job"), report.waiting);
    if (report.recovered > 0)
        sentence +=
            fmt::format(" ({} had been interrupted before)", countText(report.recovered, "job"));
    if (report.cancelled)
        sentence = "Cancelled: " + sentence + "; the study is in order, Run goes on";
    else if (report.paused)
        sentence = "Paused: " + sentence + "; Run goes on";
    end.sentence = text(sentence);
    if (report.stopped) {
        end.trouble = text(data::stoppedText(report, "job")
                           + "; read the log, correct what is wrong, and rerun what failed, or "
                             "tick Ignore errors and run the others all the same");
        end.failedJob = report.firstFailed;
    } else if (report.failed > 0) {
        end.trouble = text(fmt::format("{} failed, the first is job {} ({}); read its log, mend "
                                       "what is wrong, and rerun what failed",
                                       countText(report.failed, "job"), report.firstFailed,
                                       report.firstFailure));
        end.failedJob = report.firstFailed;
    }
    return end;
}

TaskEnd refineEnd(const data::RefineReport &report, const data::RefineStep &step,
                  const data::StepControl &control)
{
    TaskEnd end;
    if (report.end == data::RefineEnd::cancelled)
        end.how = control.stop.stop_requested() ? How::cancelled : How::paused;
    end.sentence = text(data::refineText(report, step));
    if (report.end == data::RefineEnd::failures) {
        end.trouble = text(report.failures.firstFailure
                           + "; read the log, correct what is wrong, and refine again");
        end.failedJob = report.failures.firstFailed;
    } else if (report.failed > 0) {
        end.trouble = text(fmt::format("{} failed, and were gone around: what is near them is less "
                                       "well known",
                                       countText(report.failed, "run")));
    }
    return end;
}

TaskEnd compressEnd(const data::Study &study, const data::CompressStepReport &report)
{
    TaskEnd end;
    if (report.cancelled) {
        end.how = How::cancelled;
        end.sentence = "Stopped: the study is in order, Compress goes on";
        return end;
    }
    const auto &done = report.compress;
    auto sentence = data::compressText(done);
    if (report.holdOuts.done > 0)
        sentence +=
            fmt::format(", {} made", countText(report.holdOuts.done, "validation snapshot"));
    if (report.chosen > 0)
        sentence += fmt::format(", surrogate of {} chosen", countText(report.chosen, "field"));
    if (report.exactRows > 0)
        sentence +=
            fmt::format(", coefficients of {} exact again", countText(report.exactRows, "field"));
    for (const auto &choice : report.forms)
        sentence += "; " + data::formText(study, choice);
    if (const auto accuracy = data::accuraciesText(study); !accuracy.empty())
        sentence += "; " + accuracy;
    end.sentence = text(sentence);
    std::vector<std::string> troubles;
    if (done.waiting > 0)
        troubles.push_back(fmt::format("{} wait for snapshots below them; run the missing jobs, or "
                                       "allow missing points",
                                       countText(done.waiting, "coefficient row")));
    if (done.provisional > 0)
        troubles.push_back(fmt::format("{} are provisional, because snapshots below are missing",
                                       countText(done.provisional, "coefficient row")));
    if (report.holdOuts.stopped)
        troubles.push_back(data::stoppedText(report.holdOuts, "validation run")
                           + "; correct what is wrong and compress again, or tick Ignore errors");
    else if (report.holdOuts.failed > 0)
        troubles.push_back(fmt::format("{} failed ({}); errors are measured at the others",
                                       countText(report.holdOuts.failed, "validation run"),
                                       report.holdOuts.firstFailure));
    if (!report.note.empty())
        troubles.push_back(report.note);
    end.trouble = text(fmt::format("{}", fmt::join(troubles, "; ")));
    return end;
}

TaskEnd importEnd(const data::Study &study, const data::ImportReport &report)
{
    TaskEnd end;
    end.isImport = true;
    if (report.cancelled)
        end.how = How::cancelled;
    auto sentence = data::importText(report);
    if (report.leftOut > 0)
        sentence += fmt::format(", {} left out (out of the range, or between the grid's times)",
                                report.leftOut);
    if (report.cancelled)
        sentence = "Stopped: " + sentence + "; import the same table again to go on";
    end.sentence = text(sentence);
    end.trouble = text(fmt::format("{}", fmt::join(report.notes, "; ")));
    end.missing = report.missing.size();
    end.missingCsv = text(data::pointCsv(study.description().space, *study.grid(), report.missing));
    return end;
}

TaskEnd importRunsEnd(const data::ScatteredReport &report)
{
    TaskEnd end;
    if (report.cancelled) {
        end.how = How::cancelled;
        end.sentence = "Stopped: there is no study, and nothing was written";
        return end;
    }
    end.isNewStudy = true;
    end.sentence = text(countText(report.runs, "run") + " imported"
                        + (report.accuracy.empty() ? "" : "; " + report.accuracy));
    end.trouble = text(fmt::format("{}", fmt::join(report.notes, "; ")));
    return end;
}

} // namespace

CampaignWorker::CampaignWorker(data::MeshFiles files, std::function<void()> release,
                               QObject *parent)
    : QObject(parent)
    , m_files(std::move(files))
    , m_release(std::move(release))
{
}

CampaignWorker::~CampaignWorker()
{
    cancel();
    if (m_thread.joinable())
        m_thread.join();
}

void CampaignWorker::start(const QString &study, Work work, Task task, const std::string &trusted,
                           const std::string &takeOver)
{
    if (isRunning())
        return;
    m_study = study;
    m_work = work;
    m_task = task;
    m_stop = {};
    m_pause = {};
    data::StepControl control;
    control.files = m_files;
    control.stop = m_stop.get_token();
    control.pause = m_pause.get_token();
    control.patience = patience;
    control.trusted = trusted;
    control.on = m_on;
    control.takeOver = takeOver;
    control.say = [this, known = std::set<std::string>()](const std::string &sentence) mutable {
        if (!known.insert(sentence).second)
            return; // each of many rounds may find the same
        QMetaObject::invokeMethod(
            this, [this, said = text(sentence)] { emit this->said(said); }, Qt::QueuedConnection);
    };
    control.progress = [this, last = std::chrono::steady_clock::time_point()](
                           const data::StepProgress &progress) mutable {
        const auto now = std::chrono::steady_clock::now();
        const bool isErrors = progress.phase == data::StepProgress::Phase::errors;
        if (!isErrors && now - last < betweenProgress)
            return;
        last = now;
        QMetaObject::invokeMethod(
            this,
            [this, said = text(data::progressText(progress)),
             part = isErrors ? -1 : progress.counts.part] { emit progressed(said, part); },
            Qt::QueuedConnection);
    };
    m_thread = std::jthread([this, study, task = std::move(task), control = std::move(control)] {
        lowerPriority(); // of the simulations, too
        TaskEnd end;
        try {
            end = task(control);
        } catch (const data::UntrustedExecution &error) {
            end.how = How::failed;
            end.sentence = QString::fromUtf8(error.what());
            end.question = error.execution();
        } catch (const data::CopiedStudy &error) {
            end.how = How::failed;
            end.sentence = QString::fromUtf8(error.what());
            end.copied = error.digest();
        } catch (const std::bad_alloc &) {
            end.how = How::failed;
            end.sentence = "Memory ran out: run fewer jobs at a time, or close other programs";
        } catch (const std::exception &error) {
            end.how = control.stop.stop_requested() ? How::cancelled : How::failed;
            end.sentence = QString::fromUtf8(error.what());
        }
        end.study = study;
        QMetaObject::invokeMethod(
            this, [this, end] { finish(end); }, Qt::QueuedConnection);
    });
    emit started();
}

void CampaignWorker::finish(const TaskEnd &end)
{
    m_thread.join(); // it has nothing left to do
    emit ended(end);
}

TaskEnd CampaignWorker::withWriter(const QString &study,
                                   const std::function<TaskEnd(data::StudyWriter &)> &work) const
{
    auto writer = data::StudyWriter::open(study.toStdString());
    struct Release
    {
        const std::function<void()> &release;
        ~Release()
        {
            if (release)
                release();
        }
    };
    TaskEnd end;
    {
        const Release beforeClosing{m_release};
        end = work(writer);
    }
    writer.close();
    return end;
}

void CampaignWorker::create(const QString &study, const data::Plan &plan)
{
    start(study, Work::create, [study, plan](const data::StepControl &control) {
        std::string note;
        auto writer = data::createStudy(study.toStdString(), plan, note, control.stop);
        TaskEnd end;
        end.trouble = text(note);
        end.isNewStudy = true;
        end.sentence = text(fmt::format("Made {} with {}", study.toStdString(),
                                        countText(writer.grid()->points(), "point")));
        writer.close();
        return end;
    });
}

void CampaignWorker::run(const QString &study, const data::RunStep &step)
{
    start(study, Work::run, [this, study, step](const data::StepControl &control) {
        return withWriter(study, [&](data::StudyWriter &writer) {
            return runEnd(data::runStep(writer, step, control));
        });
    });
}

void CampaignWorker::compress(const QString &study, const data::CompressStep &step)
{
    start(study, Work::compress, [this, study, step](const data::StepControl &control) {
        return withWriter(study, [&](data::StudyWriter &writer) {
            return compressEnd(writer, data::compressStep(writer, step, control));
        });
    });
}

void CampaignWorker::compact(const QString &study)
{
    start(study, Work::compact, [this, study](const data::StepControl &control) {
        const auto report = data::compactStudy(
            study.toStdString(),
            [&](double share) {
                data::StepProgress progress{data::StepProgress::Phase::compacting, {}};
                progress.counts.part = share;
                control.progress(progress);
                return !control.stop.stop_requested() && !control.pause.stop_requested();
            },
            m_release);
        TaskEnd end;
        end.how = report.cancelled ? How::cancelled : How::finished;
        end.sentence = text("Compacted: " + data::compactText(report));
        if (report.cancelled)
            end.sentence = text("Compacting " + data::compactText(report));
        end.trouble = text(report.notice);
        return end;
    });
}

void CampaignWorker::grow(const QString &study, int level)
{
    start(study, Work::grow, [this, study, level](const data::StepControl &control) {
        return withWriter(study, [&](data::StudyWriter &writer) {
            const auto points =
                writer.growGrid(level, data::levelCapsOf(writer.description().space), control.stop);
            TaskEnd end;
            end.sentence = text(fmt::format("{} added, {} waiting", countText(points, "point"),
                                            countText(data::waitingJobs(writer), "job")));
            return end;
        });
    });
}

void CampaignWorker::refine(const QString &study, const data::RefineStep &step)
{
    start(study, Work::refine, [this, study, step](const data::StepControl &control) {
        return withWriter(study, [&](data::StudyWriter &writer) {
            return refineEnd(data::refineStep(writer, step, control), step, control);
        });
    });
}

void CampaignWorker::undoGrowth(const QString &study)
{
    start(study, Work::grow, [this, study](const data::StepControl &) {
        return withWriter(study, [&](data::StudyWriter &writer) {
            TaskEnd end;
            end.sentence = text(data::undoneText(data::undoGrowth(writer)));
            return end;
        });
    });
}

void CampaignWorker::import(const QString &study, const data::ImportStep &step)
{
    start(study, Work::import, [this, study, step](const data::StepControl &control) {
        return withWriter(study, [&](data::StudyWriter &writer) {
            return importEnd(writer, data::importStep(writer, step, control));
        });
    });
}

void CampaignWorker::importRuns(const data::ScatteredStep &step)
{
    const auto study = QString::fromStdString(step.study.string());
    start(study, Work::importRuns, [step](const data::StepControl &control) {
        return importRunsEnd(data::scatteredStep(step, control));
    });
}

void CampaignWorker::repeat(const std::string &trusted, const std::string &takeOver)
{
    if (m_task)
        start(m_study, m_work, m_task, trusted, takeOver);
}

void CampaignWorker::pause()
{
    m_pause.request_stop();
}

void CampaignWorker::cancel()
{
    m_stop.request_stop();
}

} // namespace gridhelm::ui
