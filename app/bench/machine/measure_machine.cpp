// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/machine/measure_machine.h"

#include "core/execution/memory_bandwidth.h"
#include "core/support/error.h"
#include "core/support/system_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <map>
#include <new>
#include <optional>
#include <tuple>
#include <utility>

namespace gridhelm::bench {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What binds: of all limits of a case the one that takes longest.
struct Binding
{
    std::string name;
    double seconds = 0;

    void take(const std::string &other, double amount, double perSecond)
    {
        if (!(perSecond > 0) || !(amount / perSecond > seconds))
            return;
        name = other;
        seconds = amount / perSecond;
    }
};

/// What small arrays can be read, written and copied with, which stay in a cache of the CPU.
class CacheLimits
{
public:
    CpuLimits of(double bytes, const CpuDevice &cpu)
    {
        const auto rounded = std::bit_ceil(static_cast<std::uint64_t>(bytes));
        auto &limits = m_known[{rounded, cpu.threads}];
        if (limits.copy > 0)
            return limits;
        // Passes of microseconds: what else the machine does hides the speed of most of them.
        // One thread alone needs not be woken.
        constexpr double patience = 0.1;
        constexpr int rounds = 3;
        const auto begin = Clock::now();
        for (int round = 0; round < rounds || secondsSince(begin) < patience; ++round) {
            for (const auto &some : {cpu, CpuDevice{}}) {
                const auto measured = measureMemoryBandwidth(some, rounded);
                limits.read = std::max(limits.read, measured.read);
                limits.write = std::max(limits.write, measured.write);
                limits.copy = std::max(limits.copy, measured.copy);
            }
        }
        return limits;
    }

private:
    std::map<std::pair<std::uint64_t, int>, CpuLimits> m_known;
};

Binding bindingOf(const MachineCase &each, const dispatch::CountedWork &counted,
                  const MachineUnit &unit, CacheLimits &caches)
{
    const auto limit = limitOf(each.work);
    auto cpu = unit.limits.cpu;
    const bool isOnCpuAlone = unit.context.gpus().empty();
    const bool isInCache =
        isOnCpuAlone && !limit.isOfFlops
        && each.workingBytes() < static_cast<double>(querySystemInfo().lastLevelCacheBytes);
    if (isInCache) {
        const auto inCache = caches.of(each.workingBytes(), unit.context.cpu());
        cpu.*limit.ofCpu = std::max(cpu.*limit.ofCpu, inCache.*limit.ofCpu);
    }
    Binding binding;
    binding.take(fmt::format("{}{}", limit.name, isInCache ? " in a cache" : ""),
                 limit.isOfFlops ? counted.flops : counted.bytes,
                 cpu.*limit.ofCpu + unit.limits.device.*limit.ofDevice);
    const bool hasLink = unit.limits.cpu.copy == 0; // a CPU has its results where they are to be
    if (hasLink)
        binding.take("the link", each.deliveredBytes(), unit.limits.device.toHostBytesPerSecond);
    return binding;
}

/// How long a case takes, from the one of the last size.
class Estimates
{
public:
    using Key = std::tuple<std::string, OperationClass, int, bool>;

    double of(const Key &key, const MachineCase &each, const MeasureOptions &measure) const
    {
        const auto last = m_last.find(key);
        if (last == m_last.end())
            return measure.seconds;
        const double growth = std::max(1.0, sizeOf(each) / last->second.size);
        return measure.seconds + growth * last->second.seconds;
    }

    void add(const Key &key, const MachineCase &each, double seconds, const MeasureOptions &measure)
    {
        m_last[key] = {sizeOf(each), std::max(1e-3, seconds - measure.seconds)};
    }

private:
    struct Last
    {
        double size, seconds;
    };

    /// Preparing grows with the values, running with the operation's size.
    static double sizeOf(const MachineCase &each)
    {
        return dispatch::sizeOf(each.work) + each.amount();
    }

    std::map<Key, Last> m_last;
};

/// Before limits stand beside it, which are known at the end.
struct Unjudged
{
    MeasuredCase result;
    dispatch::CountedWork counted;
    const MachineCase *machineCase;
    const MachineUnit *unit;
};

Unjudged measureOn(const MachineUnit &unit, const MachineCase &each,
                   const ExecutionContext &context, const MeasureOptions &options)
{
    const auto work = dispatch::prepare(each.work, unit.candidate, context);
    constexpr int callsToLearn = 8; // how a team divides the work
    for (int call = 0; unit.isTeam && call < callsToLearn; ++call)
        work->run();
    int calls = 0;
    const auto before = unit.joules();
    const auto begin = Clock::now();
    const auto timing = measure(
        [&] {
            work->run();
            ++calls;
        },
        options);
    const double seconds = secondsSince(begin);
    const auto after = unit.joules();

    MeasuredCase result{each.operation, each.dimension, each.size, dispatch::textOf(each.work),
                        unit.name};
    result.seconds = timing.median;
    result.perSecond = each.amount() / timing.median;
    result.spread = timing.spread;
    result.repeats = timing.repeats;
    const auto counted = work->counted();
    if (counted.bytes > 0)
        result.gigabytesPerSecond = 1e-9 * counted.bytes / timing.median;
    if (counted.flops > 0)
        result.gigaflopsPerSecond = 1e-9 * counted.flops / timing.median;
    constexpr double longEnough = 0.05; // beside the counters' milliseconds
    if (before && after && seconds > longEnough)
        result.joules = (*after - *before) / calls;
    result.error = work->error();
    return {std::move(result), counted, &each, &unit};
}

/// Walks through cases and units until time is over.
class Measurement
{
public:
    Measurement(std::vector<MachineUnit> units, const MachineBenchOptions &options)
        : m_units(std::move(units))
        , m_options(options)
    {
        m_report.isTuned = options.tuning != nullptr;
    }

    MachineReport run(const std::vector<MachineCase> &cases)
    {
        for (auto &unit : m_units)
            addDevice(unit);
        for (std::size_t i = 0; i < cases.size(); ++i) {
            for (const auto &unit : m_units) {
                const bool isDivided = cases[i].operation != OperationClass::hierarchization;
                if (unit.isTeam && !isDivided) // the first device would do it
                    continue;
                m_options.progress(fmt::format(
                    "{} of {}, {:.0f} s: {} on {}, {}", i + 1, cases.size(), secondsSince(m_begin),
                    nameOf(cases[i].operation), unit.name, dispatch::textOf(cases[i].work)));
                const bool isTaken = take(cases[i], unit, false);
                if (isTaken && isTuned(unit))
                    take(cases[i], unit, true);
            }
        }
        judge();
        m_report.seconds = secondsSince(m_begin);
        return std::move(m_report);
    }

private:
    /// Units are named after their devices.
    bool isTuned(const MachineUnit &unit) const
    {
        return m_options.tuning && std::ranges::any_of(m_options.tunedKinds, [&](const auto &kind) {
                   return unit.name.find(kind) != std::string::npos;
               });
    }

    bool isStopped()
    {
        m_report.isInterrupted = m_report.isInterrupted || m_options.isStopped();
        return m_report.isInterrupted;
    }

    void addDevice(MachineUnit &unit)
    {
        if (isStopped())
            return;
        m_options.progress(fmt::format("what {} reaches at best", unit.name));
        const auto begin = Clock::now();
        try {
            m_options.limitsOf(unit);
        } catch (const Error &error) {
            m_report.failures.push_back(fmt::format("{}: {}", unit.name, error.what()));
        }
        m_secondsOfLimits += secondsSince(begin);
    }

    /// Limits are the best of before and after, if there is time.
    void judge()
    {
        for (auto &unit : m_units) {
            if (secondsSince(m_begin) + m_secondsOfLimits < m_options.budget)
                addDevice(unit);
        }
        for (const auto &unit : m_units)
            m_report.devices.push_back(deviceOf(unit));
        for (auto &each : m_measured) {
            const auto binding = bindingOf(*each.machineCase, each.counted, *each.unit, m_caches);
            each.result.limit = binding.name;
            each.result.share = binding.seconds / each.result.seconds;
            m_report.cases.push_back(std::move(each.result));
        }
    }

    static MeasuredDevice deviceOf(const MachineUnit &unit)
    {
        MeasuredDevice device{unit.name, unit.hardware};
        const auto &[cpu, gpu] = unit.limits;
        device.readBytesPerSecond = cpu.read + gpu.readBytesPerSecond;
        device.writeBytesPerSecond = cpu.write + gpu.copyBytesPerSecond;
        device.copyBytesPerSecond = cpu.copy + gpu.copyBytesPerSecond;
        device.flopsPerSecond = cpu.floatFlops + gpu.floatFlopsPerSecond;
        device.linkBytesPerSecond = gpu.toHostBytesPerSecond;
        device.whyNoJoules = unit.whyNoJoules;
        return device;
    }

    /// Whether there was time for it.
    bool take(const MachineCase &each, const MachineUnit &unit, bool isTuned)
    {
        const Estimates::Key key{unit.name, each.operation, each.dimension, isTuned};
        const auto begin = Clock::now();
        const double end = secondsSince(m_begin) + m_estimates.of(key, each, m_options.measure)
                           + m_secondsOfLimits; // which are measured again
        if (isStopped() || end > m_options.budget) {
            ++m_report.leftOut;
            return false;
        }
        try {
            auto measured = measureOn(
                unit, each, isTuned ? unit.context.withTuning(m_options.tuning) : unit.context,
                m_options.measure);
            measured.result.isTuned = isTuned;
            m_measured.push_back(std::move(measured));
        } catch (const Error &error) {
            fail(each, unit, error.what());
        } catch (const std::bad_alloc &) {
            fail(each, unit, "memory ran out");
        }
        m_estimates.add(key, each, secondsSince(begin), m_options.measure);
        return true;
    }

    void fail(const MachineCase &each, const MachineUnit &unit, const std::string &why)
    {
        ++m_report.leftOut;
        m_report.failures.push_back(fmt::format("{} on {}, {}: {}", nameOf(each.operation),
                                                unit.name, dispatch::textOf(each.work), why));
    }

    Clock::time_point m_begin = Clock::now();
    std::vector<MachineUnit> m_units;
    const MachineBenchOptions &m_options;
    Estimates m_estimates;
    CacheLimits m_caches;
    std::vector<Unjudged> m_measured;
    double m_secondsOfLimits = 0;
    MachineReport m_report;
};

} // namespace

void useTuning(MachineBenchOptions &options, const std::vector<tuning::TuningEntry> &entries)
{
    options.tunedKinds.clear();
    for (const auto &entry : entries) {
        const auto &kind = entry.key.device;
        const bool isKnown =
            std::ranges::find(options.tunedKinds, kind) != options.tunedKinds.end();
        if (entry.gain > 1 && !isKnown) // else its constants are the compiled-in ones
            options.tunedKinds.push_back(kind);
    }
    options.tuning = options.tunedKinds.empty()
                         ? nullptr
                         : std::make_shared<const TuningTable>(tuning::tableOf(entries));
}

MachineReport measureMachine(std::vector<MachineUnit> units, const std::vector<MachineCase> &cases,
                             const MachineBenchOptions &options)
{
    return Measurement(std::move(units), options).run(cases);
}

} // namespace gridhelm::bench
