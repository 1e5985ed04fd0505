// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/drawing/repainter.h"
#include "ui/scene/scene.h"
#include "ui/viewer/picture_form.h"
#include "ui/viewer/shared_context.h"

#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkSmartPointer.h>

#include <QImage>
#include <QRectF>
#include <QString>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::ui {

/// In pixels of the screen.
struct CanvasSize
{
    int width = 0, height = 0, dpi = 72;

    bool isEmpty() const { return width <= 0 || height <= 0; }
};

/// What a drawing has come to.
struct Drawing
{
    QImage image;
    QRectF field; ///< what of it the field has, y downwards, in pixels
    /// From the mesh (x, y, z, 1) to -1 .. 1 across `field`, y upwards, row by row.
    std::array<double, 16> toField{};
    /// The product with (x, y, z, 1) is positive behind the eye.
    std::array<double, 4> behind{};
    bool isCoarse = false;     ///< it could be drawn better
    bool couldBeReady = false; ///< see Repainter
    bool hasNoOpenGl = false;
    QString problem; ///< why there is no image: a sentence
    double seconds = 0;
};

/// A scene, and the memory into which it is drawn. One thread at a time uses it: drawing is for the
/// thread of the SharedContext, and so is the end; scene() is anybody's while nothing is drawn.
class Canvas
{
public:
    explicit Canvas(SharedContext &context);
    ~Canvas();
    Canvas(const Canvas &) = delete;
    Canvas &operator=(const Canvas &) = delete;

    Scene &scene() { return m_scene; }
    const Scene &scene() const { return m_scene; }
    /// See Repainter::painted().
    std::uint64_t repainted() const { return m_repainted.load(); }

    // By the thread that draws:

    /// Where things are in that size.
    void layOut(const CanvasSize &size);
    Drawing draw(const CanvasSize &size, Pace pace);
    /// To be kept: as well as it gets. Everything is where it is in the window again afterwards.
    Drawing drawPicture(const PictureForm &form, const CanvasSize &inWindow);
    /// Gives back all memory that the next drawing would not need.
    void forget();
    /// The next step of what makes later pictures quick; what draw() gives it.
    bool getReady();

private:
    bool makeCurrent(const CanvasSize &size);
    void drawThroughOpenGl(std::span<std::uint32_t> pixels, int width);
    void requireOpenGlFor(const CanvasSize &size);
    void drawOpaque(std::span<std::uint32_t> pixels);
    template <typename Draw>
    Drawing measured(const CanvasSize &size, Draw draw);
    void describe(Drawing &drawing, const CanvasSize &size);

    SharedContext &m_context;
    Scene m_scene;
    vtkSmartPointer<vtkGenericOpenGLRenderWindow> m_window;
    std::vector<std::uint32_t> m_lines; ///< as OpenGL gives them
    QImage m_image;                     ///< the last one
    Repainter m_repainter;
    std::atomic<std::uint64_t> m_repainted = 0;
};

} // namespace gridhelm::ui
