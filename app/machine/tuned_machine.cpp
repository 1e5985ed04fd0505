// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/machine/tuned_machine.h"

#include "app/machine/gpu_candidates.h"
#include "core/tuning/saved_tuning.h"
#include "gpu/tuning_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

namespace gridhelm::app {
namespace {

using tuning::TunedMachine;
using tuning::TuningEntry;

/// Nothing if the GPU is not there any more.
std::optional<TunedMachine> machineOf(const GpuDevice &gpu, const gpu::DeviceList &machine)
{
    constexpr int noThreads = 0;
    const auto index = static_cast<std::size_t>(gpu.index);
    if (index >= machine.devices.size())
        return std::nullopt;
    return tuning::tunedMachine(gpu::gpuOperations(),
                                fmt::format("{}, {}", machine.devices[index].name, machine.driver),
                                noThreads);
}

/// Sums of work units are added up in another order; what is kept changes no value.
bool changesRoundOff(const tuning::TuningCase &each)
{
    return std::ranges::any_of(each.operation->constants, &TunableConstant::splitsWork);
}

std::vector<TuningEntry> savedForGpus(const ExecutionContext &context)
{
    const auto machine = tunedGpus(context, gpu::listDevices());
    return machine ? tuning::savedTuning(*machine, context) : std::vector<TuningEntry>();
}

} // namespace

std::vector<tuning::TuningDevice> tuningGpus(const ExecutionContext &context,
                                             const gpu::DeviceList &machine)
{
    std::vector<tuning::TuningDevice> devices;
    if (gpu::gpuOperations().empty())
        return devices;
    for (const auto &gpu : context.gpus()) {
        auto tuned = machineOf(gpu, machine);
        if (!tuned
            || std::ranges::find(devices, *tuned, &tuning::TuningDevice::machine) != devices.end())
            continue;
        const auto alone = context.withTeam({})
                               .withGpus(std::vector<GpuDevice>{gpu})
                               .withTuning(std::make_shared<TuningTable>());
        auto cases = gpu::gpuCases();
        std::erase_if(cases, changesRoundOff);
        devices.push_back({nameOf(gpu), std::move(*tuned), std::move(cases),
                           gpuCandidates(alone, machine).front(), alone});
    }
    return devices;
}

std::optional<TunedMachine> tunedGpus(const ExecutionContext &context,
                                      const gpu::DeviceList &machine)
{
    std::optional<TunedMachine> found;
    for (const auto &gpu : context.gpus()) {
        auto each = machineOf(gpu, machine);
        if (!each || (found && *found != *each))
            return std::nullopt;
        found = std::move(each);
    }
    return found;
}

ExecutionContext withSavedTuning(const ExecutionContext &context)
{
    auto table = tuning::tableOf(tuning::savedTuning(context));
    table.readLater("gpu", [context] { return tuning::tableOf(savedForGpus(context)); });
    return context.withTuning(std::make_shared<TuningTable>(std::move(table)));
}

std::vector<TuningEntry> savedTuning(const ExecutionContext &context)
{
    auto entries = tuning::savedTuning(context);
    std::ranges::move(savedForGpus(context), std::back_inserter(entries));
    return entries;
}

} // namespace gridhelm::app
