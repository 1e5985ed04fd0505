// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/pictures/field_picture.h"
#include "ui/scene/stage/box_edges.h"
#include "ui/scene/stage/low_confidence_overlay.h"
#include "ui/scene/stage/sorted_blending.h"

#include <vtkActor.h>
#include <vtkActor2D.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkPolyDataMapper.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>

#include <memory>
#include <optional>
#include <vector>

namespace gridhelm::ui {

/// How the surface on which values are shown is coloured.
enum class Faces {
    byValue,
    allBlack, ///< and there is no caption
    allWhite, ///< as bright as light on it allows; and there is no caption
    hidden,   ///< not drawn; and there is no caption
};
/// Of white faces that a lamp shines on: what is as bright as can be would be cut off.
constexpr double whiteOfLitFaces = 0.75;

/// The actors, the light and the colours that pictures of all kinds are drawn with. They stay while
/// pictures come and go, and with them what they hold in OpenGL.
class Stage
{
public:
    Stage();

    vtkRenderer &renderer() const { return *m_renderer; }

    /// Nothing is shown any more. To be called before what the picture is made from goes.
    void clear(std::unique_ptr<FieldPicture> last);
    /// Around the mesh. A volume has the edges of `box` instead.
    void setOutline(vtkSmartPointer<vtkPolyData> lines, const vtkBoundingBox *box);
    /// Shows this one from now on; the `last` one goes as soon as it can.
    void show(const FieldPicture &picture, std::unique_ptr<FieldPicture> last);
    /// What the settings say of the actors, whatever the picture is.
    void applyStyle(const FieldPicture &picture, const ViewSettings &settings,
                    bool marksLowConfidence);
    /// The values have these colours; above `lowConfidenceAbove` they are marked, in their unit.
    void applyColours(const FieldPicture &picture, const ColourScale &colours,
                      double lowConfidenceAbove);
    void setInk(const std::array<double, 3> &ink);
    /// Lines are as wide as in the window where a picture has more pixels.
    void setPixelsOfPoint(double pixels);

    /// To be called before drawing, by the thread that draws.
    void prepare(const FieldPicture *picture);

    /// Until the next call; `colours`: those of values.
    void setFaces(Faces faces, const FieldPicture &picture, const ColourScale &colours);

private:
    void light();
    void setLineWidths();

    vtkNew<vtkRenderer> m_renderer;
    vtkNew<vtkLookupTable> m_table;
    std::optional<ColourScale> m_inTable;
    double m_pixelsOfPoint = 1;
    bool m_hasEdges = false;
    vtkNew<vtkPolyDataMapper> m_facesMapper, m_linesMapper, m_outlineMapper;
    vtkSmartPointer<vtkPolyData> m_outlineLines;
    vtkNew<vtkActor> m_faces, m_lines, m_outline;
    BoxEdges m_boxEdges;                             ///< around a volume
    vtkNew<vtkPolyDataMapper2D> m_edgesBeforeMapper; ///< over everything else
    vtkNew<vtkActor2D> m_edgesBefore;
    LowConfidenceOverlay m_lowConfidence;
    SortedBlending m_blending;
    std::vector<std::unique_ptr<FieldPicture>> m_retired; ///< until the window is drawn again
};

} // namespace gridhelm::ui
