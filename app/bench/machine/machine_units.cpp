// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/machine/machine_units.h"

#include "app/machine/sparse_team.h"
#include "core/execution/cpu_energy.h"
#include "core/execution/team.h"
#include "core/support/enumeration.h"
#include "core/support/system_info.h"
#include "gpu/device_info.h"
#include "gpu/sparse/cuda_backend.h"
#include "gpu/support/gpu_energy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <variant>

namespace gridhelm::bench {
namespace {

std::string hardwareOf(const Device &device)
{
    if (const auto *cpu = std::get_if<CpuDevice>(&device))
        return fmt::format("{}, {} thread{}", querySystemInfo().cpuName, cpu->threads,
                           cpu->threads == 1 ? "" : "s");
    const auto index = static_cast<std::size_t>(std::get<GpuDevice>(device).index);
    const auto list = gpu::listDevices();
    return index < list.devices.size() ? list.devices[index].name : "a GPU";
}

/// The counters of all these devices, one for all CPUs.
void addEnergy(MachineUnit &unit, const std::vector<Device> &devices)
{
    std::vector<std::function<std::optional<double>()>> counters;
    bool hasCpu = false;
    for (const auto &device : devices) {
        if (const auto *gpu = std::get_if<GpuDevice>(&device)) {
            const auto list = gpu::listDevices();
            const auto index = static_cast<std::size_t>(gpu->index);
            const auto energy = std::make_shared<gpu::GpuEnergy>(
                index < list.devices.size() ? list.devices[index].pciBusId : "");
            if (!energy->whyNot().empty())
                unit.whyNoJoules = energy->whyNot();
            counters.emplace_back([energy] { return energy->joules(); });
        } else if (!hasCpu) {
            hasCpu = true;
            const auto energy = std::make_shared<CpuEnergy>();
            if (!energy->whyNot().empty())
                unit.whyNoJoules = energy->whyNot();
            counters.emplace_back([energy] { return energy->joules(); });
        }
    }
    unit.joules = [counters]() -> std::optional<double> {
        double sum = 0;
        for (const auto &counter : counters) {
            const auto each = counter();
            if (!each)
                return std::nullopt;
            sum += *each;
        }
        return sum;
    };
}

MachineUnit unitOf(const Device &device, const ExecutionContext &context)
{
    MachineUnit unit{nameOf(device), hardwareOf(device), context.withTeam({}),
                     dispatch::cpuCandidate()};
    if (const auto *cpu = std::get_if<CpuDevice>(&device)) {
        unit.context = unit.context.on(*cpu).withGpus(std::vector<GpuDevice>());
    } else {
        unit.context = unit.context.withGpus(std::vector{std::get<GpuDevice>(device)});
        unit.candidate.name = "cuda";
        unit.candidate.makeSparse = [](const ExecutionContext &with) {
            return std::shared_ptr<const sparse::Backend>(gpu::makeCudaBackend(with));
        };
    }
    addEnergy(unit, {device});
    return unit;
}

MachineUnit teamOf(const std::vector<Device> &devices, const ExecutionContext &context)
{
    const auto names = namesOf(devices);
    std::vector<std::string> hardware;
    for (const auto &device : devices)
        hardware.push_back(hardwareOf(device));
    MachineUnit unit{fmt::format("{}", fmt::join(names, " + ")), enumeration(hardware, "and"),
                     context.withTeam(devices), dispatch::cpuCandidate(), true};
    unit.candidate.name = "team";
    unit.candidate.makeSparse = [](const ExecutionContext &with) {
        return std::shared_ptr<const sparse::Backend>(
            sparse::makeTeamBackend(app::sparseTeam(with, "auto"), with));
    };
    addEnergy(unit, devices);
    return unit;
}

} // namespace

std::vector<MachineUnit> machineUnits(const ExecutionContext &context, UnitChoice choice)
{
    const auto forbidding = context.withFallback(FallbackPolicy::forbidden);
    const std::vector<Device> gpus(context.gpus().begin(), context.gpus().end());
    std::vector<Device> devices = context.team();
    std::vector<std::vector<Device>> teams;
    if (!devices.empty()) {
        teams.push_back(devices);
    } else if (choice == UnitChoice::all) {
        devices = gpus;
        devices.insert(devices.begin(), context.cpu());
        if (gpus.size() > 1)
            teams.push_back(gpus);
        if (!gpus.empty()) {
            teams.push_back(gpus);
            teams.back().emplace_back(context.cpu());
        }
    } else {
        devices = gpus.empty() ? std::vector<Device>{context.cpu()} : gpus;
    }
    std::vector<MachineUnit> units;
    for (const auto &device : devices)
        units.push_back(unitOf(device, forbidding));
    for (const auto &team : teams)
        units.push_back(teamOf(team, forbidding));
    return units;
}

void measureLimits(MachineUnit &unit, std::size_t mostBytes)
{
    const auto &team = unit.context.team();
    const auto isCpu = [](const Device &device) {
        return std::holds_alternative<CpuDevice>(device);
    };
    const bool usesCpu =
        team.empty() ? unit.context.gpus().empty() : std::ranges::any_of(team, isCpu);
    if (usesCpu) // of a team of its parts, the whole CPU
        measureLimits(unit.limits.cpu, unit.context.cpu(), mostBytes);
    gpu::DeviceLimits sum;
    constexpr std::array limits{
        &gpu::DeviceLimits::readBytesPerSecond, &gpu::DeviceLimits::copyBytesPerSecond,
        &gpu::DeviceLimits::toHostBytesPerSecond, &gpu::DeviceLimits::floatFlopsPerSecond,
        &gpu::DeviceLimits::doubleFlopsPerSecond};
    for (const auto &gpu : unit.context.gpus()) {
        const auto measured = gpu::measureDeviceLimits(gpu);
        for (const auto limit : limits)
            sum.*limit += measured.*limit;
    }
    for (const auto limit : limits)
        unit.limits.device.*limit = std::max(unit.limits.device.*limit, sum.*limit);
}

} // namespace gridhelm::bench
