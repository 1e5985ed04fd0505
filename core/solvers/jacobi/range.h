// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace gridhelm::solvers::jacobi {

/// Rows or columns begin .. end - 1.
struct Range
{
    std::ptrdiff_t begin = 0;
    std::ptrdiff_t end = 0;

    std::size_t size() const { return static_cast<std::size_t>(end - begin); }
};

/// Part `index` of `parts` nearly equal ones of 0 .. size - 1.
inline Range part(std::ptrdiff_t size, std::ptrdiff_t index, std::ptrdiff_t parts)
{
    return {size * index / parts, size * (index + 1) / parts};
}

} // namespace gridhelm::solvers::jacobi
