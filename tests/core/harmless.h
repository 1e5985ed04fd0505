// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringDecoder>

#include <algorithm>

namespace gridhelm::test {

/// Whether a terminal shows these bytes and obeys none of them: UTF-8 without control characters
/// but those `allowed`, and without what changes the order of letters or ends lines.
inline bool isHarmless(const QByteArray &bytes, const QString &allowed = "\n\t")
{
    QStringDecoder decoder(QStringDecoder::Utf8);
    const QString letters = decoder(bytes);
    return !decoder.hasError() && std::none_of(letters.begin(), letters.end(), [&](QChar c) {
        const auto code = c.unicode();
        const bool isControl = code < 0x20 || (code >= 0x7F && code < 0xA0)
                               || (code >= 0x2028 && code <= 0x202E)
                               || (code >= 0x2066 && code <= 0x2069);
        return isControl && !allowed.contains(c);
    });
}

} // namespace gridhelm::test
