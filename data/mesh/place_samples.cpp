// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/place_samples.h"

#include "core/support/error.h"
#include "data/mesh/entity_slopes.h"
#include "data/mesh/entity_volumes.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_coordinates.h"
#include "data/mesh/mesh_motion.h"
#include "data/mesh/mesh_probe.h"

#include <vtkIdList.h>
#include <vtkNew.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace gridhelm::data {

namespace {

using answers::PlaceKind;

/// A mesh as it stands, with what many places ask of it. One thread at a time.
class StandingMesh
{
public:
    /// Keeps the data set.
    explicit StandingMesh(vtkDataSet &data)
        : m_data(data)
    {
    }

    vtkDataSet &data() const { return m_data; }
    vtkStaticCellLocator &locator()
    {
        if (!m_locator) {
            m_locator = vtkSmartPointer<vtkStaticCellLocator>::New();
            m_locator->SetDataSet(&m_data);
            m_locator->BuildLocator();
        }
        return *m_locator;
    }
    const std::vector<double> &volumes(Association of)
    {
        auto &known = m_volumes[of];
        if (!known)
            known = entityVolumes(m_data, of);
        return *known;
    }
    /// It stands elsewhere now.
    void forget()
    {
        m_locator = nullptr;
        m_volumes.clear();
    }

private:
    vtkDataSet &m_data;
    vtkSmartPointer<vtkStaticCellLocator> m_locator;
    std::map<Association, std::optional<std::vector<double>>> m_volumes;
};

bool isInside(const MeshPlace &place, const double *x)
{
    const auto &n = place.numbers;
    if (place.kind == PlaceKind::whole)
        return true;
    if (place.kind == PlaceKind::sphere)
        return std::hypot(x[0] - n[0], x[1] - n[1], x[2] - n[2]) <= n[3];
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (!(x[axis] >= n[axis] && x[axis] <= n[axis + 3]))
            return false;
    return true;
}

ResponseSamples inRegion(StandingMesh &mesh, Association of, const MeshPlace &place)
{
    auto &data = mesh.data();
    const auto places = of == Association::point ? placesOfPoints(data) : placesOfCells(data);
    const auto &volumes = mesh.volumes(of);
    ResponseSamples samples;
    samples.association = of;
    for (std::size_t i = 0; i < volumes.size(); ++i) {
        if (!isInside(place, places.data() + 3 * i))
            continue;
        samples.shares.push_back({i, 1});
        samples.first.push_back(samples.shares.size());
        samples.weights.push_back(volumes[i]);
    }
    return samples;
}

/// Cells that have no points but these.
std::vector<std::size_t> cellsWithin(vtkDataSet &data, const std::vector<std::size_t> &points)
{
    std::vector<std::size_t> cells;
    vtkNew<vtkIdList> ids;
    for (vtkIdType c = 0; c < data.GetNumberOfCells(); ++c) {
        data.GetCellPoints(c, ids);
        bool isWithin = ids->GetNumberOfIds() > 0;
        for (vtkIdType k = 0; k < ids->GetNumberOfIds() && isWithin; ++k)
            isWithin = std::ranges::binary_search(points, static_cast<std::size_t>(ids->GetId(k)));
        if (isWithin)
            cells.push_back(static_cast<std::size_t>(c));
    }
    return cells;
}

std::vector<std::size_t> pointsOfCells(vtkDataSet &data, const std::vector<std::size_t> &cells)
{
    std::vector<std::size_t> points;
    vtkNew<vtkIdList> ids;
    for (const auto cell : cells) {
        data.GetCellPoints(static_cast<vtkIdType>(cell), ids);
        for (vtkIdType k = 0; k < ids->GetNumberOfIds(); ++k)
            points.push_back(static_cast<std::size_t>(ids->GetId(k)));
    }
    std::ranges::sort(points);
    const auto doubled = std::ranges::unique(points);
    points.erase(doubled.begin(), doubled.end());
    return points;
}

ResponseSamples onNumbered(StandingMesh &mesh, Association of, const MeshPlace &place)
{
    auto &data = mesh.data();
    const bool areCells = place.numbered == Association::cell;
    const auto cells = areCells                  ? place.entities
                       : of == Association::cell ? cellsWithin(data, place.entities)
                                                 : std::vector<std::size_t>();
    const auto entities = of == Association::cell ? cells
                          : areCells              ? pointsOfCells(data, cells)
                                                  : place.entities;
    const auto volumes = areCells || of == Association::cell
                             ? entityVolumes(data, of, cells)
                             : mesh.volumes(of); // of what is around the points
    ResponseSamples samples;
    samples.association = of;
    for (const auto i : entities) {
        samples.shares.push_back({i, 1});
        samples.first.push_back(samples.shares.size());
        samples.weights.push_back(volumes.at(i));
    }
    return samples;
}

ResponseSamples atPlaces(StandingMesh &mesh, Association of, const std::vector<double> &places,
                         double weight)
{
    const MeshProbe probe(mesh.data(), mesh.locator(), places);
    ResponseSamples samples;
    samples.association = of;
    for (std::size_t i = 0; i < probe.places(); ++i) {
        for (const auto &share : probe.sharesAt(i, of))
            samples.shares.push_back({share.entity, share.weight});
        samples.first.push_back(samples.shares.size());
        samples.weights.push_back(weight);
    }
    return samples;
}

bool isRegion(const MeshPlace &place)
{
    return place.kind != PlaceKind::point && place.kind != PlaceKind::line;
}

/// Of all of the mesh; there may be none.
ResponseSamples allAt(StandingMesh &mesh, Association of, const MeshPlace &place)
{
    const auto &n = place.numbers;
    if (place.kind == PlaceKind::point)
        return atPlaces(mesh, of, n, 1);
    if (place.kind == PlaceKind::numbered)
        return onNumbered(mesh, of, place);
    if (isRegion(place))
        return inRegion(mesh, of, place);
    constexpr int pieces = 201;
    std::vector<double> places;
    for (int i = 0; i < pieces; ++i)
        for (std::size_t axis = 0; axis < 3; ++axis)
            places.push_back(n[axis] + (n[axis + 3] - n[axis]) * (i + 0.5) / pieces);
    return atPlaces(mesh, of, places, std::hypot(n[3] - n[0], n[4] - n[1], n[5] - n[2]) / pieces);
}

/// Those in the body: of a region what is left, of a point or a line all, or an error.
ResponseSamples inBody(const ResponseSamples &all, const MeshPlace &place,
                       std::span<const float> distance)
{
    ResponseSamples samples;
    samples.association = all.association;
    for (std::size_t i = 0; i < all.places(); ++i) {
        double inside = 0;
        for (auto k = all.first[i]; k < all.first[i + 1]; ++k)
            inside += all.shares[k].weight * static_cast<double>(distance[all.shares[k].entity]);
        if (!(inside >= 0)) {
            if (isRegion(place))
                continue;
            throw Error("the region of this response is outside of the body: choose one that is "
                        "inside whatever the parameters");
        }
        samples.shares.insert(samples.shares.end(),
                              all.shares.begin() + static_cast<std::ptrdiff_t>(all.first[i]),
                              all.shares.begin() + static_cast<std::ptrdiff_t>(all.first[i + 1]));
        samples.first.push_back(samples.shares.size());
        samples.weights.push_back(all.weights[i]);
    }
    return samples;
}

ResponseSamples withWeights(ResponseSamples samples)
{
    if (samples.weights.empty())
        throw Error("there is nothing of the mesh in the region of this response: choose a larger "
                    "one, or one elsewhere");
    if (std::ranges::none_of(samples.weights, [](double weight) { return weight > 0; }))
        samples.weights.assign(samples.weights.size(), 1.0); // a mesh of points
    return samples;
}

void addSlopes(ResponseSamples &samples, EntitySlopes &&of, SlopeAxes axes)
{
    for (std::size_t place = 0; place < samples.places(); ++place) {
        std::map<std::size_t, Vector3> weights;
        for (auto k = samples.first[place]; k < samples.first[place + 1]; ++k)
            for (const auto &share : of.at(samples.shares[k].entity))
                for (std::size_t axis = 0; axis < 3; ++axis)
                    weights[share.entity][axis] += samples.shares[k].weight * share.weight[axis];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (!axes[axis])
                continue;
            auto &sums = samples.slopes[axis];
            for (const auto &[entity, weight] : weights)
                if (weight[axis] != 0)
                    sums.shares.push_back({entity, weight[axis]});
            sums.first.push_back(sums.shares.size());
        }
    }
}

void refuseSlopesAtBorder()
{
    throw Error("slopes at the border of a body in a background grid would take values from "
                "outside of it: leave slopes out of the formula");
}

bool hasAny(const SlopeAxes &slopes)
{
    return std::ranges::count(slopes, true) > 0;
}

ResponseSamples samplesOn(StandingMesh &mesh, Association of, const MeshPlace &place,
                          SlopeAxes slopes, std::span<const float> distance)
{
    auto samples = allAt(mesh, of, place);
    if (!distance.empty())
        samples = inBody(samples, place, distance);
    samples = withWeights(std::move(samples));
    if (!hasAny(slopes))
        return samples;
    if (!distance.empty())
        refuseSlopesAtBorder();
    addSlopes(samples, EntitySlopes(mesh.data(), of), slopes);
    return samples;
}

/// One mesh for all who ask. Where a body moves through a grid that stays, what is at a place is
/// looked for once; where nodes move, in each state, one after the other. All places of one state
/// share what was found out about the mesh there.
class MeshInState
{
public:
    explicit MeshInState(const Mesh &mesh)
        : m_data(decodeMesh(mesh))
        , m_standing(*m_data)
    {
    }

    ResponseSamples samples(Association of, const MeshPlace &place, SlopeAxes slopes,
                            const GeometryValues &geometry)
    {
        const auto distance =
            of == Association::point ? std::span(geometry.distance) : std::span<const float>();
        if (geometry.displacement.empty() && !distance.empty()) {
            if (hasAny(slopes))
                refuseSlopesAtBorder();
            return withWeights(inBody(*knownAt(of, place), place, distance));
        }
        const std::scoped_lock lock(m_mutex);
        if (!geometry.displacement.empty()) {
            if (!m_nodes)
                m_nodes.emplace(*m_data);
            if (geometry.displacement != m_displacement) {
                m_nodes->move(geometry.displacement);
                m_displacement = geometry.displacement;
                m_standing.forget();
            }
        }
        return samplesOn(m_standing, of, place, slopes, distance);
    }

private:
    std::shared_ptr<const ResponseSamples> knownAt(Association of, const MeshPlace &place)
    {
        const std::scoped_lock lock(m_mutex);
        auto &known = m_known[{of, place.kind, place.field, place.numbers}];
        if (!known)
            known = std::make_shared<const ResponseSamples>(allAt(m_standing, of, place));
        return known;
    }

    std::mutex m_mutex;
    vtkSmartPointer<vtkDataSet> m_data;
    StandingMesh m_standing;
    std::optional<MovingNodes> m_nodes;
    std::vector<float> m_displacement; ///< at which it stands; empty: where it was made
    std::map<std::tuple<Association, PlaceKind, std::string, std::vector<double>>,
             std::shared_ptr<const ResponseSamples>>
        m_known; ///< of the mesh as it stands, wherever a body is
};

} // namespace

ResponseSamples samplesAt(vtkDataSet &data, Association of, const MeshPlace &place,
                          SlopeAxes slopes, std::span<const float> distance)
{
    StandingMesh mesh(data);
    return samplesOn(mesh, of, place, slopes, distance);
}

SamplesOfMesh samplesOf(const Study &study)
{
    if (study.description().kind == StudyKind::scalar)
        return {}; // which needs none
    const auto mesh = study.mesh();
    if (!mesh)
        throw Error("the study has no mesh yet: run its first job");
    auto state = std::make_shared<MeshInState>(*mesh);
    return [state](Association of, const MeshPlace &place, SlopeAxes slopes,
                   const GeometryValues &geometry) {
        return state->samples(of, place, slopes, geometry);
    };
}

} // namespace gridhelm::data
