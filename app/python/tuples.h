// SPDX-License-Identifier: GPL-3.0-or-later
//
// What studies are made of, as Python is told it, and tells it.
#pragma once

#include "data/study/study_types.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace gridhelm::python {

/// name, unit, components, "point" or "cell", entities.
using FieldTuple = std::tuple<std::string, std::string, int, std::string, std::uint64_t>;
/// kind, bytes, points, cells.
using MeshTuple = std::tuple<std::string, nanobind::bytes, std::uint64_t, std::uint64_t>;

/// With the interpreter's lock.
inline MeshTuple tupleOf(const data::Mesh &mesh)
{
    return {mesh.kind, nanobind::bytes(mesh.encoded.data(), mesh.encoded.size()), mesh.points,
            mesh.cells};
}

inline std::vector<FieldTuple> tuplesOf(const std::vector<data::Field> &fields)
{
    std::vector<FieldTuple> all;
    for (const auto &f : fields)
        all.emplace_back(f.name, f.unit, f.components, std::string(toString(f.association)),
                         f.entities);
    return all;
}

inline std::vector<data::Field> fieldsFrom(const std::vector<FieldTuple> &tuples)
{
    std::vector<data::Field> all;
    for (const auto &[name, unit, components, of, entities] : tuples)
        all.push_back({name, unit, components,
                       of == "cell" ? data::Association::cell : data::Association::point,
                       entities});
    return all;
}

/// With the interpreter's lock.
inline data::Mesh meshFrom(const MeshTuple &tuple)
{
    const auto &[kind, bytes, points, cells] = tuple;
    return {kind, {bytes.c_str(), bytes.size()}, points, cells};
}

} // namespace gridhelm::python
