// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry/mesh_sampling.h"

#include <vtkGenericCell.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkStaticCellLocator.h>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {

MeshSampling::MeshSampling(vtkDataSet &mesh, const MeshShape &shape, std::size_t most)
{
    if (auto *image = vtkImageData::SafeDownCast(&mesh)) {
        image->GetDimensions(m_points.data());
        image->GetSpacing(m_spacing.data());
        for (std::size_t t = 0; t < 3; ++t) // an extent may begin anywhere
            m_origin[t] = shape.bounds[2 * t];
        m_isImage = true;
        return;
    }
    double volume = 1;
    for (const Axis axis : {Axis::x, Axis::y, Axis::z})
        volume *= shape.extent(axis);
    const double edge = std::cbrt(volume / static_cast<double>(most));
    for (std::size_t t = 0; t < 3; ++t) {
        const double extent = shape.extent(static_cast<Axis>(t));
        // A thin plate must not get all its points along one side.
        m_points[t] = static_cast<int>(std::clamp(std::round(extent / edge), 1.0, 512.0)) + 1;
        m_spacing[t] = extent / (m_points[t] - 1);
        m_origin[t] = shape.bounds[2 * t];
    }
    vtkNew<vtkStaticCellLocator> locator;
    locator->SetDataSet(&mesh);
    locator->BuildLocator();
    const double tolerance = 1e-6 * mesh.GetLength();
    vtkNew<vtkGenericCell> cell;
    std::vector<double> weights(static_cast<std::size_t>(std::max(mesh.GetMaxCellSize(), 8)));
    m_firstCorner.reserve(count() + 1);
    m_firstCorner.push_back(0);
    for (int k = 0; k < m_points[2]; ++k)
        for (int j = 0; j < m_points[1]; ++j)
            for (int i = 0; i < m_points[0]; ++i) {
                std::array<double, 3> x{m_origin[0] + i * m_spacing[0],
                                        m_origin[1] + j * m_spacing[1],
                                        m_origin[2] + k * m_spacing[2]};
                std::array<double, 3> local{};
                const auto id = locator->FindCell(x.data(), tolerance * tolerance, cell,
                                                  local.data(), weights.data());
                for (vtkIdType p = 0; id >= 0 && p < cell->GetNumberOfPoints(); ++p)
                    m_corners.push_back({static_cast<std::size_t>(cell->PointIds->GetId(p)),
                                         static_cast<float>(weights[static_cast<std::size_t>(p)])});
                m_firstCorner.push_back(m_corners.size());
            }
}

std::size_t MeshSampling::count() const
{
    std::size_t product = 1;
    for (const int along : m_points)
        product *= static_cast<std::size_t>(along);
    return product;
}

void MeshSampling::sample(std::span<const float> values, std::span<float> sampled) const
{
    for (std::size_t i = 0; i < sampled.size(); ++i) {
        const auto first = m_firstCorner[i], end = m_firstCorner[i + 1];
        float value = first < end ? 0 : std::numeric_limits<float>::quiet_NaN();
        for (auto c = first; c < end; ++c)
            value += m_corners[c].weight * values[m_corners[c].point];
        sampled[i] = value;
    }
}

} // namespace gridhelm::ui
