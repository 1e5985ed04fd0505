// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/answers/live_answer.h"
#include "ui/machine/latest_request_worker.h"

#include <QObject>

#include <memory>

namespace gridhelm::ui {

/// Evaluates responses while sliders move, in a thread of its own: the newest question alone (see
/// LatestRequestWorker). Public functions and signals: on the thread where it lives; none waits.
class LiveService : public QObject
{
    Q_OBJECT

public:
    explicit LiveService(QObject *parent = nullptr);
    ~LiveService() override;

    void ask(LiveQuestion question);
    /// Drops what is asked; nothing more is said of it.
    void forget() { m_worker.startOver(); }

signals:
    void answered(std::shared_ptr<const gridhelm::ui::LiveAnswer> answer);
    void failed(const QString &sentence);

private:
    LiveEvaluator m_evaluator; ///< of the worker's thread
    LatestRequestWorker m_worker;
};

} // namespace gridhelm::ui
