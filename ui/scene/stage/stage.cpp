// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/stage.h"

#include <vtkCoordinate.h>
#include <vtkLight.h>
#include <vtkProperty.h>
#include <vtkProperty2D.h>

#include <array>
#include <cmath>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr double outlineWidth = 1.2; // points, as of all lines

void setScalarsOf(data::Association association, vtkMapper &mapper)
{
    if (association == data::Association::point)
        mapper.SetScalarModeToUsePointData();
    else
        mapper.SetScalarModeToUseCellData();
}

} // namespace

Stage::Stage()
{
    m_renderer->SetLayer(1);
    light();
    // Lines are drawn on faces that lie where they do.
    vtkMapper::SetResolveCoincidentTopologyToPolygonOffset();
    m_facesMapper->SetLookupTable(m_table);
    m_facesMapper->UseLookupTableScalarRangeOn();
    m_facesMapper->InterpolateScalarsBeforeMappingOn();
    m_linesMapper->ScalarVisibilityOff();
    m_outlineMapper->ScalarVisibilityOff();
    m_faces->SetMapper(m_facesMapper);
    m_lines->SetMapper(m_linesMapper);
    m_outline->SetMapper(m_outlineMapper);
    for (vtkActor *actor : {m_lines.Get(), m_outline.Get()}) {
        actor->GetProperty()->LightingOff();
        actor->PickableOff();
    }
    for (vtkActor *actor : {m_faces.Get(), m_lines.Get(), m_outline.Get()}) {
        actor->VisibilityOff();
        m_renderer->AddActor(actor);
    }
    m_renderer->AddActor(&m_lowConfidence.actor());
    vtkNew<vtkCoordinate> inMesh;
    inMesh->SetCoordinateSystemToWorld();
    m_edgesBeforeMapper->SetTransformCoordinate(inMesh);
    m_edgesBeforeMapper->SetInputData(&m_boxEdges.before());
    m_edgesBefore->SetMapper(m_edgesBeforeMapper);
    m_edgesBefore->VisibilityOff();
    m_renderer->AddViewProp(m_edgesBefore);
}

/// One light from the eye, one from above its right shoulder: the three sides of a box that are
/// seen differ a little, and none is dark.
void Stage::light()
{
    m_renderer->RemoveAllLights();
    m_renderer->AutomaticLightCreationOff();
    vtkNew<vtkLight> fromEye, fromAbove;
    fromEye->SetLightTypeToHeadlight();
    fromEye->SetIntensity(0.6);
    fromAbove->SetLightTypeToCameraLight();
    fromAbove->SetPosition(0.5, 0.8, 1.0);
    fromAbove->SetFocalPoint(0, 0, 0);
    fromAbove->SetIntensity(0.5);
    m_renderer->AddLight(fromEye);
    m_renderer->AddLight(fromAbove);
}

void Stage::clear(std::unique_ptr<FieldPicture> last)
{
    for (vtkActor *actor :
         {m_faces.Get(), m_lines.Get(), m_outline.Get(), &m_lowConfidence.actor()})
        actor->VisibilityOff();
    m_edgesBefore->VisibilityOff();
    if (!last || !last->parts().volume)
        return;
    // It holds textures, which only the thread that draws can give back.
    last->parts().volume->VisibilityOff();
    m_retired.push_back(std::move(last));
}

void Stage::setOutline(vtkSmartPointer<vtkPolyData> lines, const vtkBoundingBox *box)
{
    const bool isShown = m_outlineLines && m_outlineMapper->GetInput() == m_outlineLines;
    m_outlineLines = std::move(lines);
    if (box)
        m_boxEdges.setBox(*box);
    if (isShown)
        m_outlineMapper->SetInputData(m_outlineLines);
}

void Stage::show(const FieldPicture &picture, std::unique_ptr<FieldPicture> last)
{
    if (last && last->parts().volume) {
        last->parts().volume->VisibilityOff();
        m_retired.push_back(std::move(last));
    }
    const auto &parts = picture.parts();
    if (parts.volume)
        m_renderer->AddVolume(parts.volume);
    m_faces->SetVisibility(parts.faces != nullptr);
    m_facesMapper->RemoveAllClippingPlanes();
    if (parts.clip)
        m_facesMapper->AddClippingPlane(parts.clip);
    if (parts.faces) {
        m_facesMapper->SetInputConnection(parts.faces->GetOutputPort());
        setScalarsOf(parts.association, *m_facesMapper);
        m_lowConfidence.setFaces(*parts.faces, parts.association);
    }
    m_lines->SetVisibility(parts.lines != nullptr);
    if (parts.lines)
        m_linesMapper->SetInputConnection(parts.lines->GetOutputPort());
}

void Stage::applyStyle(const FieldPicture &picture, const ViewSettings &settings,
                       bool marksLowConfidence)
{
    const auto &parts = picture.parts();
    auto &property = *m_faces->GetProperty();
    property.SetLighting(parts.isLit);
    property.SetAmbient(parts.isLit ? 0.5 : 0.0);
    property.SetDiffuse(parts.isLit ? 0.55 : 1.0); // unlit: exactly the colours of the bar
    property.SetSpecular(0.0);
    const bool edges = settings.edges && parts.hasMeshEdges;
    property.SetEdgeVisibility(edges);
    property.SetEdgeColor(0.25, 0.26, 0.28);
    m_hasEdges = edges;
    setLineWidths();
    const double opacity = picture.opacity(settings);
    property.SetOpacity(opacity);
    if (parts.faces && opacity < 1) {
        m_blending.begin(*m_renderer);
        m_facesMapper->SetInputConnection(
            m_blending.sorted(*parts.faces, *m_renderer).GetOutputPort());
    } else {
        SortedBlending::end(*m_renderer);
        if (parts.faces)
            m_facesMapper->SetInputConnection(parts.faces->GetOutputPort());
    }
    m_lines->GetProperty()->SetColor(0.12, 0.13, 0.15);
    m_lowConfidence.actor().SetVisibility(marksLowConfidence);

    m_outline->SetVisibility(settings.outline);
    m_edgesBefore->SetVisibility(settings.outline && parts.volume);
    m_outlineMapper->SetInputData(parts.volume ? &m_boxEdges.behind() : m_outlineLines.Get());
}

void Stage::setPixelsOfPoint(double pixels)
{
    if (pixels == m_pixelsOfPoint)
        return;
    m_pixelsOfPoint = pixels;
    setLineWidths();
}

void Stage::setLineWidths()
{
    const auto set = [this](vtkProperty &property, double points) {
        property.SetLineWidth(static_cast<float>(points * m_pixelsOfPoint));
    };
    set(*m_faces->GetProperty(), m_hasEdges ? 1 : 2);
    set(*m_lines->GetProperty(), 1.3);
    set(*m_outline->GetProperty(), outlineWidth);
    m_edgesBefore->GetProperty()->SetLineWidth(static_cast<float>(outlineWidth * m_pixelsOfPoint));
}

void Stage::applyColours(const FieldPicture &picture, const ColourScale &colours,
                         double lowConfidenceAbove)
{
    if (colours != m_inTable) {
        fillTable(colours, *m_table);
        m_inTable = colours;
    }
    m_lowConfidence.setThreshold(lowConfidenceAbove);
    auto offset = picture.offset();
    m_faces->SetPosition(offset.data());
    m_lowConfidence.actor().SetPosition(offset.data());
}

void Stage::setInk(const std::array<double, 3> &ink)
{
    m_outline->GetProperty()->SetColor(ink[0], ink[1], ink[2]);
    m_edgesBefore->GetProperty()->SetColor(ink[0], ink[1], ink[2]);
}

void Stage::prepare(const FieldPicture *picture)
{
    for (const auto &retired : std::exchange(m_retired, {}))
        m_renderer->RemoveVolume(retired->parts().volume);
    if (picture && picture->parts().volume)
        m_boxEdges.look(*m_renderer->GetActiveCamera());
}

void Stage::setFaces(Faces faces, const FieldPicture &picture, const ColourScale &colours)
{
    const auto &parts = picture.parts();
    m_faces->SetVisibility(parts.faces && faces != Faces::hidden);
    if (faces == Faces::hidden)
        return;
    if (faces == Faces::byValue) {
        fillTable(colours, *m_table);
        return;
    }
    const double white = 255 * (parts.isLit ? whiteOfLitFaces : 1.0);
    const auto part = static_cast<std::uint8_t>(faces == Faces::allWhite ? std::lround(white) : 0);
    fillTable(Colour{part, part, part}, *m_table);
}

} // namespace gridhelm::ui
