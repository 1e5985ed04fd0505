// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry/value_source.h"

#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkRectilinearGrid.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gridhelm::ui {
namespace {

using AxisCoordinates = std::array<std::vector<double>, 3>;

/// Empty lists if the mesh has no such axes.
AxisCoordinates coordinatesOf(vtkDataSet &mesh)
{
    AxisCoordinates axes;
    if (auto *image = vtkImageData::SafeDownCast(&mesh)) {
        if (!image->GetDirectionMatrix()->IsIdentity())
            return axes;
        const int *extent = image->GetExtent();
        for (std::size_t t = 0; t < 3; ++t)
            for (int i = extent[2 * t]; i <= extent[2 * t + 1]; ++i)
                axes[t].push_back(image->GetOrigin()[t] + i * image->GetSpacing()[t]);
    } else if (auto *grid = vtkRectilinearGrid::SafeDownCast(&mesh)) {
        const std::array lists{grid->GetXCoordinates(), grid->GetYCoordinates(),
                               grid->GetZCoordinates()};
        for (std::size_t t = 0; t < 3; ++t)
            for (vtkIdType i = 0; i < lists[t]->GetNumberOfTuples(); ++i)
                axes[t].push_back(lists[t]->GetComponent(i, 0));
    }
    for (const auto &list : axes)
        if (!std::ranges::is_sorted(list))
            return {};
    return axes;
}

/// The cell of an ascending list in which x lies, and where in it.
struct Place
{
    std::size_t cell = 0;
    double part = 0;
};

Place placeIn(const std::vector<double> &list, double x)
{
    if (list.size() < 2)
        return {};
    const auto above = std::ranges::upper_bound(list, x);
    const auto cell = std::clamp<std::ptrdiff_t>(above - list.begin() - 1, 0,
                                                 static_cast<std::ptrdiff_t>(list.size()) - 2);
    const auto i = static_cast<std::size_t>(cell);
    return {i, std::clamp((x - list[i]) / (list[i + 1] - list[i]), 0.0, 1.0)};
}

} // namespace

std::vector<ValueSource> sourcesAt(std::span<const vtkIdType> ids)
{
    std::vector<ValueSource> sources;
    sources.reserve(ids.size());
    for (const auto id : ids)
        sources.push_back({static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id), 0});
    return sources;
}

std::vector<ValueSource> sourcesOfSlice(vtkDataSet &mesh, vtkPolyData &slice, Axis normal)
{
    constexpr double slack = 1e-3;   // of a cell
    constexpr float nothing = 1e-4F; // a point of which there is less does not count
    const auto axes = coordinatesOf(mesh);
    const std::array<std::size_t, 3> strides{1, axes[0].size(), axes[0].size() * axes[1].size()};
    const auto across = static_cast<std::size_t>(normal);
    if (axes[across].size() < 2
        || strides[2] * axes[2].size() != static_cast<std::size_t>(mesh.GetNumberOfPoints()))
        return {};
    std::vector<ValueSource> sources;
    sources.reserve(static_cast<std::size_t>(slice.GetNumberOfPoints()));
    for (vtkIdType v = 0; v < slice.GetNumberOfPoints(); ++v) {
        std::array<double, 3> at{};
        slice.GetPoint(v, at.data());
        std::size_t node = 0;
        ValueSource source;
        for (std::size_t t = 0; t < 3; ++t) {
            const auto [cell, part] = placeIn(axes[t], at[t]);
            if (t == across) {
                source.ofSecond = static_cast<float>(part);
                node += cell * strides[t];
            } else {
                const double nearest = std::round(part);
                if (std::abs(part - nearest) > slack)
                    return {};
                node += (cell + static_cast<std::size_t>(nearest)) * strides[t];
            }
        }
        source.first = static_cast<std::uint32_t>(node);
        source.second = static_cast<std::uint32_t>(node + strides[across]);
        if (source.ofSecond > 1 - nothing)
            source = {source.second, source.second, 0};
        else if (source.ofSecond < nothing)
            source = {source.first, source.first, 0};
        sources.push_back(source);
    }
    return sources;
}

} // namespace gridhelm::ui
