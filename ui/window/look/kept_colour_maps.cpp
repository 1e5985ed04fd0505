// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/look/kept_colour_maps.h"

#include "core/support/error.h"
#include "ui/scene/colour/custom_colours.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QStandardPaths>

#include <algorithm>

namespace gridhelm::ui {
namespace {

/// A name may have letters that no file system takes, or more of them.
QString fileOf(const std::string &name)
{
    const auto hash = QCryptographicHash::hash(
        QByteArrayView(name.data(), static_cast<qsizetype>(name.size())), QCryptographicHash::Sha1);
    return QDir(colourMapFolder()).filePath(QString::fromLatin1(hash.toHex()) + ".json");
}

} // namespace

QString colourMapFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/colour-maps";
}

KeptColourMaps readKeptColourMaps()
{
    KeptColourMaps kept;
    const QDir folder(colourMapFolder());
    for (const auto &file : folder.entryList({"*.json"}, QDir::Files, QDir::Name)) {
        try {
            for (auto &map : readColourMaps(folder.filePath(file).toStdString()))
                kept.maps.push_back(std::move(map));
        } catch (const Error &problem) {
            kept.problems << QString::fromStdString(problem.what());
        }
    }
    std::ranges::stable_sort(kept.maps, {}, [](const auto &map) { return map->name; });
    return kept;
}

void keepColourMap(const CustomColourMap &map)
{
    QDir().mkpath(colourMapFolder());
    QSaveFile file(fileOf(map.name));
    const auto text = colourMapToJson(map);
    if (!file.open(QIODevice::WriteOnly)
        || file.write(text.data(), static_cast<qint64>(text.size())) < 0 || !file.commit())
        throw Error("the colour map cannot be kept in " + colourMapFolder().toStdString() + ": "
                    + file.errorString().toStdString());
}

void removeColourMap(const std::string &name)
{
    QFile file(fileOf(name));
    if (file.exists() && !file.remove())
        throw Error("the colour map cannot be deleted in " + colourMapFolder().toStdString() + ": "
                    + file.errorString().toStdString());
}

} // namespace gridhelm::ui
