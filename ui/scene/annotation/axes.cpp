// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/annotation/axes.h"

#include "ui/scene/camera/camera.h"
#include "ui/scene/colour/value_axis.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkMath.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkProperty2D.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
namespace {

using Vector = std::array<double, 3>;

constexpr std::array<Vector, 3> axisColours{
    {{0.84, 0.22, 0.20}, {0.20, 0.60, 0.25}, {0.20, 0.42, 0.85}}};

/// Axis whose positive direction is most along `direction`.
std::size_t mostAlong(const Vector &direction)
{
    std::size_t best = 0;
    for (std::size_t t = 1; t < 3; ++t)
        if (direction[t] > direction[best] + 1e-9)
            best = t;
    return best;
}

} // namespace

Axes::Axes()
    : m_renderer(vtkSmartPointer<vtkRenderer>::New())
    , m_lines(vtkSmartPointer<vtkPolyData>::New())
    , m_linesActor(vtkSmartPointer<vtkActor2D>::New())
{
    m_renderer->SetLayer(2);
    m_renderer->InteractiveOff();
    vtkNew<vtkPolyDataMapper2D> mapper;
    mapper->SetInputData(m_lines);
    m_linesActor->SetMapper(mapper);
    m_renderer->AddActor2D(m_linesActor);
    clear();
}

std::array<double, 2> Axes::roomForFrame(const Fonts &fonts)
{
    return {std::round(4.6 * fonts.em), std::round(3.1 * fonts.em)};
}

void Axes::drawFrame(const MeshShape &shape, vtkCamera &camera, const PixelBox &field,
                     const Fonts &fonts)
{
    clear();
    const EyeAxes eye = eyeAxes(camera);
    const std::size_t across = mostAlong(eye.right), upwards = mostAlong(eye.up);
    Vector focus;
    camera.GetFocalPoint(focus.data());
    const double pixels = field.height / (2 * camera.GetParallelScale()); // of a unit of length
    const auto pixelX = [&](double x) {
        return std::round(field.left + 0.5 * field.width + (x - focus[across]) * pixels);
    };
    const auto pixelY = [&](double y) {
        return std::round(field.bottom + 0.5 * field.height + (y - focus[upwards]) * pixels);
    };
    // Of a mesh that is larger than its part of the picture, around what is seen of it.
    const auto &b = shape.bounds;
    const auto seenAlong = [&](std::size_t t, double room) {
        const double half = 0.5 * room / pixels;
        return ValueRange{std::max(b[2 * t], focus[t] - half),
                          std::min(b[2 * t + 1], focus[t] + half)};
    };
    const auto seenX = seenAlong(across, field.width), seenY = seenAlong(upwards, field.height);
    if (!(seenX.low <= seenX.high && seenY.low <= seenY.high))
        return finish(1);
    const double left = pixelX(seenX.low), right = pixelX(seenX.high);
    const double bottom = pixelY(seenY.low), top = pixelY(seenY.high);
    addLine({left, bottom}, {right, bottom}, m_ink);
    addLine({right, bottom}, {right, top}, m_ink);
    addLine({right, top}, {left, top}, m_ink);
    addLine({left, top}, {left, bottom}, m_ink);

    const double length = std::round(0.3 * fonts.em), gap = 0.3 * fonts.em;
    const auto ticksAlong = [](const ValueRange &seen, double room) {
        const int most = static_cast<int>(std::clamp(room, 2.0, 9.0));
        return seen.high > seen.low ? roundValuesIn(seen, most) : std::vector<double>{};
    };
    const auto xs = ticksAlong(seenX, (right - left) / (4.5 * fonts.em));
    const auto xTexts = tickTexts(xs);
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const double x = pixelX(xs[i]);
        addLine({x, bottom}, {x, bottom - length}, m_ink);
        addText({x, bottom - length - gap}, xTexts[i], fonts, 0, -1);
    }
    const auto ys = ticksAlong(seenY, (top - bottom) / (2.5 * fonts.em));
    const auto yTexts = tickTexts(ys);
    for (std::size_t i = 0; i < ys.size(); ++i) {
        const double y = pixelY(ys[i]);
        addLine({left, y}, {left - length, y}, m_ink);
        addText({left - length - gap, y}, yTexts[i], fonts, -1, 0);
    }
    addTitle({0.5 * (left + right), bottom - 1.75 * fonts.em}, across, right - left, false, fonts);
    addTitle({left - 4.1 * fonts.em, 0.5 * (bottom + top)}, upwards, top - bottom, true, fonts);
    finish(std::max(1.0, fonts.em / 18));
}

void Axes::drawMarker(vtkCamera &camera, const PixelBox &field, const Fonts &fonts)
{
    clear();
    const EyeAxes eye = eyeAxes(camera);
    const double length = 2.2 * fonts.em;
    const double widestName = (m_names.ofStudy > 0 ? 4 : 1) * fonts.em;
    const Pixel origin{field.left + 2.1 * fonts.em + 0.5 * widestName,
                       field.bottom + 2.6 * fonts.em};
    for (std::size_t t = 0; t < 3; ++t) {
        const double x = eye.right[t], y = eye.up[t];
        if (std::hypot(x, y) < 0.1)
            continue; // it points at us
        addLine(origin, {origin.x + length * x, origin.y + length * y}, axisColours[t]);
        const double reach = length + 0.75 * fonts.em / std::hypot(x, y);
        auto &name =
            addText({origin.x + reach * x, origin.y + reach * y}, m_names.names[t], fonts, 0, 0);
        if (t < m_names.ofStudy)
            name.SetInput(
                fitted(*name.GetTextProperty(), m_names.title(t), fonts.size, widestName, fonts.dpi)
                    .c_str());
    }
    finish(std::max(1.5, fonts.em / 9));
}

void Axes::clear()
{
    m_lines->SetPoints(vtkNew<vtkPoints>());
    m_lines->SetLines(vtkNew<vtkCellArray>());
    vtkNew<vtkUnsignedCharArray> colours;
    colours->SetNumberOfComponents(3);
    m_lines->GetCellData()->SetScalars(colours);
    m_textsUsed = 0;
}

void Axes::addLine(const Pixel &from, const Pixel &to, const Vector &colour)
{
    auto *points = m_lines->GetPoints();
    m_lines->GetLines()->InsertNextCell(
        {points->InsertNextPoint(from.x, from.y, 0), points->InsertNextPoint(to.x, to.y, 0)});
    auto *colours = vtkUnsignedCharArray::SafeDownCast(m_lines->GetCellData()->GetScalars());
    colours->InsertNextTuple3(255 * colour[0], 255 * colour[1], 255 * colour[2]);
}

void Axes::addTitle(const Pixel &at, std::size_t axis, double length, bool isUpwards,
                    const Fonts &fonts)
{
    constexpr std::size_t few = 2; // letters: they stand upright
    const auto title = m_names.title(axis);
    auto &actor = addText(at, title, fonts, 0, isUpwards ? 0 : -1);
    auto &property = *actor.GetTextProperty();
    if (title.size() > few)
        actor.SetInput(fitted(property, title, fonts.size, length, fonts.dpi).c_str());
    if (isUpwards && title.size() > few)
        property.SetOrientation(90);
}

vtkTextActor &Axes::addText(const Pixel &at, const std::string &text, const Fonts &fonts,
                            int across, int upwards)
{
    if (m_textsUsed == m_texts.size()) {
        m_texts.push_back(makeText());
        m_renderer->AddActor2D(m_texts.back());
    }
    auto &actor = *m_texts[m_textsUsed++];
    auto &property = *actor.GetTextProperty();
    property.SetOrientation(0); // the last time it may have been another axis' title
    property.SetFontSize(fonts.size);
    property.SetColor(m_ink.data());
    property.SetJustification(across < 0 ? VTK_TEXT_RIGHT : VTK_TEXT_CENTERED);
    property.SetVerticalJustification(upwards < 0 ? VTK_TEXT_TOP : VTK_TEXT_CENTERED);
    actor.SetInput(text.c_str());
    actor.SetPosition(at.x, at.y);
    actor.VisibilityOn();
    return actor;
}

void Axes::finish(double lineWidth)
{
    m_linesActor->GetProperty()->SetLineWidth(static_cast<float>(lineWidth));
    for (std::size_t i = m_textsUsed; i < m_texts.size(); ++i)
        m_texts[i]->VisibilityOff();
    m_lines->Modified();
}

} // namespace gridhelm::ui
