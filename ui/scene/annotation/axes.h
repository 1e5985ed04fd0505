// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/annotation/axis_names.h"
#include "ui/scene/annotation/text.h"
#include "ui/scene/geometry/mesh_shape.h"

#include <vtkActor2D.h>
#include <vtkCamera.h>
#include <vtkPolyData.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// Where in space the field lies, drawn on top of it as the camera sees it: a frame with ticks
/// when it is seen straight, else three lines in the corner that point along the axes of space;
/// with the names of those that are seen. One thread, as the scene.
class Axes
{
public:
    Axes();

    /// Layer 2, covers the whole window.
    vtkRenderer *renderer() const { return m_renderer; }
    void setInk(const std::array<double, 3> &ink) { m_ink = ink; }

    void setNames(const AxisNames &names) { m_names = names; }

    /// What a frame needs at the left and at the bottom, in pixels.
    static std::array<double, 2> roomForFrame(const Fonts &fonts);

    /// `field`: the part of the window where `camera` draws; in pixels.
    void drawFrame(const MeshShape &shape, vtkCamera &camera, const PixelBox &field,
                   const Fonts &fonts);
    void drawMarker(vtkCamera &camera, const PixelBox &field, const Fonts &fonts);

private:
    struct Pixel
    {
        double x, y;
    };
    void clear();
    void addLine(const Pixel &from, const Pixel &to, const std::array<double, 3> &colour);
    vtkTextActor &addText(const Pixel &at, const std::string &text, const Fonts &fonts, int across,
                          int upwards);
    /// Along an axis that is so long in the picture.
    void addTitle(const Pixel &at, std::size_t axis, double length, bool isUpwards,
                  const Fonts &fonts);
    void finish(double lineWidth);

    vtkSmartPointer<vtkRenderer> m_renderer;
    vtkSmartPointer<vtkPolyData> m_lines;
    vtkSmartPointer<vtkActor2D> m_linesActor;
    std::vector<vtkSmartPointer<vtkTextActor>> m_texts;
    std::size_t m_textsUsed = 0;
    std::array<double, 3> m_ink{0, 0, 0};
    AxisNames m_names;
};

} // namespace gridhelm::ui
