// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/team.h"

#include "core/support/error.h"

#include <algorithm>
#include <variant>

namespace gridhelm {
namespace {

template <typename Kind>
std::vector<Kind> allOf(const std::vector<Device> &team, const char *backend, const char *advice)
{
    std::vector<Kind> result;
    for (const auto &device : team) {
        const auto *one = std::get_if<Kind>(&device);
        if (one == nullptr)
            throw Error("the back end " + std::string(backend) + " cannot compute on "
                        + nameOf(device) + "; " + advice);
        result.push_back(*one);
    }
    return result;
}

} // namespace

std::vector<CpuDevice> cpusOf(const std::vector<Device> &team)
{
    return allOf<CpuDevice>(team, "omp", "choose the back end cuda, or the devices cpu/N");
}

std::vector<GpuDevice> gpusOf(const std::vector<Device> &team)
{
    return allOf<GpuDevice>(team, "cuda", "choose GPUs alone, or the back end omp");
}

bool isMixed(const std::vector<Device> &team)
{
    const auto isCpu = [](const Device &device) {
        return std::holds_alternative<CpuDevice>(device);
    };
    return std::ranges::any_of(team, isCpu) && !std::ranges::all_of(team, isCpu);
}

std::vector<std::string> namesOf(const std::vector<Device> &team)
{
    std::vector<std::string> names;
    for (const auto &device : team)
        names.push_back(nameOf(device));
    return names;
}

ComputedOn computedOn(const std::vector<GpuDevice> &gpus)
{
    ComputedOn where;
    for (const auto &gpu : gpus)
        where |= ComputedOn::gpu(gpu.index);
    return where;
}

} // namespace gridhelm
