// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/machine/machine_tuner.h"

#include "core/tuning/known_cases.h"
#include "core/tuning/machine_tuning.h"
#include "core/tuning/saved_tuning.h"
#include "ui/machine/background_thread.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace gridhelm::ui {

/// By the thread and by who listens.
struct MachineTuner::Shared
{
    std::mutex mutex;
    MachineTuner *listener = nullptr; ///< null when it is gone
    std::size_t begun = 0, count = 0; ///< cases
    std::size_t faster = 0, done = 0;
    std::size_t known = 0; ///< before
    std::size_t failed = 0;
    std::size_t undecided = 0; ///< begun, but cut by the time or disturbed: to be tuned again
    std::size_t notReached = 0;
    bool isStopped = false;
    bool hasEnded = false;
    bool isSaved = false;
    QString failure;
    QString warning; ///< before it began

    /// What is not among those that are done, for a sentence. Under the lock.
    QString rest() const
    {
        QString text;
        if (known > 0)
            text += QString("; %1 had been tuned before").arg(known);
        if (failed > 0)
            text += QString("; %1 failed").arg(failed);
        if (undecided > 0)
            text += QString("; %1 had too little time or a busy machine").arg(undecided);
        if (notReached > 0)
            text += QString("; %1 were not reached").arg(notReached);
        if (undecided + notReached > 0)
            text += ": tune again to go on with them";
        return text;
    }

    /// Under the lock.
    void tell()
    {
        if (listener)
            QMetaObject::invokeMethod(listener, &MachineTuner::take, Qt::QueuedConnection);
    }
};

MachineTuner::MachineTuner(double budget, QObject *parent)
    : QObject(parent)
    , m_budget(budget)
{
}

MachineTuner::~MachineTuner()
{
    if (!m_shared)
        return;
    const std::lock_guard lock(m_shared->mutex);
    m_shared->listener = nullptr;
}

void MachineTuner::tune(const ExecutionContext &context)
{
    if (isTuning())
        return;
    m_shared = std::make_shared<Shared>();
    m_shared->listener = this;
    m_shared->warning = QString::fromStdString(tuning::warningOfLoad());
    const auto work = [shared = m_shared, context, budget = m_budget,
                       further = m_further](std::stop_token stop) {
        tuning::MachineTuneOptions options;
        options.budget = budget;
        options.each.stop = stop;
        options.begins = [&](const tuning::TuningCase &, std::size_t index, std::size_t count) {
            const std::lock_guard lock(shared->mutex);
            shared->begun = index + 1;
            shared->count = count;
            shared->tell();
        };
        std::size_t failed = 0;
        options.failed = [&](const tuning::TuningCase &, const std::string &) { ++failed; };
        QString failure;
        std::size_t done = 0, faster = 0, known = 0, undecided = 0, wanted = 0;
        bool isSaved = false;
        try {
            // These first: they have few cases, and the CPU takes what time is left.
            std::vector<tuning::TuningDevice> devices;
            if (further)
                devices = further(context);
            devices.push_back(tuning::tuningCpu(context));
            // It goes on where it ended the last time; with everything once more if all is known.
            auto open = devices;
            known = takeKnown(open).size();
            wanted = countOfCases(open);
            if (wanted > 0) {
                devices = std::move(open);
            } else {
                known = 0;
                wanted = countOfCases(devices);
            }
            const auto tuned = tuning::tuneDevices(devices, options);
            for (std::size_t i = 0; i < devices.size(); ++i) {
                done += tuned[i].size();
                faster += static_cast<std::size_t>(
                    std::ranges::count_if(tuned[i], &tuning::TunedCase::isKept));
                undecided += static_cast<std::size_t>(
                    std::ranges::count_if(tuned[i], [](const tuning::TunedCase &each) {
                        return !each.isKept && (each.isCut || each.isDisturbed);
                    }));
                try {
                    if (tuning::saveTuning(tuned[i], devices[i].machine, context))
                        isSaved = true;
                } catch (const std::exception &problem) { // what others have found is kept
                    failure = QString("what was found for %1 could not be kept: %2")
                                  .arg(QString::fromStdString(devices[i].name), problem.what());
                }
            }
        } catch (const std::exception &problem) {
            failure = QString("this machine could not be tuned: %1").arg(problem.what());
        }
        const std::lock_guard lock(shared->mutex);
        shared->done = done;
        shared->faster = faster;
        shared->known = known;
        shared->failed = failed;
        shared->undecided = undecided;
        shared->notReached = wanted - std::min(wanted, done + failed);
        shared->isSaved = isSaved;
        shared->isStopped = stop.stop_requested();
        shared->failure = failure;
        shared->hasEnded = true;
        shared->tell();
    };
    m_thread = std::make_unique<BackgroundThread>(work);
    emit changed();
}

void MachineTuner::stop()
{
    if (m_thread)
        m_thread->requestStop();
}

QString MachineTuner::text() const
{
    if (!isTuning())
        return QString("Tune this machine (%1 s)").arg(m_budget);
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->count == 0
               ? QString("Stop tuning")
               : QString("Stop tuning (%1 of %2)").arg(m_shared->begun).arg(m_shared->count);
}

void MachineTuner::take()
{
    if (!m_thread) // what came before has told already that it has ended
        return;
    QString sentence, failure;
    bool hasEnded = false, isSaved = false;
    {
        const std::lock_guard lock(m_shared->mutex);
        hasEnded = m_shared->hasEnded;
        isSaved = m_shared->isSaved;
        failure = m_shared->failure;
        sentence = QString("%1: %2 of %3 operations and sizes are faster than compiled in")
                       .arg(m_shared->isStopped ? "Tuning was stopped" : "This machine was tuned")
                       .arg(m_shared->faster)
                       .arg(m_shared->done)
                   + m_shared->rest();
        if (!m_shared->warning.isEmpty())
            sentence += " (" + m_shared->warning + ")";
        if (m_shared->isSaved)
            sentence += "; solvers use what was found from the next start on";
        else if (m_shared->done > 0 && failure.isEmpty())
            sentence += "; nothing is kept, for there is no home folder to keep it in";
    }
    if (hasEnded)
        m_thread.reset();
    emit changed();
    if (!hasEnded)
        return;
    if (failure.isEmpty() || isSaved)
        emit tuned(sentence + ".");
    if (!failure.isEmpty())
        emit failed(failure);
}

} // namespace gridhelm::ui
