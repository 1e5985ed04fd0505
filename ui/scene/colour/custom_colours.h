// SPDX-License-Identifier: GPL-3.0-or-later
//
// Colour maps of users, and ParaView's files with them (its Color Map Editor writes them: a JSON
// list of objects with Name, ColorSpace and RGBPoints, or IndexedColors for those that tell things
// apart).
#pragma once

#include "core/support/custom_colour_map.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::ui {

/// The places may be any numbers that do not descend: they are spread over [0, 1]. Throws
/// gridhelm::Error for a name that is empty or more than a line, for fewer than two nodes, too
/// many, or places that make no sense.
SharedColourMap makeColourMap(std::string name, ColourSpace space,
                              std::vector<CustomColourMap::Node> nodes);

/// Of such a file's text; throws gridhelm::Error, which says what is wrong, without the file's
/// name.
std::vector<SharedColourMap> parseColourMaps(std::string_view json);
/// The same, of a file of at most 4 MB; the error has its name.
std::vector<SharedColourMap> readColourMaps(const std::filesystem::path &file);
/// The only one of a file, or the one with the name; throws gridhelm::Error with the names there
/// are.
SharedColourMap readColourMap(const std::filesystem::path &file, std::string_view name = {});

/// As ParaView reads it.
std::string colourMapToJson(const CustomColourMap &map);

/// To begin with when one that is built in is edited: as close as so many places come.
std::vector<CustomColourMap::Node> nodesLike(ColourMap map);

/// "RGB", "HSV", "Lab", "CIEDE2000", "Diverging", "Step": ParaView's names, in the order of the
/// enumeration.
const std::vector<std::string> &colourSpaceNames();

} // namespace gridhelm::ui
