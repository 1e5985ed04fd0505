// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the commands that work on studies have in common on the terminal.
#pragma once

#include "data/campaign/campaign_text.h"
#include "data/campaign/snapshot_reader.h"
#include "data/study/study_writer.h"

#include <filesystem>
#include <string>

namespace gridhelm::cli {

using data::bytesText;
using data::countText;
using data::durationText;

/// As a shell reads it.
std::string shellText(const std::filesystem::path &path);

/// Opens a study for reading; what is to be known of how it was found is said on stderr.
data::Study openStudy(const std::filesystem::path &path);
/// Closes it; what cannot be brought into the one file is said on stderr.
void closeStudy(data::StudyWriter &writer);

/// Of VTK, where this program was built with it.
data::MeshFiles meshFiles();

/// Throws gridhelm::Error if fields cannot be evaluated on the study's mesh: it is decoded where
/// this program was built with VTK, and compared with the fields everywhere.
void requireUsableMesh(const data::Study &study);

} // namespace gridhelm::cli
