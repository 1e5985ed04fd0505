// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/pictures/vector_picture.h"

#include "ui/scene/pictures/pipelines.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {

std::array<double, 3> vectorAt(const VectorValues &values, std::size_t entity,
                               const MeshShape &shape)
{
    const auto components = static_cast<std::size_t>(values.components);
    std::array<double, 3> vector{};
    if (!values.distance.empty() && values.distance[entity] < 0)
        return vector;
    for (std::size_t c = 0; c < components; ++c) {
        vector[c] = values.vectors[entity * components + c];
        if (!std::isfinite(vector[c]))
            return {};
    }
    if (shape.flat)
        vector[static_cast<std::size_t>(shape.normal)] = 0;
    return vector;
}

double longestOf(std::span<const float> vectors, int components)
{
    const auto stride = static_cast<std::size_t>(components);
    double squared = 0;
    for (std::size_t i = 0; i + stride <= vectors.size(); i += stride) {
        double sum = 0;
        for (std::size_t c = 0; c < stride; ++c)
            sum += static_cast<double>(vectors[i + c]) * vectors[i + c];
        if (std::isfinite(sum))
            squared = std::max(squared, sum);
    }
    return squared > 0 ? roundedOutward({0, std::sqrt(squared)}, Scale::linear).high : 1;
}

VectorPicture::VectorPicture()
{
    m_places->SetOnRatio(1);
    m_parts.hasMeshEdges = false;
    m_parts.followsMesh = false;
}

void VectorPicture::finish(vtkAlgorithm &faces, const PictureSource &source)
{
    m_parts.faces = &faces;
    addWalls(m_parts, source); // in holes there are no vectors
}

void VectorPicture::show(const PictureValues &values)
{
    // Where the colours say the magnitude, the longest arrow is that at the end of the bar.
    const double end = values.colours.range.high;
    const bool isMagnitude =
        values.areOwnVectors && values.settings.component.index == Component::magnitude;
    const int components = values.field.components;
    const double longest = isMagnitude && end > 0 ? end : longestOf(values.vectors, components);
    setValues({values.shown, values.vectors, components, longest, values.distance});
}

} // namespace gridhelm::ui
