// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kinds of pictures there are. To add one: write a file like pictures/surface.cpp that defines
// its PictureKind, and enter it here, three times. The window, saved views and the command line
// know it by what it says of itself.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gridhelm::ui {

struct PictureKind;

enum class ViewKind : std::uint8_t { slice, contour, surface, glyphs, streamlines, volume };

extern const PictureKind sliceKind, contourKind, surfaceKind, glyphsKind, streamlinesKind,
    volumeKind;

/// In the order of ViewKind, which is that of menus and of their keys.
inline constexpr std::array pictureKinds{&sliceKind,  &contourKind,     &surfaceKind,
                                         &glyphsKind, &streamlinesKind, &volumeKind};

inline constexpr auto allViewKinds = [] {
    std::array<ViewKind, pictureKinds.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = static_cast<ViewKind>(i);
    return all;
}();

inline const PictureKind &kindOf(ViewKind kind)
{
    return *pictureKinds[static_cast<std::size_t>(kind)];
}

/// "slice", "contour" ...
std::string_view toString(ViewKind kind);
/// Throws gridhelm::Error, with the names there are.
ViewKind parseViewKind(std::string_view name);

} // namespace gridhelm::ui
