// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/sample_snapshot.h"

#include "core/support/axis_names.h"
#include "core/support/error.h"
#include "data/campaign/fill_template.h"
#include "data/study/image_mesh.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace gridhelm::data {

namespace {

/// Between two neighbouring nodes of one axis.
struct Between
{
    std::size_t lower = 0, upper = 0;
    double weight = 0; ///< of the upper one
};

Between locate(double place, const ImageMesh &mesh, std::size_t axis, Association association)
{
    const auto points = mesh.points[axis];
    if (points < 2)
        return {};
    constexpr double tolerance = 1e-9; // of the distance of two points
    double position = (place - mesh.origin[axis]) / mesh.spacing[axis];
    const auto last = static_cast<double>(points - 1);
    if (!(position >= -tolerance && position <= last + tolerance))
        throw Error("the plan wants " + std::string(axisNames[axis]) + " = " + numberText(place)
                    + ", but the mesh of the result reaches from " + numberText(mesh.origin[axis])
                    + " to " + numberText(mesh.origin[axis] + last * mesh.spacing[axis])
                    + "; correct the [[space]] of the plan");
    const bool isCell = association == Association::cell;
    const double end = isCell ? last - 1 : last;
    position = std::clamp(isCell ? position - 0.5 : position, 0.0, end);
    if (std::abs(position - std::round(position)) <= tolerance)
        position = std::round(position);
    const auto lower = static_cast<std::size_t>(position);
    const auto weight = position - static_cast<double>(lower);
    return {lower, weight > 0 ? lower + 1 : lower, weight};
}

std::string componentName(const Field &field, int component)
{
    if (field.components == 1)
        return field.name;
    return field.name + "_"
           + (field.components <= 3 ? axisNames[static_cast<std::size_t>(component)]
                                    : std::to_string(component + 1));
}

} // namespace

SampledSnapshot sampleSnapshot(const RunSnapshot &snapshot, std::span<const Place> places)
{
    const auto mesh = decodeImageMesh(snapshot.mesh);
    SampledSnapshot sampled;
    for (std::size_t f = 0; f < snapshot.fields.size(); ++f) {
        const auto &field = snapshot.fields[f];
        const auto &values = snapshot.values[f];
        const bool isCell = field.association == Association::cell;
        std::array<std::size_t, 3> nodes = mesh.points;
        if (isCell)
            std::ranges::transform(nodes, nodes.begin(), [](std::size_t points) {
                return std::max<std::size_t>(points, 2) - 1;
            });
        const auto components = static_cast<std::size_t>(field.components);
        if (values.size() != nodes[0] * nodes[1] * nodes[2] * components)
            throw Error("field " + field.name + " of the result does not fit its mesh; check what "
                        + "the simulation writes");
        const auto first = sampled.fields.size();
        for (int c = 0; c < field.components; ++c)
            sampled.fields.push_back(
                {componentName(field, c), field.unit, 1, field.association, 1});
        sampled.values.resize(sampled.fields.size(), std::vector<float>(places.size()));
        for (std::size_t i = 0; i < places.size(); ++i) {
            std::array<Between, 3> at;
            for (std::size_t axis = 0; axis < 3; ++axis)
                at[axis] = locate(places[i][axis], mesh, axis, field.association);
            for (std::size_t c = 0; c < components; ++c) {
                const auto value = [&](std::size_t x, std::size_t y, std::size_t z) {
                    return field.valueOf(
                        values[((z * nodes[1] + y) * nodes[0] + x) * components + c]);
                };
                const auto mix = [](double a, double b, double weight) {
                    return weight > 0 ? (1 - weight) * a + weight * b : a;
                };
                const auto alongX = [&](std::size_t y, std::size_t z) {
                    return mix(value(at[0].lower, y, z), value(at[0].upper, y, z), at[0].weight);
                };
                const auto alongXY = [&](std::size_t z) {
                    return mix(alongX(at[1].lower, z), alongX(at[1].upper, z), at[1].weight);
                };
                sampled.values[first + c][i] = static_cast<float>(
                    mix(alongXY(at[2].lower), alongXY(at[2].upper), at[2].weight));
            }
        }
    }
    return sampled;
}

} // namespace gridhelm::data
