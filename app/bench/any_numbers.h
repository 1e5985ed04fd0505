// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm::bench {

/// From 0 to below 1, always the same ones, and quick to make.
inline std::vector<float> anyNumbers(std::size_t count)
{
    std::vector<float> values(count);
    std::uint32_t state = 1;
    for (float &value : values) {
        state = state * 1664525U + 1013904223U;
        value = static_cast<float>(state >> 8) * 0x1p-24F;
    }
    return values;
}

} // namespace gridhelm::bench
