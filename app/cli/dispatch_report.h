// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dispatch/dispatcher.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace gridhelm::cli {

/// What "auto" takes with so many threads, as far as it is known:
///
///     {"candidates": ["omp", ...], "threads", "file": or null,
///      "choices": [{"operation", "unit", "up_to": or null, "measured": the work, or null if the
///                   CPU does it without asking, "seconds": {"omp": ...}, empty if not
///                   measured yet, "fastest": or null}, ...]}
nlohmann::json dispatchReport(dispatch::Dispatcher &dispatcher, const ExecutionContext &context);

/// The same as a table, for people.
std::string dispatchText(const nlohmann::json &report);

} // namespace gridhelm::cli
