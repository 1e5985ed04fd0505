// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/execution_context.h"

#include "core/support/error.h"

#include <mutex>
#include <set>
#include <utility>

namespace gridhelm {

struct ExecutionContext::Gpus
{
    std::once_flag once;
    FindGpus find;
    std::vector<GpuDevice> found;
};

struct ExecutionContext::Events
{
    EventSink sink;
    std::mutex mutex; ///< of the sentences
    std::set<std::string> reported;
};

ExecutionContext::ExecutionContext()
    : ExecutionContext(wholeCpu())
{
}

namespace {

const CpuDevice &checked(const CpuDevice &cpu)
{
    if (cpu.threads < 1)
        throw Error("nothing can be computed with " + std::to_string(cpu.threads)
                    + " threads; choose at least 1");
    return cpu;
}

} // namespace

ExecutionContext::ExecutionContext(const CpuDevice &cpu)
    : m_cpu(checked(cpu))
    , m_gpus(std::make_shared<Gpus>())
    , m_events(std::make_shared<Events>())
    , m_tuning(std::make_shared<TuningTable>())
{
}

ExecutionContext ExecutionContext::on(const CpuDevice &cpu) const
{
    auto copy = *this;
    copy.m_cpu = checked(cpu);
    return copy;
}

ExecutionContext ExecutionContext::withGpus(std::vector<GpuDevice> gpus) const
{
    return withGpus([gpus = std::move(gpus)] { return gpus; });
}

ExecutionContext ExecutionContext::withGpus(FindGpus find) const
{
    auto copy = *this;
    copy.m_gpus = std::make_shared<Gpus>();
    copy.m_gpus->find = std::move(find);
    return copy;
}

ExecutionContext ExecutionContext::withTeam(std::vector<Device> devices) const
{
    auto copy = *this;
    copy.m_team = std::move(devices);
    return copy;
}

ExecutionContext ExecutionContext::withRanks(std::shared_ptr<Ranks> ranks) const
{
    auto copy = *this;
    copy.m_ranks = std::move(ranks);
    return copy;
}

ExecutionContext ExecutionContext::withFallback(FallbackPolicy policy) const
{
    auto copy = *this;
    copy.m_fallback = policy;
    return copy;
}

ExecutionContext ExecutionContext::withEvents(EventSink sink) const
{
    auto copy = *this;
    copy.m_events = std::make_shared<Events>();
    copy.m_events->sink = std::move(sink);
    return copy;
}

ExecutionContext ExecutionContext::withShares(ShareSink sink) const
{
    auto copy = *this;
    copy.m_shareSink = std::move(sink);
    return copy;
}

ExecutionContext ExecutionContext::withTuning(std::shared_ptr<const TuningTable> table) const
{
    auto copy = *this;
    copy.m_tuning = std::move(table);
    return copy;
}

const std::vector<GpuDevice> &ExecutionContext::gpus() const
{
    std::call_once(m_gpus->once, [this] {
        if (m_gpus->find)
            m_gpus->found = m_gpus->find();
    });
    return m_gpus->found;
}

void ExecutionContext::report(const ExecutionEvent &event) const
{
    if (!m_events->sink)
        return;
    const std::lock_guard lock(m_events->mutex);
    if (m_events->reported.insert(event.sentence).second)
        m_events->sink(event);
}

void ExecutionContext::reportShares(const std::vector<DeviceShare> &shares) const
{
    if (m_shareSink)
        m_shareSink(shares);
}

} // namespace gridhelm
