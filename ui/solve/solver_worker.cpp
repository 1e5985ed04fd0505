// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/solver_worker.h"

#include "ui/solve/solver_loop.h"
#include "ui/solve/solver_mailbox.h"

#include <mutex>
#include <utility>

namespace gridhelm::ui {

SolverWorker::SolverWorker(RunRequest request, std::function<void()> news)
    : m_mailbox(std::make_shared<SolverMailbox>())
{
    m_mailbox->news = std::move(news);
    m_thread = std::make_unique<BackgroundThread>(
        [mailbox = m_mailbox, request = std::move(request)](std::stop_token quit) {
            runSolverLoop(mailbox, request, std::move(quit));
        });
}

SolverWorker::~SolverWorker()
{
    {
        const std::lock_guard lock(m_mailbox->mutex);
        m_mailbox->news = nullptr;
    }
    m_thread->requestStop(); // first: what is cut short now is not published as cancelled
    m_mailbox->cutShort.request_stop();
}

template <typename Change>
void SolverWorker::ask(Change change)
{
    const std::lock_guard lock(m_mailbox->mutex);
    change(m_mailbox->commands);
    m_mailbox->hasCommands = true;
    m_mailbox->changed.notify_all();
}

void SolverWorker::run()
{
    ask([](auto &commands) { commands.isRunning = true; });
}

void SolverWorker::pause()
{
    ask([](auto &commands) {
        commands.isRunning = false;
        commands.steps = 0;
    });
}

void SolverWorker::step(std::uint64_t iterations)
{
    ask([=](auto &commands) { commands.steps += iterations; });
}

void SolverWorker::stop()
{
    ask([](auto &commands) { commands.stop = true; });
    m_mailbox->cutShort.request_stop();
}

void SolverWorker::setLiveParameter(const std::string &name, double value)
{
    ask([&](auto &commands) { commands.parameters[name] = value; });
}

void SolverWorker::showSlice(const solvers::SliceChoice &slice)
{
    ask([&](auto &commands) { commands.slice = slice; });
}

void SolverWorker::save(const std::string &path, std::optional<int> layers)
{
    ask([&](auto &commands) { commands.saves.emplace_back(path, layers); });
}

RunUpdate SolverWorker::takeUpdate()
{
    const std::lock_guard lock(m_mailbox->mutex);
    RunUpdate taken = std::move(m_mailbox->update);
    m_mailbox->update = {};
    m_mailbox->update.state = taken.state;
    m_mailbox->isAnnounced = false;
    return taken;
}

} // namespace gridhelm::ui
