// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where something runs, and what the user is to know of it. Handed to every back end, evaluator,
// stepper and simulation; nothing below asks the machine or the process for devices.
#pragma once

#include "core/execution/device.h"
#include "core/execution/ranks.h"
#include "core/execution/tuning_table.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gridhelm {

/// Something the user should know of how a result came about: a sentence without a full stop.
struct ExecutionEvent
{
    enum class Kind {
        fallback, ///< another device computed than the one that was meant to, at least in part
        notice,   ///< anything else, e.g. that speeds were measured
    };
    Kind kind = Kind::notice;
    std::string sentence;
};

/// Whether another device may take over from one that cannot begin or go on. Benchmarks and tests
/// forbid it: what they name is what they measure.
enum class FallbackPolicy { forbidden, allowed };

/// A value: copies share the devices' memory budgets, the tuning table and the sink of events.
/// Thread-safe as long as no one assigns to it.
class ExecutionContext
{
public:
    /// Called from any thread, the same sentence once only.
    using EventSink = std::function<void(const ExecutionEvent &)>;
    /// Told whenever a grid is divided among the team, in its order, by the thread that does it;
    /// of nobody when one device takes over.
    using ShareSink = std::function<void(const std::vector<DeviceShare> &)>;
    using FindGpus = std::function<std::vector<GpuDevice>()>;

    /// The CPU alone, with all its threads; no fallback, events go nowhere.
    ExecutionContext();
    /// Throws gridhelm::Error, as on(), unless it has at least one thread.
    explicit ExecutionContext(const CpuDevice &cpu);

    /// Copies with one thing changed.
    ExecutionContext on(const CpuDevice &cpu) const;
    ExecutionContext withGpus(std::vector<GpuDevice> gpus) const;
    /// To be looked for when they are needed for the first time, which may take a second.
    ExecutionContext withGpus(FindGpus find) const;
    /// With several devices that are to share the work of a solver, or of an evaluation, in this
    /// order; the empty team leaves it to one.
    ExecutionContext withTeam(std::vector<Device> devices) const;
    /// As one of several processes that share the work of a solver, each with the context's CPU,
    /// and without a team; null leaves it to this one.
    ExecutionContext withRanks(std::shared_ptr<Ranks> ranks) const;
    ExecutionContext withFallback(FallbackPolicy policy) const;
    ExecutionContext withEvents(EventSink sink) const;
    ExecutionContext withShares(ShareSink sink) const;
    ExecutionContext withTuning(std::shared_ptr<const TuningTable> table) const;

    const CpuDevice &cpu() const { return m_cpu; }
    /// Those that may be used; empty if there are none.
    const std::vector<GpuDevice> &gpus() const;
    const std::vector<Device> &team() const { return m_team; }
    /// Null: this process is alone.
    const std::shared_ptr<Ranks> &ranks() const { return m_ranks; }
    /// Whether a grid is to be divided, among a team or among ranks.
    bool sharesWork() const { return !m_team.empty() || m_ranks != nullptr; }
    FallbackPolicy fallback() const { return m_fallback; }
    const TuningTable &tuning() const { return *m_tuning; }

    void report(const ExecutionEvent &event) const;
    void reportShares(const std::vector<DeviceShare> &shares) const;

private:
    struct Gpus;
    struct Events;

    CpuDevice m_cpu;
    std::shared_ptr<Gpus> m_gpus;
    std::vector<Device> m_team;
    std::shared_ptr<Ranks> m_ranks;
    std::shared_ptr<Events> m_events;
    ShareSink m_shareSink; ///< may be empty
    std::shared_ptr<const TuningTable> m_tuning;
    FallbackPolicy m_fallback = FallbackPolicy::forbidden;
};

} // namespace gridhelm
