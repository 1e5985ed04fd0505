// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fields as VTK's parallel image data: a file ".pvti" that names others, one for each rank.
#pragma once

#include "core/solvers/field_part.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace gridhelm::solvers {

/// Whether the name of a file asks for it.
bool isPieceIndex(const std::filesystem::path &path);

/// Where this rank's piece of it goes: FILE_0.vti beside FILE.pvti.
std::filesystem::path pathOfPiece(const std::filesystem::path &index, std::size_t rank);

/// Each rank writes its piece, FILE_0.vti and so on beside FILE.pvti, and the first one FILE.pvti
/// when all are there. Neighbouring pieces have the layer between them in common, as VTK wants it.
/// Each file appears whole or not at all; otherwise as saveField(). Collective. Throws
/// gridhelm::Error on all ranks if one of them cannot write.
void saveFieldPieces(const std::filesystem::path &path, const std::string &name,
                     const FieldPart &part, std::optional<int> layers = {});

} // namespace gridhelm::solvers
