// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"

#include <memory>

namespace gridhelm::sparse {

/// A device (or several) with a slower helper: the CPU beside GPUs. Both have all coefficients;
/// what is evaluated is divided so that they end together, see LearntSplit and PortionQueue, and
/// the first one does all of it where that is faster. So the values are those of either, and agree
/// with those of one alone to round-off. Hierarchization is the first one's (several: theirs).
/// Events and fallbacks are those of `context`.
std::unique_ptr<Backend> makeAssistedBackend(std::shared_ptr<const Backend> first,
                                             std::shared_ptr<const Backend> helper,
                                             const ExecutionContext &context);

} // namespace gridhelm::sparse
