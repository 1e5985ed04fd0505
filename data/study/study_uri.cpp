// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/study_uri.h"

namespace gridhelm::data {

std::string uriOf(const std::filesystem::path &path, const std::string &options)
{
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string uri = "file:";
    for (char c : std::filesystem::absolute(path).string()) {
        if (c == '%' || c == '?' || c == '#') {
            uri += '%';
            uri += digits[static_cast<unsigned char>(c) / 16];
            uri += digits[static_cast<unsigned char>(c) % 16];
        } else {
            uri += c;
        }
    }
    return uri + "?" + options;
}

} // namespace gridhelm::data
