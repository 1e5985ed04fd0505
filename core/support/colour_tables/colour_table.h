// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace gridhelm::colour_tables {

/// 256 colours, evenly along a colour map and linear between them.
class ColourTable
{
public:
    static constexpr std::size_t size = 256;

    /// Six hexadecimal digits for each colour: red, green, blue.
    explicit constexpr ColourTable(std::string_view hexadecimal)
    {
        if (hexadecimal.size() != 6 * size)
            throw std::invalid_argument("a table of colours has 256 of them");
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            m_parts[i] = static_cast<std::uint8_t>(16 * digit(hexadecimal[2 * i])
                                                   + digit(hexadecimal[2 * i + 1]));
    }

    /// `x` in [0, 1].
    std::array<std::uint8_t, 3> at(double x) const
    {
        const double place = x * (size - 1);
        const auto below = std::min(static_cast<std::size_t>(place), size - 2);
        const double part = place - static_cast<double>(below);
        std::array<std::uint8_t, 3> colour;
        for (std::size_t c = 0; c < 3; ++c)
            colour[c] = static_cast<std::uint8_t>(
                std::lround(std::lerp(m_parts[3 * below + c], m_parts[3 * (below + 1) + c], part)));
        return colour;
    }

private:
    static constexpr int digit(char c)
    {
        if (c >= '0' && c <= '9')
            return c - '0';
        if (c >= 'a' && c <= 'f')
            return c - 'a' + 10;
        throw std::invalid_argument("this is no hexadecimal digit");
    }

    std::array<std::uint8_t, 3 * size> m_parts{};
};

} // namespace gridhelm::colour_tables
