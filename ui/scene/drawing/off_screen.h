// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/colour_map.h"
#include "ui/scene/drawing/transparency.h"
#include "ui/scene/scene.h"

#include <memory>
#include <vector>

namespace gridhelm::ui {

struct Image
{
    int width = 0;
    int height = 0;
    std::vector<Colour> pixels; ///< row by row, the topmost first

    const Colour &at(int column, int row) const
    {
        return pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(width)
                      + static_cast<std::size_t>(column)];
    }
};

/// The same without a background.
struct TransparentImage
{
    int width = 0;
    int height = 0;
    std::vector<TransparentColour> pixels;
};

/// Pictures have at least and at most so many pixels in each direction.
constexpr int smallestImage = 64;
constexpr int largestImage = 8192;

/// Draws a scene without a window on the screen. On the main thread (see Display).
class OffScreenWindow
{
public:
    /// `scene` must outlive it. Throws gridhelm::Error for sizes out of range, and where nothing
    /// can be drawn.
    OffScreenWindow(Scene &scene, int width, int height);
    ~OffScreenWindow();
    OffScreenWindow(const OffScreenWindow &) = delete;
    OffScreenWindow &operator=(const OffScreenWindow &) = delete;

    /// The scene as it is now. Throws gridhelm::Error if it could not be drawn. samples: of a
    /// pixel, for smooth edges; 0: none.
    Image draw(int samples = 4);
    TransparentImage drawTransparent();

    /// What draws: "llvmpipe (LLVM 15.0.6, 256 bits)". After draw().
    std::string drawnBy() const;

private:
    class Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace gridhelm::ui
