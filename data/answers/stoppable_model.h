// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/response_model.h"
#include "core/support/error.h"

#include <span>
#include <stop_token>
#include <utility>

namespace gridhelm::data {

/// Throws gridhelm::Error once a stop was requested.
inline void requireGoingOn(const std::stop_token &stop)
{
    if (stop.stop_requested())
        throw Error("the question was taken back");
}

/// The same model for questions that may be taken back: its evaluations of fields, which are what
/// takes long, throw gridhelm::Error once a stop was requested.
inline answers::ResponseModel stoppable(const answers::ResponseModel &model,
                                        const std::stop_token &stop)
{
    auto functions = model.functions();
    for (auto &function : functions)
        function.value = [value = function.value, stop](std::span<const double> x) {
            requireGoingOn(stop);
            return value(x);
        };
    return {model.dimension(), model.parts(), model.constants(), std::move(functions)};
}

} // namespace gridhelm::data
