// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

namespace gridhelm::test {

/// Why a file (SVG, PDF) is no picture of lines alone; empty if it is.
inline QString problemOfVectors(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return path + " is not there";
    const auto text = file.readAll();
    const bool isSvg = path.endsWith(".svg");
    if (!(isSvg ? text.contains("<svg") && text.contains("</svg>") && text.contains("<text")
                : text.startsWith("%PDF") && text.contains("%%EOF")))
        return path + " is not whole";
    if (isSvg && text.count("<p") < 10) // path, polyline
        return path + " has no lines";
    return text.contains(isSvg ? "<image" : "/Subtype /Image") ? path + " has pixels" : QString();
}

} // namespace gridhelm::test
