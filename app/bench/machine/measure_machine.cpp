// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/machine/measure_machine.h"

#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
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

    void take(const char *other, double amount, double perSecond)
    {
        if (!(perSecond > 0) || !(amount / perSecond > seconds))
            return;
        name = other;
        seconds = amount / perSecond;
    }
};

Binding bindingOf(const MachineCase &each, const dispatch::CountedWork &counted,
                  const MachineUnit &unit)
{
    const auto limit = limitOf(each.work);
    Binding binding;
    binding.take(limit.name, limit.isOfFlops ? counted.flops : counted.bytes,
                 unit.limits.cpu.*limit.ofCpu + unit.limits.device.*limit.ofDevice);
    const bool isOnCpu = unit.limits.cpu.copy > 0; // which has no link to cross
    if (!isOnCpu)
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

MeasuredCase measureOn(const MachineUnit &unit, const MachineCase &each,
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
    const auto binding = bindingOf(each, counted, unit);
    result.limit = binding.name;
    result.share = binding.seconds / timing.median;
    if (counted.bytes > 0)
        result.gigabytesPerSecond = 1e-9 * counted.bytes / timing.median;
    if (counted.flops > 0)
        result.gigaflopsPerSecond = 1e-9 * counted.flops / timing.median;
    constexpr double longEnough = 0.05; // beside the counters' milliseconds
    if (before && after && seconds > longEnough)
        result.joules = (*after - *before) / calls;
    result.error = work->error();
    return result;
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
                for (const bool isTuned : {false, true}) {
                    if (isTuned && !m_options.tuning)
                        continue;
                    m_options.progress(fmt::format("{} of {}, {:.0f} s: {} on {}, {}", i + 1,
                                                   cases.size(), secondsSince(m_begin),
                                                   nameOf(cases[i].operation), unit.name,
                                                   dispatch::textOf(cases[i].work)));
                    take(cases[i], unit, isTuned);
                }
            }
        }
        m_report.seconds = secondsSince(m_begin);
        return std::move(m_report);
    }

private:
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
        MeasuredDevice device{unit.name, unit.hardware};
        try {
            measureLimits(unit);
        } catch (const Error &error) {
            m_report.failures.push_back(fmt::format("{}: {}", unit.name, error.what()));
        }
        const auto &[cpu, gpu] = unit.limits;
        device.readBytesPerSecond = cpu.read + gpu.readBytesPerSecond;
        device.writeBytesPerSecond = cpu.write + gpu.copyBytesPerSecond;
        device.copyBytesPerSecond = cpu.copy + gpu.copyBytesPerSecond;
        device.flopsPerSecond = cpu.floatFlops + gpu.floatFlopsPerSecond;
        device.linkBytesPerSecond = gpu.toHostBytesPerSecond;
        device.whyNoJoules = unit.whyNoJoules;
        m_report.devices.push_back(device);
    }

    void take(const MachineCase &each, const MachineUnit &unit, bool isTuned)
    {
        const Estimates::Key key{unit.name, each.operation, each.dimension, isTuned};
        const auto begin = Clock::now();
        if (isStopped()
            || secondsSince(m_begin) + m_estimates.of(key, each, m_options.measure)
                   > m_options.budget) {
            ++m_report.leftOut;
            return;
        }
        try {
            auto result = measureOn(
                unit, each, isTuned ? unit.context.withTuning(m_options.tuning) : unit.context,
                m_options.measure);
            result.isTuned = isTuned;
            m_report.cases.push_back(std::move(result));
        } catch (const Error &error) {
            fail(each, unit, error.what());
        } catch (const std::bad_alloc &) {
            fail(each, unit, "memory ran out");
        }
        m_estimates.add(key, each, secondsSince(begin), m_options.measure);
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
    MachineReport m_report;
};

} // namespace

MachineReport measureMachine(std::vector<MachineUnit> units, const std::vector<MachineCase> &cases,
                             const MachineBenchOptions &options)
{
    return Measurement(std::move(units), options).run(cases);
}

} // namespace gridhelm::bench
