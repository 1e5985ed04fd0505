// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/canvas.h"

#include "core/support/error.h"
#include "ui/scene/drawing/transparency.h"
#include "ui/viewer/elapsed.h"

#include <vtkCamera.h>
#include <vtkMatrix4x4.h>
#include <vtkOpenGLFramebufferObject.h>

#include <QOpenGLFunctions>
#include <QScopeGuard>

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>

namespace gridhelm::ui {
namespace {

/// Without padding: lines of 32-bit pixels.
std::span<std::uint32_t> pixelsIn(QImage &image)
{
    return {reinterpret_cast<std::uint32_t *>(image.bits()),
            static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height())};
}

void makeOpaque(std::span<std::uint32_t> pixels)
{
    for (auto &pixel : pixels)
        pixel |= 0xff000000U;
}

/// Text is as large in proportion as it is in the window; in a small picture, legible.
CanvasSize canvasFor(const PictureForm &form, const CanvasSize &inWindow)
{
    if (form.size.isEmpty())
        return inWindow;
    const double inPoints =
        std::min(inWindow.width, inWindow.height) * 72.0 / std::max(inWindow.dpi, 1);
    const double pixelsOfPoint =
        std::min(form.size.width(), form.size.height()) / std::max(inPoints, 1.0);
    return {form.size.width(), form.size.height(),
            static_cast<int>(std::lround(72 * std::max(pixelsOfPoint, 1.0)))};
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

Drawing Canvas::drawPicture(const PictureForm &form, const CanvasSize &inWindow)
{
    const auto size = canvasFor(form, inWindow);
    auto drawing = measured(size, [&] {
        requireOpenGlFor(size);
        QImage picture(size.width, size.height,
                       form.isTransparent ? QImage::Format_ARGB32_Premultiplied
                                          : QImage::Format_RGB32);
        if (picture.isNull())
            throw Error("there is no memory for the picture; choose a smaller one");
        const auto restore = qScopeGuard([this] { m_scene.setBackground(std::nullopt); });
        if (form.isTransparent)
            m_scene.setBackground(black); // of no opacity: what is blended over it comes
                                          // premultiplied
        m_scene.setPace(Pace::full);
        m_scene.prepare(size.width, size.height, size.dpi);
        drawThroughOpenGl(pixelsIn(picture), size.width);
        if (m_context.functions().glGetError() == GL_OUT_OF_MEMORY)
            throw Error("OpenGL has no memory for the picture; choose a smaller one");
        if (!form.isTransparent)
            makeOpaque(pixelsIn(picture));
        return picture;
    });
    m_lines = {}; // of a size of its own
    layOut(inWindow);
    return drawing;
}

void Canvas::requireOpenGlFor(const CanvasSize &size)
{
    auto &functions = m_context.functions();
    GLint most = largestPicture, sides[2] = {most, most}, texture = most;
    functions.glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
    functions.glGetIntegerv(GL_MAX_VIEWPORT_DIMS, sides);
    functions.glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture);
    most = std::min({most, sides[0], sides[1], texture});
    if (std::max(size.width, size.height) > most)
        throw Error("this machine's OpenGL draws pictures of at most " + std::to_string(most)
                    + " pixels in each direction; choose a smaller one");
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
    makeOpaque(pixels);
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
