// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace gridhelm {

/// Of files, in powers of 1000: "1.5 MB".
std::string bytesText(double bytes);
/// Of memory, in powers of 1024: "1.5 GiB".
std::string memoryText(double bytes);

} // namespace gridhelm
