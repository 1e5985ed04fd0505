// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a probe is asked, and what it says: plain values.
#pragma once

#include "data/mesh/cell_edges.h"
#include "data/mesh/entity_finder.h"
#include "ui/scene/view_settings.h"
#include "ui/steering/field_frame.h"

#include <QString>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace gridhelm::ui {

/// In the coordinates of the mesh.
using MeshPlace = std::array<double, 3>;

struct ProbeLine
{
    MeshPlace from{}, to{};

    bool operator==(const ProbeLine &) const = default;
};

/// What a map is of.
enum class MapOf : std::uint8_t {
    place, ///< the shown value at the probed place
    norm,  ///< the root mean square of the shown values over the field; needs no place
};

struct ProbeQuestion
{
    std::shared_ptr<const StudyFacts> study;
    std::vector<double> parameters; ///< of StudyFacts::parameters
    data::FieldIndex field = 0;     ///< that is shown: of curves, map and line
    Component component;
    std::optional<MeshPlace> place;                ///< of the click
    std::optional<std::array<std::size_t, 2>> map; ///< along which parameters, if one is wanted
    MapOf mapOf = MapOf::place;
    std::optional<ProbeLine> line;
    std::shared_ptr<const FieldFrame> frame; ///< the last one: values along the line
    std::uint64_t number = 0;                ///< given by ProbeService::ask()
};

/// A field at the probed place.
struct ProbedField
{
    data::MeshEntity entity;   ///< the nearest point, or the cell
    std::vector<float> values; ///< one for each component
};

/// The probed value along one parameter, the others as in the question.
struct ProbeCurve
{
    std::vector<double> at; ///< ascending, the parameter's values, both ends among them
    std::vector<float> values;
};

/// The probed value, or the field's norm, over two parameters, the others as in the question.
struct ProbeMap
{
    std::array<std::size_t, 2> parameters{};
    std::array<std::vector<double>, 2> at;      ///< values of each
    std::vector<float> values;                  ///< the second one fastest
    std::vector<std::array<double, 2>> sampled; ///< values of both in simulations
    MapOf of = MapOf::place;
    std::uint64_t entities = 0; ///< of the field's, that a norm is over
};

/// Evenly from one end to the other.
struct LineProfile
{
    ProbeLine line;
    std::vector<MeshPlace> places;
    std::vector<double> lengths; ///< from the line's beginning, in the mesh's unit
    std::vector<float> values;   ///< NaN outside of the mesh
    data::FieldIndex field = 0;
    Component component;
    bool isExact = true; ///< all of the study's levels
};

struct ProbeAnswer
{
    ProbeQuestion question;
    /// Of each of the study's fields; none: still being read. Empty without a place.
    std::vector<std::optional<ProbedField>> fields;
    float value = 0;                       ///< that is shown of the field, at the place
    std::vector<data::MeshEdge> cellEdges; ///< of the shown field's cell; of a point there are none
    std::vector<ProbeCurve> curves;        ///< of each parameter; empty without a place
    std::optional<ProbeMap> map;
    std::optional<LineProfile> line;
    QString problem; ///< why there is no more, as a sentence; empty: there is none
};

} // namespace gridhelm::ui
