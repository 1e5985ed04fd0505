// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/trial_run.h"

#include <QObject>
#include <QString>
#include <QTemporaryDir>

#include <memory>
#include <stop_token>
#include <string>
#include <thread>

namespace gridhelm::ui {

/// How a test of a plan's command has ended.
struct TrialEnd
{
    QString problem; ///< why it could not be made; empty: there is a report
    data::TrialReport report;
    QString folder; ///< of the run; it stays until the next test, or the end of the program
    /// If nothing was run because the user has not agreed to this.
    std::shared_ptr<const data::Execution> question = {};
};

/// Runs a plan's command once, in a thread and a temporary folder of its own, without a study.
/// Signals come in the thread of the object; destroying it stops what is running.
class JobTrial : public QObject
{
    Q_OBJECT

public:
    explicit JobTrial(data::MeshFiles files, QObject *parent = nullptr);
    ~JobTrial() override;

    bool isRunning() const { return m_thread.joinable(); }
    /// Nothing while one is running. `isOwn`, `trusted`: see data::TrialControl.
    void start(const data::Plan &plan, bool isOwn, const std::string &trusted = {});
    void stop() { m_stop.request_stop(); }

signals:
    void ended(const gridhelm::ui::TrialEnd &end);

private:
    void finish(const TrialEnd &end);

    data::MeshFiles m_files;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::stop_source m_stop;
    std::jthread m_thread;
};

} // namespace gridhelm::ui
