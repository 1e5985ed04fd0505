// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/canvas.h"

#include "ui/scene/drawing/transparency.h"
#include "ui/viewer/elapsed.h"

#include <vtkCamera.h>
#include <vtkMatrix4x4.h>
#include <vtkOpenGLFramebufferObject.h>

#include <QOpenGLFunctions>

#include <algorithm>
#include <exception>

namespace gridhelm::ui {
namespace {

/// Without padding: lines of 32-bit pixels.
std::span<std::uint32_t> pixelsIn(QImage &image)
{
    return {reinterpret_cast<std::uint32_t *>(image.bits()),
            static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height())};
}

} // namespace

Canvas::Canvas(SharedContext &context)
    : m_context(context)
    , m_window(context.makeWindow())
    , m_repainter(m_scene, [this](std::span<std::uint32_t> pixels) { drawOpaque(pixels); })
{
    m_scene.addTo(*m_window);
}

Canvas::~Canvas()
{
    m_context.finish(*m_window);
}

bool Canvas::makeCurrent(const CanvasSize &size)
{
    if (!m_context.makeCurrent())
        return false;
    if (!m_window->GetReadyForRendering()) {
        m_window->SetReadyForRendering(true);
        m_window->OpenGLInitContext();
    }
    m_window->SetDPI(size.dpi);
    m_window->SetSize(size.width, size.height);
    return true;
}

void Canvas::layOut(const CanvasSize &size)
{
    if (size.isEmpty() || !makeCurrent(size))
        return;
    try {
        m_scene.prepare(size.width, size.height, size.dpi);
    } catch (const std::exception &) {
        // The next drawing says what is wrong.
    }
}

template <typename Draw>
Drawing Canvas::measured(const CanvasSize &size, Draw draw)
{
    QElapsedTimer clock;
    clock.start();
    Drawing drawing;
    if (size.isEmpty())
        return drawing;
    if (!makeCurrent(size)) {
        drawing.hasNoOpenGl = true;
        return drawing;
    }
    try {
        drawing.image = draw();
        describe(drawing, size);
    } catch (const std::exception &problem) {
        drawing.problem = QString::fromUtf8(problem.what());
    }
    drawing.seconds = secondsOn(clock);
    return drawing;
}

Drawing Canvas::draw(const CanvasSize &size, Pace pace)
{
    return measured(size, [&] {
        const auto [width, height, dpi] = size;
        if (m_image.size() != QSize(width, height))
            m_image = QImage(width, height, QImage::Format_RGB32);
        m_scene.setPace(pace);
        m_repainter.paint(width, height, dpi, pixelsIn(m_image));
        m_repainted = m_repainter.painted();
        return m_image.copy(); // the next one is painted over this one
    });
}

Drawing Canvas::drawTransparent(const CanvasSize &size)
{
    return measured(size, [&] {
        m_scene.setBackground(black); // of no opacity: what is blended over it comes premultiplied
        m_scene.setPace(Pace::full);
        m_scene.prepare(size.width, size.height, size.dpi);
        QImage picture(size.width, size.height, QImage::Format_ARGB32_Premultiplied);
        picture.fill(Qt::transparent);
        if (!picture.isNull())
            drawThroughOpenGl(pixelsIn(picture), size.width);
        m_scene.setBackground(std::nullopt);
        return picture;
    });
}

void Canvas::forget()
{
    m_context.finish(*m_window);
    m_repainter.forget();
    m_image = {};
    m_lines = {};
}

bool Canvas::getReady()
{
    if (!m_image.isNull() && m_context.makeCurrent())
        m_repainter.getReady(pixelsIn(m_image));
    return m_repainter.couldBeReady();
}

/// What one wants to know of the picture without asking the scene, that is being drawn again.
void Canvas::describe(Drawing &drawing, const CanvasSize &size)
{
    auto &renderer = *m_scene.fieldRenderer();
    double ends[4];
    renderer.GetViewport(ends);
    drawing.field = QRectF(ends[0] * size.width, (1 - ends[3]) * size.height,
                           (ends[2] - ends[0]) * size.width, (ends[3] - ends[1]) * size.height);
    auto &camera = *renderer.GetActiveCamera();
    const auto *toField =
        camera.GetCompositeProjectionTransformMatrix(renderer.GetTiledAspectRatio(), -1, 1);
    std::copy_n(toField->GetData(), drawing.toField.size(), drawing.toField.begin());
    std::copy_n(camera.GetViewTransformMatrix()->GetData() + 8, drawing.behind.size(),
                drawing.behind.begin());
    drawing.isCoarse = m_scene.isCoarse();
    drawing.couldBeReady = m_repainter.couldBeReady();
}

void Canvas::drawOpaque(std::span<std::uint32_t> pixels)
{
    drawThroughOpenGl(pixels, m_image.width());
    for (auto &pixel : pixels)
        pixel |= 0xff000000U;
}

/// Lines of `width` pixels, the topmost first.
void Canvas::drawThroughOpenGl(std::span<std::uint32_t> pixels, int width)
{
    m_window->Render();
    m_window->GetDisplayFramebuffer()->Bind(GL_READ_FRAMEBUFFER);
    m_window->GetDisplayFramebuffer()->ActivateReadBuffer(0);
    m_lines.resize(pixels.size());
    const auto length = static_cast<std::size_t>(width), height = pixels.size() / length;
    m_context.functions().glReadPixels(0, 0, width, static_cast<int>(height), GL_BGRA,
                                       GL_UNSIGNED_BYTE, m_lines.data());
    for (std::size_t row = 0; row < height; ++row) // OpenGL's first: the lowest
        std::copy_n(m_lines.data() + (height - 1 - row) * length, length,
                    pixels.data() + row * length);
}

} // namespace gridhelm::ui
