// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/solver_run.h"

#include <utility>

namespace gridhelm::ui {

SolverRun::SolverRun(RunRequest request, QObject *parent)
    : QObject(parent)
    , m_worker(std::make_unique<SolverWorker>(std::move(request), [this] {
        QMetaObject::invokeMethod(this, &SolverRun::take, Qt::QueuedConnection);
    }))
{
}

SolverRun::~SolverRun() = default;

void SolverRun::take()
{
    if (!m_worker)
        return;
    auto update = m_worker->takeUpdate();
    m_state = std::move(update.state);
    if (!update.history.empty())
        emit historyGrown(update.history);
    if (update.frame) {
        m_frame = std::move(update.frame);
        emit frameChanged();
    }
    emit stateChanged();
    for (const auto &complaint : update.complaints)
        emit complained(QString::fromStdString(complaint));
    for (const auto &path : update.savedFiles)
        emit saved(QString::fromStdString(path));
}

void SolverRun::run()
{
    if (m_worker)
        m_worker->run();
}

void SolverRun::pause()
{
    if (m_worker)
        m_worker->pause();
}

void SolverRun::step(std::uint64_t iterations)
{
    if (m_worker)
        m_worker->step(iterations);
}

void SolverRun::stop()
{
    if (!m_worker)
        return;
    m_worker->stop();
    if (m_state.phase != RunPhase::preparing)
        return;
    m_worker.reset();
    m_state.phase = RunPhase::cancelled;
    m_state.message = "stopped before it began";
    emit stateChanged();
}

void SolverRun::setLiveParameter(const QString &name, double value)
{
    if (m_worker)
        m_worker->setLiveParameter(name.toStdString(), value);
}

void SolverRun::showSlice(const solvers::SliceChoice &slice)
{
    if (m_worker)
        m_worker->showSlice(slice);
}

void SolverRun::save(const QString &path, std::optional<int> layers)
{
    if (m_worker)
        m_worker->save(path.toStdString(), layers);
}

} // namespace gridhelm::ui
