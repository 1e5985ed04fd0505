// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/snapshot_reader.h"

namespace gridhelm::data {

/// Reads whatever VTK reads. Its fitters take a snapshot whose mesh is the study's up to round-off;
/// any other is resampled, or refused, naming the difference.
MeshFiles meshFilesThroughVtk();

} // namespace gridhelm::data
