// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/drawing/off_screen.h"

#include "core/support/error.h"
#include "data/mesh/vtk_messages.h"
#include "ui/scene/drawing/display.h"
#include "ui/scene/drawing/opengl_renderer.h"

#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkUnsignedCharArray.h>

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::ui {
namespace {

void requireSize(int width, int height)
{
    for (const int side : {width, height})
        if (side < smallestImage || side > largestImage)
            throw Error(fmt::format("a picture of {} x {} pixels cannot be drawn; each side must "
                                    "have {} to {}",
                                    width, height, smallestImage, largestImage));
}

} // namespace

class OffScreenWindow::Parts
{
public:
    Parts(Scene &drawnScene, int wantedWidth, int wantedHeight)
        : scene(drawnScene)
        , width(wantedWidth)
        , height(wantedHeight)
    {
        window->SetDisplayId(display.handle());
        window->SetShowWindow(false);
        window->SetOffScreenRendering(1);
        window->SetAlphaBitPlanes(1);
        window->SetDPI(72);
        window->SetSize(width, height);
        scene.addTo(*window);
    }
    ~Parts()
    {
        const data::VtkMessages quiet;
        scene.removeFrom(*window);
        window->Finalize();
    }

    Scene &scene;
    int width, height;
    Display display; ///< must outlive the window
    vtkNew<vtkRenderWindow> window;
};

OffScreenWindow::OffScreenWindow(Scene &scene, int width, int height)
{
    requireSize(width, height);
    m_parts = std::make_unique<Parts>(scene, width, height);
}

OffScreenWindow::~OffScreenWindow() = default;

Image OffScreenWindow::draw(int samples)
{
    const data::VtkMessages messages;
    auto &window = *m_parts->window;
    m_parts->scene.prepare(m_parts->width, m_parts->height);
    window.SetMultiSamples(samples);
    window.Render();
    Image image{m_parts->width, m_parts->height, {}};
    vtkNew<vtkUnsignedCharArray> bytes;
    const bool taken =
        window.GetPixelData(0, 0, image.width - 1, image.height - 1, 0, bytes) == VTK_OK;
    const auto pixels =
        static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
    if (const auto error = messages.firstError(); !error.empty())
        throw Error("the picture could not be drawn (" + error
                    + "); try another kind of view, or without DISPLAY");
    if (!taken || static_cast<std::size_t>(bytes->GetNumberOfValues()) != 3 * pixels)
        throw Error("the picture could not be drawn (it is empty); try a smaller one, or without "
                    "DISPLAY");
    image.pixels.resize(pixels);
    for (int row = 0; row < image.height; ++row) { // VTK's first row is the lowest
        const unsigned char *from =
            bytes->GetPointer(3 * static_cast<vtkIdType>(image.height - 1 - row) * image.width);
        for (int column = 0; column < image.width; ++column, from += 3)
            image.pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width)
                         + static_cast<std::size_t>(column)] = {from[0], from[1], from[2]};
    }
    const bool uniform = std::all_of(image.pixels.begin(), image.pixels.end(),
                                     [&](const Colour &c) { return c == image.pixels.front(); });
    if (uniform) // the bar of colours is in every picture
        throw Error("the picture could not be drawn (it is of one colour); try without DISPLAY");
    return image;
}

TransparentImage OffScreenWindow::drawTransparent()
{
    auto &scene = m_parts->scene;
    const auto drawOn = [&](const Colour &background) {
        scene.setBackground(background);
        return draw();
    };
    TransparentImage image{m_parts->width, m_parts->height, {}};
    try {
        const auto onBlack = drawOn(black), onWhite = drawOn(white);
        image.pixels.resize(onBlack.pixels.size());
        std::ranges::transform(onBlack.pixels, onWhite.pixels, image.pixels.begin(),
                               withoutBackground);
    } catch (...) {
        scene.setBackground(std::nullopt);
        throw;
    }
    scene.setBackground(std::nullopt);
    return image;
}

std::string OffScreenWindow::drawnBy() const
{
    const auto renderer = openGlRendererOf(*m_parts->window);
    return renderer.empty() ? "unknown" : renderer;
}

} // namespace gridhelm::ui
