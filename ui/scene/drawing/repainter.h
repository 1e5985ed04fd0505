// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/scene.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace gridhelm::ui {

/// Pictures of a scene, as pixels 0xffRRGGBB, row by row, the topmost first. Where only values, the
/// range of their colours and the caption are new, each pixel that shows the field is given its new
/// colour, which without a GPU takes a tenth of the time that OpenGL needs; else all is drawn.
///
/// How: the scene is drawn with black and with white faces. From both follows how much of a face's
/// colour a pixel has (light, lines over it, smooth edges); seenPixels() tells which values the
/// colour is made of. A picture that is made so is once compared with one that was drawn; where
/// they are not the same, everything is drawn as before.
///
/// One thread, that of the scene.
class Repainter
{
public:
    /// Draws the scene as it is, after Scene::prepare().
    using Draw = std::function<void(std::span<std::uint32_t> pixels)>;

    Repainter(Scene &scene, Draw draw);
    ~Repainter();
    Repainter(const Repainter &) = delete;
    Repainter &operator=(const Repainter &) = delete;

    /// The scene as it is now. `pixels` (width * height) is as the last call has left it, if the
    /// size is still the same. Lays the scene out and prepares it.
    void paint(int width, int height, int dpi, std::span<std::uint32_t> pixels);

    /// Whether the last picture was drawn, although the next ones may not have to be.
    bool couldBeReady() const;
    /// Does, when there is time for it, one of the few steps, each about as long as drawing, that
    /// are needed before pictures of this view can be painted. After paint(), which does one, too,
    /// with the pixels as it has left them, and with a scene that has not changed.
    void getReady(std::span<std::uint32_t> pixels);

    /// What it has of the last picture, which takes tens of megabytes: the next one is drawn.
    void forget();

    /// How many pictures were painted, and not drawn, so far.
    std::uint64_t painted() const { return m_painted; }

private:
    struct Picture;
    struct Preparation;

    void drawAll(std::span<std::uint32_t> pixels);
    void drawWith(Faces faces, std::span<std::uint32_t> pixels);
    std::unique_ptr<Picture> takePicture(Preparation &from, std::span<std::uint32_t> pixels);
    void repaint(Picture &picture, std::span<std::uint32_t> pixels);
    void redrawBar(Picture &picture, std::span<std::uint32_t> pixels);
    void paintCaption(Picture &picture, std::span<std::uint32_t> pixels);

    Scene &m_scene;
    Draw m_draw;
    std::optional<StillView> m_view; ///< of the last picture
    std::unique_ptr<Preparation> m_preparation;
    std::unique_ptr<Picture> m_picture; ///< of that view
    bool m_isHopeless = false;          ///< that view cannot be painted
    std::uint64_t m_painted = 0;
};

} // namespace gridhelm::ui
