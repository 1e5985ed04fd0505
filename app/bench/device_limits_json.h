// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/support/device_limits.h"

#include <nlohmann/json.hpp>

namespace gridhelm::bench {

/// As every benchmark of the CUDA device writes them beside its results.
inline nlohmann::json limitsJson(const gpu::DeviceLimits &limits)
{
    return {{"read_gbytes_per_second", limits.readBytesPerSecond * 1e-9},
            {"copy_gbytes_per_second", limits.copyBytesPerSecond * 1e-9},
            {"to_host_gbytes_per_second", limits.toHostBytesPerSecond * 1e-9},
            {"float_gflops_per_second", limits.floatFlopsPerSecond * 1e-9},
            {"double_gflops_per_second", limits.doubleFlopsPerSecond * 1e-9}};
}

} // namespace gridhelm::bench
