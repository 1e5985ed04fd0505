// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/square_sums.h"
#include "core/execution/execution_context.h"

namespace gridhelm::app {

/// What makes Sobol' maps: the context's first GPU, if it has one, where `isAskedFor`, or where it
/// takes the CPU so long that a GPU is worth its start; else the CPU, which also takes over, with
/// an event, from a GPU that fails, if the context allows that.
answers::SquareSummer squareSummer(const ExecutionContext &context, bool isAskedFor);

} // namespace gridhelm::app
