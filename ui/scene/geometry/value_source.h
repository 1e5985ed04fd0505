// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkType.h>

#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::ui {

/// Of a vertex (or a cell) of a surface that is drawn: where its value comes from among those of
/// the mesh.
struct ValueSource
{
    std::uint32_t first = 0, second = 0;
    float ofSecond = 0; ///< in [0, 1]; what is missing to 1 is of `first`
};

/// Of a surface whose vertices (or cells) are some of the mesh.
std::vector<ValueSource> sourcesAt(std::span<const vtkIdType> ids);

} // namespace gridhelm::ui
