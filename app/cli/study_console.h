// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the commands that work on studies have in common on the terminal.
#pragma once

#include "data/campaign/campaign_text.h"
#include "data/campaign/snapshot_reader.h"

#include <filesystem>
#include <string>

namespace gridhelm::cli {

using data::bytesText;
using data::countText;
using data::durationText;

/// As a shell reads it.
std::string shellText(const std::filesystem::path &path);

/// A sentence beside what went well, on stderr; nothing if it is empty.
void printNote(const std::string &sentence);

/// Of VTK, where this program was built with it.
data::MeshFiles meshFiles();

} // namespace gridhelm::cli
