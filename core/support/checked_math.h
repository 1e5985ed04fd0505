// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/error.h"

#include <cstdint>
#include <string>
#include <utility>

namespace gridhelm {

/// a + b; throws Error if the sum does not fit into 64 bits.
constexpr std::uint64_t checkedAdd(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum))
        throw Error("the size does not fit into 64 bits (a sum overflowed); ask for less");
    return sum;
}

/// a * b; throws Error if the product does not fit into 64 bits.
constexpr std::uint64_t checkedMultiply(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product))
        throw Error("the size does not fit into 64 bits (a product overflowed); ask for less");
    return product;
}

/// `value` as a smaller type. Throws Error if it does not fit.
template <typename To, typename From>
constexpr To narrow(From value)
{
    if (!std::in_range<To>(value))
        throw Error("a number does not fit into its " + std::to_string(8 * sizeof(To))
                    + " bits: the grid is too large");
    return static_cast<To>(value);
}

} // namespace gridhelm
