// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/geometry/spread_places.h"
#include "ui/scene/pictures/vector_view.h"

#include <vtkFloatArray.h>
#include <vtkGlyph3D.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

namespace gridhelm::ui {

/// Arrows at evenly spread points (or cells): direction and length are those of the vector there.
/// The arrow's middle is at the place. Where the vector is 0, or no number, there is none.
class Glyphs : public VectorView
{
public:
    /// About `count` arrows; the longest has `scale` times the distance between two.
    Glyphs(vtkDataSet &mesh, const MeshShape &shape, data::Association association, int count,
           double scale);

    void setValues(const VectorValues &values) override;
    vtkAlgorithm &output() const override { return *m_arrows; }
    Count count() const override { return {static_cast<int>(m_spread.places.size()), 300}; }

private:
    MeshShape m_shape;
    SpreadPlaces m_spread;
    double m_length;
    vtkSmartPointer<vtkPolyData> m_places;
    vtkSmartPointer<vtkFloatArray> m_vectors, m_shown;
    vtkSmartPointer<vtkGlyph3D> m_arrows;
};

} // namespace gridhelm::ui
