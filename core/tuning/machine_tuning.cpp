// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/machine_tuning.h"

#include "core/support/error.h"
#include "core/tuning/cpu_cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <memory>

namespace gridhelm::tuning {

std::vector<TuningCase> casesOf(const std::vector<std::string> &operations,
                                std::span<const TuningCase> cases)
{
    std::vector<std::string> known;
    for (const auto &each : cases) {
        auto name = std::string(each.operation->name);
        if (std::ranges::find(known, name) == known.end())
            known.push_back(std::move(name));
    }
    for (const auto &operation : operations) {
        if (std::ranges::find(known, operation) == known.end())
            throw Error(fmt::format("there is no operation \"{}\" to tune; choose among {}",
                                    operation, fmt::join(known, ", ")));
    }
    std::vector<TuningCase> chosen;
    for (const auto &each : cases) {
        if (operations.empty()
            || std::ranges::find(operations, each.operation->name) != operations.end())
            chosen.push_back(each);
    }
    return chosen;
}

std::string warningOfLoad()
{
    constexpr double bearable = 0.5; // processes that want to run, in the last minute
    double load = 0;
    if (::getloadavg(&load, 1) != 1 || load < bearable)
        return {};
    return fmt::format(
        "this machine has been busy ({:.1f} programs on average in the last minute): what is found "
        "now may not hold when it is not",
        load);
}

std::vector<TunedCase> tuneMachine(std::span<const TuningCase> cases,
                                   const dispatch::Candidate &candidate,
                                   const ExecutionContext &context,
                                   const MachineTuneOptions &options)
{
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto left = [&] {
        return options.budget - std::chrono::duration<double>(Clock::now() - begin).count();
    };
    std::vector<TunedCase> tuned;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (options.each.stop.stop_requested() || left() <= 0)
            break;
        if (options.begins)
            options.begins(cases[i], i, cases.size());
        auto each = options.each;
        each.seconds = left() / static_cast<double>(cases.size() - i);
        try {
            auto result = tune(cases[i], candidate, context, each);
            if (options.each.stop.stop_requested())
                break;
            tuned.push_back(std::move(result));
        } catch (const std::exception &problem) {
            if (options.failed)
                options.failed(cases[i], problem.what());
            continue;
        }
        if (options.ended)
            options.ended(tuned.back());
    }
    return tuned;
}

TuningDevice tuningCpu(const ExecutionContext &context)
{
    return {"cpu", tunedMachine(context), cpuCases(context.cpu().threads), dispatch::cpuCandidate(),
            context.withTuning(std::make_shared<TuningTable>())};
}

std::vector<std::vector<TunedCase>> tuneDevices(std::span<const TuningDevice> devices,
                                                const MachineTuneOptions &options)
{
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    std::size_t count = 0, before = 0;
    for (const auto &device : devices)
        count += device.cases.size();
    std::vector<std::vector<TunedCase>> tuned;
    for (const auto &device : devices) {
        if (options.deviceBegins)
            options.deviceBegins(device);
        const auto own = device.cases.size();
        const double left =
            options.budget - std::chrono::duration<double>(Clock::now() - begin).count();
        auto ofDevice = options;
        ofDevice.budget =
            left * static_cast<double>(own) / std::max(static_cast<double>(count - before), 1.0);
        ofDevice.begins = [&](const TuningCase &each, std::size_t index, std::size_t) {
            if (options.begins)
                options.begins(each, before + index, count);
        };
        tuned.push_back(tuneMachine(device.cases, device.candidate, device.context, ofDevice));
        before += own;
    }
    return tuned;
}

} // namespace gridhelm::tuning
