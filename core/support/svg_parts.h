// SPDX-License-Identifier: GPL-3.0-or-later
//
// What pictures in SVG are put together from.
#pragma once

#include "core/support/html_text.h"

#include <fmt/format.h>

#include <string>

namespace gridhelm::svg {

inline std::string textAt(double x, double y, const char *anchor, const std::string &text,
                          const char *kind = "label")
{
    return fmt::format(
        "<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", kind, x, y,
        anchor, htmlText(text));
}

inline std::string head(double width, double height, const std::string &title)
{
    return fmt::format(
        "<svg role=\"img\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" xmlns=\"http://www.w3.org/2000/svg\">\n<title>{2}</title>\n",
        width, height, htmlText(title));
}

inline std::string line(double x1, double y1, double x2, double y2, const char *kind)
{
    return fmt::format(
        "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, x1,
        y1, x2, y2);
}

} // namespace gridhelm::svg
