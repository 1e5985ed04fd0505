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

namespace gridhelm::python {

/// name, unit, components, "point" or "cell", entities.
using FieldTuple = std::tuple<std::string, std::string, int, std::string, std::uint64_t>;
/// kind, bytes, points, cells.
using MeshTuple = std::tuple<std::string, nanobind::bytes, std::uint64_t, std::uint64_t>;

inline FieldTuple tupleOf(const data::Field &field)
{
    return {field.name, field.unit, field.components, std::string(toString(field.association)),
            field.entities};
}

/// With the interpreter's lock.
inline MeshTuple tupleOf(const data::Mesh &mesh)
{
    return {mesh.kind, nanobind::bytes(mesh.encoded.data(), mesh.encoded.size()), mesh.points,
            mesh.cells};
}

inline data::Field fieldFrom(const FieldTuple &tuple)
{
    const auto &[name, unit, components, of, entities] = tuple;
    return {name, unit, components,
            of == "cell" ? data::Association::cell : data::Association::point, entities};
}

/// With the interpreter's lock.
inline data::Mesh meshFrom(const MeshTuple &tuple)
{
    const auto &[kind, bytes, points, cells] = tuple;
    return {kind, {bytes.c_str(), bytes.size()}, points, cells};
}

} // namespace gridhelm::python
