// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one place that decides whether another device goes on where one cannot, and tells the user.
#pragma once

#include "core/execution/execution_context.h"
#include "core/support/error.h"

#include <string>
#include <string_view>

namespace gridhelm {

/// Tells that `by` takes over from `failed`, and why.
void reportFallback(const ExecutionContext &context, std::string_view failed, std::string_view by,
                    const std::string &problem);

/// first(); where that throws gridhelm::BackendError and the context allows a fallback, second(),
/// whose success is reported. `failed` and `by` name the back ends. Whether first() did it.
template <typename First, typename Second>
bool withFallback(const ExecutionContext &context, std::string_view failed, std::string_view by,
                  First first, Second second)
{
    if (context.fallback() == FallbackPolicy::forbidden) {
        first();
        return true;
    }
    std::string problem;
    try {
        first();
        return true;
    } catch (const BackendError &error) {
        problem = error.what();
    }
    second();
    reportFallback(context, failed, by, problem);
    return false;
}

} // namespace gridhelm
