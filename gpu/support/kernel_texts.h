// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>
#include <vector>

namespace gridhelm::gpu {

/// The headers of kernels that are also compiled while the program runs, as they are in the
/// sources, by the names under which they include each other; and what they need of the standard
/// library.
const std::vector<std::pair<const char *, const char *>> &kernelTexts();

} // namespace gridhelm::gpu
