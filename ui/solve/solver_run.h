// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/solve/solver_worker.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace gridhelm::ui {

/// A solver at work, seen from the GUI's thread: what it was when the event loop last heard of it.
/// No function waits for the worker. The destructor ends the run within some hundredths of a
/// second.
class SolverRun : public QObject
{
    Q_OBJECT

public:
    explicit SolverRun(RunRequest request, QObject *parent = nullptr);
    ~SolverRun() override;

    const RunState &state() const { return m_state; }
    const std::shared_ptr<const SliceFrame> &frame() const { return m_frame; }

    void run();
    void pause();
    void step(std::uint64_t iterations);
    /// A run that is still being prepared is over at once, whatever its worker is doing.
    void stop();
    void setLiveParameter(const QString &name, double value);
    void showSlice(const solvers::SliceChoice &slice);
    void save(const QString &path, std::optional<int> layers);

signals:
    void stateChanged();
    void frameChanged();
    /// By these figures, which are not kept here: of many iterations there may be many.
    void historyGrown(const std::vector<gridhelm::solvers::StepReport> &points);
    void complained(const QString &sentence);
    void saved(const QString &path);

private:
    void take();

    RunState m_state;
    std::shared_ptr<const SliceFrame> m_frame;
    std::unique_ptr<SolverWorker> m_worker;
};

} // namespace gridhelm::ui
