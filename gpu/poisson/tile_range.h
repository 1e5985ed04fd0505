// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm::gpu {

/// Some tile rows (2D) or layers of tiles (3D) of a kernel: first .. end - 1.
struct TileRange
{
    int first = 0;
    int end = 0;
};

/// Rows (2D) or planes (3D) first .. end - 1 of the whole grid.
struct LayerRange
{
    int first = 0;
    int end = 0;
};

} // namespace gridhelm::gpu
