// SPDX-License-Identifier: GPL-3.0-or-later
//
// What pages in HTML have in common: one file that loads nothing, with the colours
// that the plots of core/support/svg_plots.h take, light and dark.
#pragma once

#include <string>
#include <string_view>

namespace gridhelm {

/// Up to the first element of the body. `generator`: the command that made it, by which
/// isPageOf() knows its pages again. Both are escaped here. `scriptSource`: as a
/// Content-Security-Policy names what may run, "'sha256-...'"; empty: nothing may.
std::string htmlPageHead(std::string_view title, std::string_view generator,
                         std::string_view scriptSource = {});
inline constexpr std::string_view htmlPageEnd = "</body>\n</html>\n";

/// A whole page inside of another one, of this height, with an origin of its own: nothing of either
/// reaches the other. What it runs must be among the other's scriptSource.
std::string framedPage(std::string_view page, std::string_view title, int height);

/// Whether a file, whatever it is, begins as a page of that command; false if it cannot be read.
bool isPageOf(const std::string &path, std::string_view generator);

} // namespace gridhelm
