// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"
#include "ui/machine/latest_request_worker.h"
#include "ui/probe/probe_answer.h"

#include <QObject>

#include <memory>

namespace gridhelm::ui {

/// Evaluates a study at one place of its mesh, in a thread of its own (see LatestRequestWorker).
/// What has to be read for a place is read once, and goes on being read while only parameters move.
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

    /// What evaluates from now on. The last question is answered again by it.
    void setBackend(std::shared_ptr<const sparse::Backend> backend);
    /// Returns the question's number.
    std::uint64_t ask(ProbeQuestion question);
    /// Forgets the study and all questions; nothing more is said of them.
    void forget();

signals:
    void answered(std::shared_ptr<const gridhelm::ui::ProbeAnswer> answer);

private:
    class Answering;

    std::uint64_t m_lastNumber = 0;
    ProbeQuestion m_last; ///< that was asked, without its frame
    std::unique_ptr<Answering> m_answering;
    LatestRequestWorker m_worker; ///< last: its thread uses the others
};

} // namespace gridhelm::ui
