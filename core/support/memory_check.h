// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace gridhelm {

/// Throws gridhelm::Error, with both numbers, when `bytes` are more than this machine has
/// available. `what` begins the sentence ("the grid of 12 points"), `remedy` ends it ("lower the
/// level"). Call before allocating: the operating system may promise memory that it does not have.
void requireMemory(double bytes, const std::string &what, const std::string &remedy);

} // namespace gridhelm
