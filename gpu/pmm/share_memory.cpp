// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/pmm/share_memory.h"

namespace gridhelm::gpu {

PmmParts::PmmParts(const std::array<std::size_t, 3> &n, const solvers::PmmSlabs &slabs,
                   std::size_t index, std::size_t valueBytes)
{
    const std::array<std::size_t, 3> bricks{bricksIn(n[0]), bricksIn(n[1]), bricksIn(n[2])};
    if (index < slabs.planes.size()) {
        const auto &slab = slabs.planes[index];
        const std::array<std::size_t, 3> first{0, 0, slab.begin / brickEdge};
        const std::array<std::size_t, 3> here{bricks[0], bricks[1], bricksIn(slab.size())};
        alongX = PmmPart{PmmLayout({n[0], n[1], slab.size()}, valueBytes), {0, 1, 2}, first, here};
        alongY = PmmPart{PmmLayout({n[1], n[0], slab.size()}, valueBytes), {1, 0, 2}, first, here};
    }
    if (index < slabs.rows.size()) {
        const auto &slab = slabs.rows[index];
        ofRows = PmmPart{PmmLayout({n[0], slab.size(), n[2]}, valueBytes),
                         {0, 1, 2},
                         {0, slab.begin / brickEdge, 0},
                         {bricks[0], bricksIn(slab.size()), bricks[2]}};
    }
}

} // namespace gridhelm::gpu
