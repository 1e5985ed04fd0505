// SPDX-License-Identifier: GPL-3.0-or-later
//
// The user's own colour maps: one of ParaView's files for each, in a folder of the program's data.
#pragma once

#include "core/support/custom_colour_map.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace gridhelm::ui {

QString colourMapFolder();

struct KeptColourMaps
{
    std::vector<SharedColourMap> maps; ///< by name
    QStringList problems;              ///< sentences, one for each file that cannot be read
};

KeptColourMaps readKeptColourMaps();

/// Replaces the one of this name. Throws gridhelm::Error if it cannot be written.
void keepColourMap(const CustomColourMap &map);
/// Nothing happens if there is none of this name. Throws gridhelm::Error if it stays.
void removeColourMap(const std::string &name);

} // namespace gridhelm::ui
