// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/picture.h"

#include "app/cli/output.h"
#include "core/support/error.h"

#include <fmt/format.h>
#include <png.h>

#include <cstring>

namespace gridhelm::cli {

void Picture::writePng(const std::filesystem::path &path) const
{
    static_assert(sizeof(Colour) == 3, "rows are handed to libpng as they are");
    OutputFile file(path);
    png_image image;
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(m_width);
    image.height = static_cast<png_uint_32>(m_height);
    image.format = PNG_FORMAT_RGB;
    if (!png_image_write_to_file(&image, file.temporaryPath().c_str(), 0, m_pixels.data(), 0,
                                 nullptr))
        throw Error(fmt::format("{} could not be written ({}): check that its folder has space",
                                path.string(), image.message));
    file.commit();
}

} // namespace gridhelm::cli
