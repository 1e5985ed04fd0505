// SPDX-License-Identifier: GPL-3.0-or-later
//
// The mesh in the study's tables. Private to data.
#pragma once

#include "data/study/blob_codec.h"
#include "data/study/study_types.h"

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>

namespace gridhelm::data {

class StudyFile;

/// Into the empty tables `table` and mesh_parts, without the checksum of the first (sealRows).
void writeMesh(SQLite::Database &database, const std::string &table, const Mesh &mesh,
               BlobEncoder &encoder);

/// What the study says of its mesh, without its bytes.
std::optional<Mesh> readMeshHeader(const StudyFile &file);
/// Throws gridhelm::Error if it is damaged, or larger than what it describes can be.
std::optional<Mesh> readMesh(const StudyFile &file);

} // namespace gridhelm::data
