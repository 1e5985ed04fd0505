// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/html_text.h"

#include "core/support/clean_text.h"

namespace gridhelm {

std::string htmlText(std::string_view text)
{
    std::string escaped;
    for (const char letter : cleanLine(text)) {
        switch (letter) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        case '\'':
            escaped += "&#39;";
            break;
        default:
            escaped += letter;
        }
    }
    return escaped;
}

} // namespace gridhelm
