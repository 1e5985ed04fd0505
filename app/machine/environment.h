// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"

#include <nlohmann/json_fwd.hpp>

namespace gridhelm::app {

/// Commit, version, machine, devices, compiler, SIMD instruction set: what every benchmark and
/// solver run writes next to its results.
nlohmann::json environmentJson(const ExecutionContext &context);

} // namespace gridhelm::app
