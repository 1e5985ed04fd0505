// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ranks/rank_gpu.h"

#include "core/support/error.h"
#include "gpu/device_info.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::app {

std::string gpuOfRank(Ranks &ranks)
{
    const auto &hosts = ranks.hosts();
    const auto here = hosts.begin() + ranks.number();
    const auto before = static_cast<std::size_t>(std::count(hosts.begin(), here, *here));
    std::size_t count = 0;
    doneByAll(&ranks, [&] {
        const auto list = gpu::listDevices();
        count = list.devices.size();
        if (count == 0)
            throw Error(fmt::format("rank {} on {} has no GPU to compute on ({}); leave "
                                    "--devices gpu and --backend cuda out",
                                    ranks.number(), *here, list.reason));
    });
    return fmt::format("gpu:{}", before % count);
}

} // namespace gridhelm::app
