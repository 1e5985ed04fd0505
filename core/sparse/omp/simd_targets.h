// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which SIMD instruction set the kernels use. Chosen at run time by the CPU; tests force the
// others to check them too.
#pragma once

#include <string>
#include <vector>

namespace gridhelm::sparse::omp {

/// Instruction sets compiled in and supported by this CPU, best first.
std::vector<std::string> availableSimdTargets();

/// The one in use.
std::string activeSimdTarget();

/// Throws gridhelm::Error for a name that availableSimdTargets() does not list. Not thread-safe.
void forceSimdTarget(const std::string &name);
void useBestSimdTarget();

} // namespace gridhelm::sparse::omp
