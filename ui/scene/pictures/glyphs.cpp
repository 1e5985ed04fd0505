// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/pictures/glyphs.h"

#include <vtkArrowSource.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>

#include <cmath>

namespace gridhelm::ui {

Glyphs::Glyphs(vtkDataSet &mesh, const MeshShape &shape, data::Association association, int count,
               double scale)
    : m_shape(shape)
    , m_spread(spreadOver(mesh, shape, association, count))
    , m_length(scale * m_spread.distance)
    , m_places(vtkSmartPointer<vtkPolyData>::New())
    , m_vectors(vtkSmartPointer<vtkFloatArray>::New())
    , m_shown(vtkSmartPointer<vtkFloatArray>::New())
    , m_arrows(vtkSmartPointer<vtkGlyph3D>::New())
{
    m_vectors->SetNumberOfComponents(3);
    m_vectors->SetName("arrow");
    m_shown->SetName("shown");
    vtkNew<vtkPoints> points;
    m_places->SetPoints(points);
    m_places->GetPointData()->SetVectors(m_vectors);
    m_places->GetPointData()->SetScalars(m_shown);

    vtkNew<vtkArrowSource> arrow;
    arrow->SetArrowOriginToCenter();
    arrow->SetTipResolution(10);
    arrow->SetShaftResolution(6);
    arrow->SetTipLength(0.4);
    arrow->SetTipRadius(0.18);
    arrow->SetShaftRadius(0.07);
    m_arrows->SetSourceConnection(arrow->GetOutputPort());
    places().SetInputData(m_places);
    m_arrows->SetInputConnection(places().GetOutputPort());
    m_arrows->SetVectorModeToUseVector();
    m_arrows->SetScaleModeToScaleByVector();
    m_arrows->SetColorModeToColorByScalar();
    m_arrows->OrientOn();
    m_arrows->SetScaleFactor(1);
}

void Glyphs::setValues(const VectorValues &values)
{
    auto &points = *m_places->GetPoints();
    points.Reset();
    m_vectors->Reset();
    m_shown->Reset();
    for (std::size_t i = 0; i < m_spread.entities.size(); ++i) {
        const auto entity = static_cast<std::size_t>(m_spread.entities[i]);
        auto vector = vectorAt(values, entity, m_shape);
        for (double &x : vector)
            x *= m_length / values.longest;
        // Shorter ones could not be seen, and have no direction that could be computed.
        if (!(std::hypot(vector[0], vector[1], vector[2]) > 1e-4 * m_length))
            continue;
        points.InsertNextPoint(m_spread.places[i].data());
        m_vectors->InsertNextTuple(vector.data());
        m_shown->InsertNextValue(values.shown[entity]);
    }
    points.Modified();
    m_vectors->Modified();
    m_shown->Modified();
    m_places->Modified();
}

} // namespace gridhelm::ui
