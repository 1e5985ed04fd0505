// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace gridhelm {

struct DecodedText
{
    std::string text;     ///< UTF-8, without a byte order mark
    std::string encoding; ///< "UTF-16"; empty: it was UTF-8
};

/// UTF-8, UTF-16 with a byte order mark, or else Windows-1252, as spreadsheets write them. Throws
/// gridhelm::Error, which begins with `source`, if it is no text: zero bytes, half a character.
DecodedText decodedText(std::string_view bytes, const std::string &source);

} // namespace gridhelm
