// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/machine/machine_execution.h"

#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "gpu/cuda_solvers.h"
#include "gpu/device_info.h"
#include "gpu/sparse/cuda_backend.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace gridhelm::app {
namespace {

std::vector<GpuDevice> gpuNumber(std::size_t index, const std::string &devices)
{
    const auto all = gpu::gpuDevices();
    if (all.empty())
        throw Error(fmt::format("--devices {}: there is no GPU to compute on: {}", devices,
                                gpu::listDevices().reason));
    if (index >= all.size())
        throw Error(fmt::format("--devices {}: there is no GPU {}: this machine has {}, counted "
                                "from 0",
                                devices, index, all.size()));
    return {all[index]};
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

ExecutionContext machineContext(const CpuDevice &cpu, const std::string &devices)
{
    const auto context = ExecutionContext(cpu).withFallback(FallbackPolicy::allowed);
    constexpr std::string_view numbered = "gpu:";
    if (devices == "auto")
        return context.withGpus([] { return gpu::gpuDevices(); });
    if (devices == "cpu")
        return context;
    if (devices == "gpu")
        return context.withGpus(gpuNumber(0, devices));
    if (devices == "gpu:all" || devices.find_first_of(",+") != std::string::npos)
        throw Error(fmt::format("--devices {}: several devices at once cannot be used yet: choose "
                                "auto, cpu, gpu or gpu:N",
                                devices));
    if (devices.starts_with(numbered))
        return context.withGpus(
            gpuNumber(parseIndex(devices.substr(numbered.size()), "--devices"), devices));
    throw Error(
        fmt::format("--devices: there is no \"{}\": choose auto, cpu, gpu or gpu:N", devices));
}

std::shared_ptr<dispatch::Dispatcher> makeMachineDispatcher(const ExecutionContext &context)
{
    dispatch::DispatchSettings settings;
    settings.findFurther = [context] { return gpuCandidates(context); };
    return std::make_shared<dispatch::Dispatcher>(std::move(settings));
}

} // namespace gridhelm::app
