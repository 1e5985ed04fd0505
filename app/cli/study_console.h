// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the commands that work on studies have in common on the terminal.
#pragma once

#include "data/campaign/campaign_text.h"
#include "data/mesh/snapshot_reader.h"
#include "data/study/study_writer.h"

#include <filesystem>
#include <string>

namespace gridhelm::cli {

using data::countText;
using data::durationText;

/// As a shell reads it.
std::string shellText(const std::filesystem::path &path);

/// A sentence beside what went well, on stderr; nothing if it is empty.
void printNote(const std::string &sentence);

/// Opens a study for reading; what is to be known of how it was found is said on stderr.
data::Study openStudy(const std::filesystem::path &path);
/// Closes it; what cannot be brought into the one file is said on stderr.
void closeStudy(data::StudyWriter &writer);

/// Of VTK, where this program was built with it.
data::MeshFiles meshFiles();

} // namespace gridhelm::cli
