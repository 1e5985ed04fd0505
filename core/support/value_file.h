// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files of numbers, text or binary.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gridhelm {

/// All of a text file ("-" reads stdin). Throws gridhelm::Error if it cannot be read, or is larger
/// than 1 GiB.
std::string readText(const std::string &path);

/// Exactly `count` finite values: raw little-endian float64 if the name ends in ".f64", otherwise
/// text with one number a line ("-" reads stdin). Throws Error naming what is wrong where; `remedy`
/// ends the sentence if there are too many or too few.
std::vector<double> readValues(const std::string &path, std::uint64_t count,
                               const std::string &remedy);

} // namespace gridhelm
