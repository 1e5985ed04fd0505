// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/picture.h"

#include "app/cli/output.h"
#include "core/support/error.h"

#include <fmt/format.h>
#include <png.h>

#include <cstring>

namespace gridhelm::cli {

namespace {

png_image imageOf(std::size_t width, std::size_t height, unsigned format)
{
    png_image image;
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = format;
    return image;
}

void write(const std::filesystem::path &path, std::size_t width, std::size_t height,
           unsigned format, const void *pixels)
{
    OutputFile file(path);
    auto image = imageOf(width, height, format);
    if (!png_image_write_to_file(&image, file.temporaryPath().c_str(), 0, pixels, 0, nullptr))
        throw Error(fmt::format("{} could not be written ({}): check that its folder has space",
                                path.string(), image.message));
    file.commit();
}

} // namespace

void Picture::writePng(const std::filesystem::path &path) const
{
    static_assert(sizeof(Colour) == 3, "rows are handed to libpng as they are");
    write(path, m_width, m_height, PNG_FORMAT_RGB, m_pixels.data());
}

std::string Picture::png() const
{
    auto image = imageOf(m_width, m_height, PNG_FORMAT_RGB);
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image); // then what it really is
    std::string bytes(size, '\0');
    if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, m_pixels.data(), 0, nullptr))
        throw Error(
            fmt::format("a picture could not be encoded ({}): free some memory", image.message));
    bytes.resize(size);
    return bytes;
}

void writeTransparentPng(const std::filesystem::path &path, int width, int height,
                         std::span<const std::array<std::uint8_t, 4>> pixels)
{
    write(path, static_cast<std::size_t>(width), static_cast<std::size_t>(height), PNG_FORMAT_RGBA,
          pixels.data());
}

} // namespace gridhelm::cli
