// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/colour_map.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::cli {

/// An RGB picture; row 0 is at the top.
class Picture
{
public:
    Picture(std::size_t width, std::size_t height, Colour background)
        : m_width(width)
        , m_height(height)
        , m_pixels(width * height, background)
    {
    }

    std::size_t width() const { return m_width; }
    std::size_t height() const { return m_height; }
    Colour &at(std::size_t column, std::size_t row) { return m_pixels[row * m_width + column]; }

    /// Throws Error when it cannot be written; `path` is complete or untouched.
    void writePng(const std::filesystem::path &path) const;
    /// The same file as bytes.
    std::string png() const;

private:
    std::size_t m_width;
    std::size_t m_height;
    std::vector<Colour> m_pixels;
};

/// Red, green, blue and opacity of each pixel, row by row from the top. As Picture::writePng().
void writeTransparentPng(const std::filesystem::path &path, int width, int height,
                         std::span<const std::array<std::uint8_t, 4>> pixels);

} // namespace gridhelm::cli
