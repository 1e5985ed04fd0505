// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/stencil/generate/code.h"

#include <fmt/format.h>

namespace gridhelm::data {

/// Iterations that a GPU makes in a pass; the context is told if they are fewer than the target's.
inline int toldGpuPass(const stencil::Stencil &stencil, const ExecutionContext &context)
{
    const int made = iterationsPerGpuPass(stencil);
    if (made < stencil.target.iterationsPerPass)
        context.report({ExecutionEvent::Kind::notice,
                        fmt::format("a GPU makes {} iteration{} of this stencil in a pass, not the "
                                    "{} of its file",
                                    made, made == 1 ? "" : "s", stencil.target.iterationsPerPass)});
    return made;
}

} // namespace gridhelm::data
