// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace gridhelm::ui {
namespace {

constexpr auto key = "recent files";
constexpr int most = 10;

} // namespace

QStringList recentFiles()
{
    QStringList there;
    for (const auto &path : QSettings().value(key).toStringList()) {
        if (QFileInfo::exists(path))
            there << path;
    }
    return there;
}

void addRecentFile(const QString &path)
{
    auto paths = QSettings().value(key).toStringList();
    const auto absolute = QFileInfo(path).absoluteFilePath();
    paths.removeAll(absolute);
    paths.prepend(absolute);
    QSettings().setValue(key, paths.mid(0, most));
}

} // namespace gridhelm::ui
