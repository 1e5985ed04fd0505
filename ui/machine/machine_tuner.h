// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"

#include <QObject>

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace gridhelm::tuning {
struct TuningDevice;
}

namespace gridhelm::ui {

class BackgroundThread;

/// Finds the constants of kernels that suit this machine (core/tuning), and keeps them in the
/// user's cache folder, in a thread of its own.
class MachineTuner : public QObject
{
    Q_OBJECT

public:
    /// `budget`: seconds for all operations.
    explicit MachineTuner(double budget = 60, QObject *parent = nullptr);
    ~MachineTuner() override;

    /// What else is tuned of a context, its GPUs; asked by the thread that tunes.
    using Further = std::function<std::vector<tuning::TuningDevice>(const ExecutionContext &)>;
    void setFurther(Further further) { m_further = std::move(further); }

    /// With the threads of the context's CPU. Nothing while it is at it.
    void tune(const ExecutionContext &context);
    /// What was found until then is kept.
    void stop();
    bool isTuning() const { return m_thread != nullptr; }
    /// On the button that begins and ends it.
    QString text() const;

signals:
    void changed();
    /// It has ended: what was found, as a sentence.
    void tuned(const QString &sentence);
    void failed(const QString &sentence);

private:
    struct Shared;

    void take();

    double m_budget;
    Further m_further; ///< null: nothing
    std::shared_ptr<Shared> m_shared;
    std::unique_ptr<BackgroundThread> m_thread;
};

} // namespace gridhelm::ui
