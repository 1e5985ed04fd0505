// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/error.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_coordinates.h"
#include "data/mesh/mesh_difference.h"
#include "data/mesh/mesh_probe.h"
#include "data/mesh/snapshot_file.h"
#include "data/study/mesh_limits.h"

#include <nlohmann/json.hpp>

#include <vtkDataSet.h>

#include <array>
#include <cmath>

namespace gridhelm::data {
namespace {

std::string numberText(double value)
{
    return nlohmann::json(value).dump(); // the fewest digits
}

} // namespace

std::string differenceOfMeshes(const Mesh &expected, const Mesh &other)
{
    if (expected == other)
        return {};
    if (expected.kind != other.kind)
        return "The mesh is of kind " + other.kind + ", the study's of kind " + expected.kind;
    if (auto difference = differenceOfCounts(expected, other); !difference.empty())
        return difference;
    const auto a = decodeMesh(expected), b = decodeMesh(other);
    const double tolerance = 1e-6 * a->GetLength();
    for (vtkIdType i = 0; i < a->GetNumberOfPoints(); ++i) {
        std::array<double, 3> x{}, y{};
        a->GetPoint(i, x.data());
        b->GetPoint(i, y.data());
        const double apart = std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
        if (!(apart <= tolerance))
            return "The mesh's point " + std::to_string(i) + " is " + numberText(apart)
                   + " away from where the study's mesh has it";
    }
    return differenceOfCells(*a, *b);
}

RunSnapshot resampleOnto(const Mesh &mesh, const RunSnapshot &other)
{
    RunSnapshot result{other.time, mesh, other.fields, {}, other.notes};
    requireFieldsOnMesh(other.mesh, other.fields);
    const auto target = decodeMesh(mesh);
    const auto source = decodeMesh(other.mesh);
    for (const auto association : {Association::point, Association::cell}) {
        std::vector<Field> fields;
        std::vector<std::size_t> indices;
        for (std::size_t f = 0; f < other.fields.size(); ++f)
            if (other.fields[f].association == association) {
                fields.push_back(other.fields[f]);
                indices.push_back(f);
            }
        if (fields.empty())
            continue;
        const auto places =
            association == Association::point ? placesOfPoints(*target) : placesOfCells(*target);
        const MeshProbe probe(*source, places, OutsideMesh::empty,
                              association == Association::cell ? CellValues::linear
                                                               : CellValues::constant);
        std::size_t outside = 0;
        for (std::size_t i = 0; i < probe.places(); ++i)
            outside += probe.isInside(i) ? 0 : 1;
        if (outside > 0)
            throw Error(std::to_string(outside) + " of the " + std::to_string(probe.places())
                        + " points of the study's mesh are outside of the file's mesh, so that the "
                          "file cannot be resampled; give files that cover it, or let the plan lay "
                          "a [mesh] of kind \"background\" under all of them");
        result.values.resize(other.fields.size());
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const auto f = indices[i];
            result.values[f] = probe.sample(fields[i], other.values[f]);
            result.fields[f].entities = probe.places();
        }
    }
    return result;
}

} // namespace gridhelm::data
