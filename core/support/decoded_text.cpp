// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/decoded_text.h"

#include "core/support/clean_text.h"
#include "core/support/error.h"

#include <fmt/format.h>
#include <iconv.h>

#include <algorithm>
#include <memory>

namespace gridhelm {
namespace {

std::string converted(std::string_view bytes, const char *encoding, const std::string &source)
{
    const std::unique_ptr<void, int (*)(iconv_t)> converter(iconv_open("UTF-8", encoding),
                                                            iconv_close);
    // A character of two bytes, or of one, becomes three at most.
    std::string text(3 * bytes.size() + 4, '\0');
    auto *in = const_cast<char *>(bytes.data()); // POSIX: iconv() does not write there
    auto *out = text.data();
    auto left = bytes.size(), room = text.size();
    if (iconv(converter.get(), &in, &left, &out, &room) == static_cast<std::size_t>(-1))
        throw Error(
            fmt::format("{} is no text in {}, nor in UTF-8: save it as UTF-8", source, encoding));
    text.resize(text.size() - room);
    return text;
}

} // namespace

DecodedText decodedText(std::string_view bytes, const std::string &source)
{
    DecodedText decoded;
    if (bytes.starts_with("\xFF\xFE"))
        decoded = {converted(bytes.substr(2), "UTF-16LE", source), "UTF-16"};
    else if (bytes.starts_with("\xFE\xFF"))
        decoded = {converted(bytes.substr(2), "UTF-16BE", source), "UTF-16"};
    else if (bytes.starts_with("\xEF\xBB\xBF"))
        decoded.text = bytes.substr(3);
    else
        decoded.text = bytes;
    if (const auto zero = decoded.text.find('\0'); zero != std::string::npos)
        throw Error(fmt::format(
            "{}, line {} holds a zero byte, so it is no text, or cut off: save it as text in UTF-8",
            source,
            1
                + std::count(decoded.text.begin(),
                             decoded.text.begin() + static_cast<std::ptrdiff_t>(zero), '\n')));
    if (decoded.encoding.empty() && validUtf8(decoded.text) != decoded.text)
        decoded = {converted(decoded.text, "WINDOWS-1252", source), "Windows-1252"};
    return decoded;
}

} // namespace gridhelm
