// SPDX-License-Identifier: GPL-3.0-or-later
//
// Hierarchization, and back, in parts that do not touch each other.
#pragma once

#include <cstdint>
#include <vector>

namespace gridhelm::sparse {

enum class Transform { hierarchize, dehierarchize };

/// Some dimensions of a grid's transform, in their order, for some of its blocks.
struct TransformPart
{
    Transform transform = Transform::hierarchize;
    int firstDimension = 0, endDimension = 0; ///< first .. end - 1; back from the last one on
    /// Ascending; with each block all those that differ from it in levels of these dimensions only.
    std::vector<std::uint32_t> blocks;
};

} // namespace gridhelm::sparse
