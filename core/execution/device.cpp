// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/device.h"

#include "core/support/error.h"
#include "core/support/system_info.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm {
namespace {

std::string partText(const LogicalPart &part)
{
    if (part.count == 1)
        return {};
    return "." + std::to_string(part.index + 1) + "/" + std::to_string(part.count);
}

void requireParts(int parts)
{
    if (parts < 1)
        throw Error("a device cannot be split into " + std::to_string(parts)
                    + " parts; choose at least 1");
}

/// The part of an `i`-th of `parts`, of a device that may be a part itself.
LogicalPart partOf(const LogicalPart &whole, int i, int parts)
{
    return {whole.index * parts + i, whole.count * parts};
}

} // namespace

CpuDevice wholeCpu()
{
    return {querySystemInfo().threadCount, {}};
}

CpuDevice cpuWith(int threads)
{
    if (threads < 0)
        throw Error(std::to_string(threads)
                    + " threads are not possible: give a positive number, or 0 for all");
    return threads == 0 ? wholeCpu() : CpuDevice{threads, {}};
}

std::string describe(const DeviceShare &share)
{
    const auto layers = share.end - share.begin;
    auto text =
        fmt::format("{}: {} of {} {} ({:.1f} %)", share.device, layers, share.of, share.layers,
                    100 * static_cast<double>(layers) / static_cast<double>(share.of));
    if (share.times)
        text += fmt::format(", transfer {:.1f} %, idle {:.1f} %", 100 * share.times->transfer,
                            100 * share.times->idle);
    return text;
}

std::string nameOf(const CpuDevice &cpu)
{
    return "cpu" + partText(cpu.part);
}

std::string nameOf(const GpuDevice &gpu)
{
    return "gpu:" + std::to_string(gpu.index) + partText(gpu.part);
}

std::string nameOf(const Device &device)
{
    return std::visit([](const auto &each) { return nameOf(each); }, device);
}

std::vector<CpuDevice> split(const CpuDevice &cpu, int parts)
{
    requireParts(parts);
    std::vector<CpuDevice> devices;
    for (int i = 0; i < parts; ++i) {
        const int threads = cpu.threads * (i + 1) / parts - cpu.threads * i / parts;
        devices.push_back({std::max(threads, 1), partOf(cpu.part, i, parts)});
    }
    return devices;
}

std::vector<GpuDevice> split(const GpuDevice &gpu, int parts)
{
    requireParts(parts);
    const auto limit = gpu.memory->limit();
    const auto share =
        limit == MemoryBudget::unlimited ? limit : limit / static_cast<std::size_t>(parts);
    std::vector<GpuDevice> devices;
    for (int i = 0; i < parts; ++i)
        devices.push_back(
            {gpu.index, std::make_shared<MemoryBudget>(share), partOf(gpu.part, i, parts)});
    return devices;
}

} // namespace gridhelm
