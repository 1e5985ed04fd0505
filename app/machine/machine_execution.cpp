// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/machine/machine_execution.h"

#include "app/machine/gpu_candidates.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "gpu/device_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace gridhelm::app {
namespace {

/// What was given, and how it begins a sentence: "--devices gpu:9".
struct Given
{
    std::string devices;
    std::string name; ///< "--devices"

    std::string text() const { return name + " " + devices; }
};

std::vector<GpuDevice> allGpus(const Given &given)
{
    auto all = gpu::gpuDevices();
    if (all.empty())
        throw Error(fmt::format("{}: there is no GPU to compute on: {}", given.text(),
                                gpu::listDevices().reason));
    return all;
}

std::vector<GpuDevice> gpuNumber(std::size_t index, const Given &given)
{
    const auto all = allGpus(given);
    if (index >= all.size())
        throw Error(fmt::format("{}: there is no GPU {}: this machine has {}, counted "
                                "from 0",
                                given.text(), index, all.size()));
    return {all[index]};
}

constexpr const char *choices = "choose auto, cpu, gpu, gpu:N, gpu:N,M, gpu:all, or parts of one: "
                                "cpu/N, gpu/N; or GPUs and the CPU: gpu:all+cpu";

/// What stands before and behind the slash of "cpu/4": a device, and how many parts of it.
struct NamedParts
{
    std::string device;
    int parts = 1;
};

NamedParts namedParts(const std::string &kind, const Given &given)
{
    constexpr int most = 64;
    const auto slash = kind.find('/');
    if (slash == std::string::npos)
        return {kind, 1};
    const int parts = parseInteger(kind.substr(slash + 1), given.name);
    if (parts < 1 || parts > most)
        throw Error(fmt::format("{}: a device cannot be used as {} parts; choose 1 to {}",
                                given.text(), parts, most));
    return {kind.substr(0, slash), parts};
}

/// One or more, as "gpu", "gpu:1", "gpu:0,1" or "gpu:all" names them.
std::vector<GpuDevice> namedGpus(const std::string &name, const Given &given)
{
    constexpr std::string_view numbered = "gpu:";
    if (name == "gpu")
        return gpuNumber(0, given);
    if (name == "gpu:all")
        return allGpus(given);
    if (!name.starts_with(numbered))
        throw Error(fmt::format("{}: there is no \"{}\": {}", given.name, given.devices, choices));
    std::vector<GpuDevice> gpus;
    for (const auto index : parseIndices(name.substr(numbered.size()), given.name)) {
        gpus.push_back(gpuNumber(index, given).front());
        if (std::ranges::count(gpus, gpus.back().index, &GpuDevice::index) > 1)
            throw Error(fmt::format("{}: GPU {} is named twice; name it once, or "
                                    "gpu:{}/2 for two parts of it",
                                    given.text(), index, index));
    }
    return gpus;
}

struct NamedDevices
{
    std::vector<GpuDevice> gpus; ///< empty: the CPU
    std::vector<Device> all;
};

/// Of one kind: what stands before or behind a +.
NamedDevices namedDevices(const std::string &kind, const CpuDevice &cpu, const Given &given)
{
    const auto [name, parts] = namedParts(kind, given);
    const auto listed = [](const auto &of) { return std::vector<Device>(of.begin(), of.end()); };
    if (name == "cpu")
        return {{}, listed(split(cpu, parts))};
    auto gpus = namedGpus(name, given);
    if (parts == 1)
        return {gpus, listed(gpus)};
    if (gpus.size() > 1)
        throw Error(
            fmt::format("{}: either several GPUs, or parts of one: {}", given.text(), choices));
    return {gpus, listed(split(gpus.front(), parts))};
}

std::vector<dispatch::Candidate> furtherCandidates(const ExecutionContext &context)
{
    return gpuCandidates(context, gpu::listDevices());
}

} // namespace

ExecutionContext machineContext(const CpuDevice &cpu, const std::string &devices,
                                const std::string &what)
{
    const Given given{devices, what};
    const auto context = ExecutionContext(cpu).withFallback(FallbackPolicy::allowed);
    if (devices == "auto")
        return context.withGpus([] { return gpu::gpuDevices(); });
    const auto plus = devices.find('+');
    auto named = namedDevices(devices.substr(0, plus), cpu, given);
    if (plus != std::string::npos) {
        auto others = namedDevices(devices.substr(plus + 1), cpu, given);
        if (named.gpus.empty() == others.gpus.empty())
            throw Error(fmt::format("{}: a + stands between GPUs and the CPU alone: {}",
                                    given.text(), choices));
        if (named.gpus.empty())
            named.gpus = std::move(others.gpus);
        std::ranges::move(others.all, std::back_inserter(named.all));
    }
    if (named.all.size() < 2) // one device is no team
        named.all.clear();
    return context.withGpus(std::move(named.gpus)).withTeam(std::move(named.all));
}

std::shared_ptr<dispatch::Dispatcher> makeMachineDispatcher(const ExecutionContext &context)
{
    dispatch::DispatchSettings settings;
    settings.findFurther = [context] { return furtherCandidates(context); };
    return std::make_shared<dispatch::Dispatcher>(std::move(settings));
}

} // namespace gridhelm::app
