// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/machine/environment.h"

#include "core/execution/team.h"
#include "core/sparse/omp/simd_targets.h"
#include "core/support/system_info.h"
#include "core/support/version.h"

#include <nlohmann/json.hpp>

namespace gridhelm::app {

nlohmann::json environmentJson(const ExecutionContext &context)
{
    const auto system = querySystemInfo();
    nlohmann::json devices{nameOf(context.cpu())};
    for (const auto &gpu : context.gpus())
        devices.push_back(nameOf(gpu));
    if (!context.team().empty()) // the parts, or those GPUs, in their order
        devices = namesOf(context.team());
    return {{"version", versionString()},
            {"commit", commitString()},
            {"compiler", __VERSION__},
            {"cpu", system.cpuName},
            {"threads", context.cpu().threads},
            {"devices", devices},
            {"simd", sparse::omp::activeSimdTarget()},
            {"last_level_cache_bytes", system.lastLevelCacheBytes},
            {"memory_bytes", system.physicalMemoryBytes}};
}

} // namespace gridhelm::app
