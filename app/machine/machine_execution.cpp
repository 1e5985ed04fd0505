// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/machine/machine_execution.h"

#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "gpu/cuda_solvers.h"
#include "gpu/device_info.h"
#include "gpu/sparse/cuda_backend.h"

#include <fmt/format.h>

#include <algorithm>
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
                                "cpu/N, gpu/N";

/// What stands before and behind the slash of "cpu/4": a device, and how many parts of it.
struct NamedParts
{
    std::string device;
    int parts = 1;
};

NamedParts namedParts(const Given &given)
{
    constexpr int most = 64;
    const auto slash = given.devices.find('/');
    if (slash == std::string::npos)
        return {given.devices, 1};
    const int parts = parseInteger(given.devices.substr(slash + 1), given.name);
    if (parts < 1 || parts > most)
        throw Error(fmt::format("{}: a device cannot be used as {} parts; choose 1 to {}",
                                given.text(), parts, most));
    return {given.devices.substr(0, slash), parts};
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

template <typename Named>
std::vector<Device> teamOf(const std::vector<Named> &devices)
{
    if (devices.size() < 2) // one device is no team
        return {};
    return {devices.begin(), devices.end()};
}

std::vector<dispatch::Candidate> gpuCandidates(const ExecutionContext &context)
{
    if (context.gpus().empty())
        return {};
    const auto list = gpu::listDevices();
    const auto index = static_cast<std::size_t>(context.gpus().front().index);
    return {{"cuda", list.devices.at(index).name + ", " + list.driver,
             [](const ExecutionContext &with) -> std::shared_ptr<const sparse::Backend> {
                 return gpu::makeCudaBackend(with);
             },
             &gpu::cudaSolvers()}};
}

} // namespace

ExecutionContext machineContext(const CpuDevice &cpu, const std::string &devices,
                                const std::string &what)
{
    const Given given{devices, what};
    const auto context = ExecutionContext(cpu).withFallback(FallbackPolicy::allowed);
    if (devices == "auto")
        return context.withGpus([] { return gpu::gpuDevices(); });
    if (devices.find('+') != std::string::npos)
        throw Error(
            fmt::format("{}: GPU and CPU together cannot be used yet: {}", given.text(), choices));
    const auto [name, parts] = namedParts(given);
    if (name == "cpu")
        return context.withTeam(teamOf(split(cpu, parts)));
    auto gpus = namedGpus(name, given);
    if (parts == 1)
        return context.withGpus(gpus).withTeam(teamOf(gpus));
    if (gpus.size() > 1)
        throw Error(
            fmt::format("{}: either several GPUs, or parts of one: {}", given.text(), choices));
    return context.withGpus(gpus).withTeam(teamOf(split(gpus.front(), parts)));
}

std::shared_ptr<dispatch::Dispatcher> makeMachineDispatcher(const ExecutionContext &context)
{
    dispatch::DispatchSettings settings;
    settings.findFurther = [context] { return gpuCandidates(context); };
    return std::make_shared<dispatch::Dispatcher>(std::move(settings));
}

} // namespace gridhelm::app
