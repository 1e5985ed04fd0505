// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace gridhelm {

/// As text, or the value of an attribute, of a page in HTML or a picture in SVG: & < > " ' are
/// spelled out, and so is what core/support/clean_text.h spells out.
std::string htmlText(std::string_view text);

} // namespace gridhelm
