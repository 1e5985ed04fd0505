// SPDX-License-Identifier: GPL-3.0-or-later
//
// A stencil that several devices share: code for each of them, and who gets how much.
#pragma once

#include "data/stencil/stencil_solver.h"

#include <vector>

namespace gridhelm::data {

/// As prepareStencil(), for the devices of the context's team; with GPUs, if the means have them.
/// GPUs and the CPU divide the grid by the target's partition, or by what a trial of each measures;
/// a CPU that would get less than a radius has no part, and a CPU without a compiler neither, of
/// which the context is told. Throws BackendError if a GPU cannot begin.
PreparedStencil prepareTeam(const stencil::Stencil &stencil, const StencilMeans &means,
                            const ExecutionContext &context, const std::stop_token &stop);

/// The devices that a target names, when nobody else does: all GPUs, or these and the CPU.
std::vector<Device> teamOf(const stencil::Target &target, const ExecutionContext &context);

} // namespace gridhelm::data
