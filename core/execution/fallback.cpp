// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/fallback.h"

#include <fmt/format.h>

namespace gridhelm {

void reportFallback(const ExecutionContext &context, std::string_view failed, std::string_view by,
                    const std::string &problem)
{
    context.report({ExecutionEvent::Kind::fallback,
                    fmt::format("{} takes over from {}: {}", by == "omp" ? "the CPU (omp)" : by,
                                failed, problem)});
}

} // namespace gridhelm
