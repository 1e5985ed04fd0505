// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/job_trial.h"

#include "ui/machine/lower_priority.h"

#include <QDir>

#include <exception>
#include <new>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr double trialPatience = 0.4; ///< seconds: closing a window must not take longer

} // namespace

JobTrial::JobTrial(data::MeshFiles files, QObject *parent)
    : QObject(parent)
    , m_files(std::move(files))
{
}

JobTrial::~JobTrial()
{
    stop();
    if (m_thread.joinable())
        m_thread.join();
}

void JobTrial::start(const data::Plan &plan, bool isOwn, const std::string &trusted)
{
    if (isRunning())
        return;
    m_folder = std::make_unique<QTemporaryDir>(QDir::tempPath() + "/gridhelm-test-XXXXXX");
    TrialEnd end;
    if (!m_folder->isValid()) {
        end.problem = QString("No folder can be made for the test (%1): set TMPDIR to one that may "
                              "be written to")
                          .arg(m_folder->errorString());
        emit ended(end);
        return;
    }
    end.folder = m_folder->filePath("trial.jobs/trial");
    m_stop = {};
    data::TrialControl control;
    control.files = m_files;
    control.folder = m_folder->path().toStdString();
    control.stop = m_stop.get_token();
    control.patience = trialPatience;
    control.isOwn = isOwn;
    control.trusted = trusted;
    m_thread = std::jthread([this, plan, end, control = std::move(control)]() mutable {
        lowerPriority();
        try {
            end.report = data::runTrial(plan, control);
        } catch (const data::UntrustedExecution &error) {
            end.problem = QString::fromUtf8(error.what());
            end.question = error.execution();
        } catch (const std::bad_alloc &) {
            end.problem = "Memory ran out: close other programs, or test with a smaller case";
        } catch (const std::exception &error) {
            end.problem = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(
            this, [this, end] { finish(end); }, Qt::QueuedConnection);
    });
}

void JobTrial::finish(const TrialEnd &end)
{
    m_thread.join(); // it has nothing left to do
    emit ended(end);
}

} // namespace gridhelm::ui
