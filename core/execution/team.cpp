// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/team.h"

#include "core/support/error.h"

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

std::vector<std::string> namesOf(const std::vector<Device> &team)
{
    std::vector<std::string> names;
    for (const auto &device : team)
        names.push_back(nameOf(device));
    return names;
}

} // namespace gridhelm
