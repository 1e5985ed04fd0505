// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"
#include "ui/probe/probe_answer.h"

#include <QObject>

#include <memory>

namespace gridhelm::ui {

/// Evaluates a study at one place of its mesh, in a thread of its own. Whoever asks faster than it
/// can answer gets answers to the newest questions, always also to the last one. What has to be
/// read for a place is read once, and goes on being read while only parameters move.
///
/// Public functions and signals: on the thread where it lives. None of them waits.
class ProbeService : public QObject
{
    Q_OBJECT

public:
    explicit ProbeService(std::shared_ptr<const sparse::Backend> backend,
                          QObject *parent = nullptr);
    /// Waits until the thread has noticed.
    ~ProbeService() override;

    /// Returns the question's number.
    std::uint64_t ask(ProbeQuestion question);
    /// Forgets the study and all questions; nothing more is said of them.
    void forget();

signals:
    void answered(std::shared_ptr<const gridhelm::ui::ProbeAnswer> answer);

private:
    class Worker;

    void deliver();

    std::uint64_t m_lastNumber = 0;
    std::unique_ptr<Worker> m_worker;
};

} // namespace gridhelm::ui
