// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm {

/// Values without order from low to just below high, the same ones at every call: what speed is
/// measured with.
template <typename T>
void fillPseudoRandomly(std::span<T> values, T low, T high)
{
    std::uint32_t state = 1;
    for (T &value : values) {
        state =
            state * 1664525U + 1013904223U; // a linear congruence; its high bits are good enough
        value = low + (high - low) * static_cast<T>(static_cast<double>(state >> 8) * 0x1p-24);
    }
}

/// So many of them.
template <typename T>
std::vector<T> pseudoRandomValues(std::size_t count, T low, T high)
{
    std::vector<T> values(count);
    fillPseudoRandomly<T>(values, low, high);
    return values;
}

} // namespace gridhelm
