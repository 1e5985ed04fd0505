// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace gridhelm {

/// Bytes in the alphabet of RFC 4648, section 4, padded, in one line.
std::string base64(std::string_view bytes);

} // namespace gridhelm
