// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/process_runner.h"

#include "app/python/process_pool.h"

#include <utility>

namespace gridhelm::python {
namespace {

class ProcessRunner : public data::JobRunner
{
public:
    explicit ProcessRunner(std::shared_ptr<ProcessPool> pool)
        : m_pool(std::move(pool))
    {
    }
    ~ProcessRunner() override { m_pool->end(); }
    ProcessRunner(const ProcessRunner &) = delete;
    ProcessRunner &operator=(const ProcessRunner &) = delete;

    bool isLocal() const override { return true; }
    std::size_t maxSubmitted(std::size_t atATime) const override
    {
        return m_pool->maxSubmitted(atATime);
    }
    std::vector<std::string> submit(std::span<const data::RunRequest> runs,
                                    std::size_t atATime) override
    {
        m_pool->submit(runs, atATime);
        std::vector<std::string> ids;
        for (const auto &run : runs)
            ids.push_back(run.name);
        return ids;
    }
    std::vector<data::RunStatus> poll(std::span<const std::string> ids) override
    {
        return m_pool->poll(ids);
    }
    data::RunStatus collect(const std::string &id, const data::RunSink &sink,
                            const std::stop_token &) override
    {
        return m_pool->collect(id, sink);
    }
    void cancel(std::span<const std::string> ids) override { m_pool->cancel(ids); }
    void release(const std::string &id) override { m_pool->release(id); }
    void waitForNews(std::chrono::milliseconds most) override { m_pool->waitForNews(most); }

private:
    std::shared_ptr<ProcessPool> m_pool;
};

} // namespace

std::function<std::unique_ptr<data::JobRunner>()> processRunners(const Callable &processes,
                                                                 const Callable &accept)
{
    const nanobind::gil_scoped_acquire lock;
    return [pool = std::make_shared<ProcessPool>(processes, accept)] {
        return std::make_unique<ProcessRunner>(pool);
    };
}

} // namespace gridhelm::python
