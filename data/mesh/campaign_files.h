// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/mesh/snapshot_reader.h"

namespace gridhelm::data {

/// Reads whatever VTK reads. Its fitters take a snapshot whose mesh is the study's up to round-off;
/// any other is brought onto it as MeshHandling says, or refused, naming the difference. What they
/// notice of it stands in the snapshot's notes.
MeshFiles meshFilesThroughVtk();

} // namespace gridhelm::data
