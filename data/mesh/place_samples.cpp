// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/place_samples.h"

#include "core/support/error.h"
#include "data/mesh/entity_slopes.h"
#include "data/mesh/entity_volumes.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_coordinates.h"
#include "data/mesh/mesh_motion.h"
#include "data/mesh/mesh_probe.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

namespace gridhelm::data {

namespace {

using answers::PlaceKind;
using answers::ResponsePlace;

bool isInside(const ResponsePlace &place, const double *x)
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

ResponseSamples inRegion(vtkDataSet &data, Association of, const ResponsePlace &place)
{
    const auto places = of == Association::point ? placesOfPoints(data) : placesOfCells(data);
    const auto volumes = entityVolumes(data, of);
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

ResponseSamples atPlaces(vtkDataSet &data, Association of, const std::vector<double> &places,
                         double weight)
{
    const MeshProbe probe(data, places);
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

bool isRegion(const ResponsePlace &place)
{
    return place.kind != PlaceKind::point && place.kind != PlaceKind::line;
}

/// Of all of the mesh; there may be none.
ResponseSamples allAt(vtkDataSet &data, Association of, const ResponsePlace &place)
{
    const auto &n = place.numbers;
    if (place.kind == PlaceKind::point)
        return atPlaces(data, of, n, 1);
    if (isRegion(place))
        return inRegion(data, of, place);
    constexpr int pieces = 201;
    std::vector<double> places;
    for (int i = 0; i < pieces; ++i)
        for (std::size_t axis = 0; axis < 3; ++axis)
            places.push_back(n[axis] + (n[axis + 3] - n[axis]) * (i + 0.5) / pieces);
    return atPlaces(data, of, places, std::hypot(n[3] - n[0], n[4] - n[1], n[5] - n[2]) / pieces);
}

/// Those in the body: of a region what is left, of a point or a line all, or an error.
ResponseSamples inBody(const ResponseSamples &all, const ResponsePlace &place,
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
            throw Error("the place of this response is outside of the body: choose one that is "
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
        throw Error("there is no part of the mesh at the place of this response: choose a larger "
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

/// One mesh for all who ask. Where a body moves through a grid that stays, what is at a place is
/// looked for once; where nodes move, in each state, one after the other.
class MeshInState
{
public:
    explicit MeshInState(const Mesh &mesh)
        : m_data(decodeMesh(mesh))
    {
    }

    ResponseSamples samples(Association of, const ResponsePlace &place, SlopeAxes slopes,
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
            m_nodes->move(geometry.displacement);
        }
        return samplesAt(*m_data, of, place, slopes, distance);
    }

private:
    std::shared_ptr<const ResponseSamples> knownAt(Association of, const ResponsePlace &place)
    {
        const std::scoped_lock lock(m_mutex);
        auto &known = m_known[{of, place.kind, place.numbers}];
        if (!known)
            known = std::make_shared<const ResponseSamples>(allAt(*m_data, of, place));
        return known;
    }

    std::mutex m_mutex;
    vtkSmartPointer<vtkDataSet> m_data;
    std::optional<MovingNodes> m_nodes;
    std::map<std::tuple<Association, PlaceKind, std::vector<double>>,
             std::shared_ptr<const ResponseSamples>>
        m_known; ///< of the mesh as it stands, wherever a body is
};

} // namespace

ResponseSamples samplesAt(vtkDataSet &data, Association of, const ResponsePlace &place,
                          SlopeAxes slopes, std::span<const float> distance)
{
    auto samples = allAt(data, of, place);
    if (!distance.empty())
        samples = inBody(samples, place, distance);
    samples = withWeights(std::move(samples));
    if (!hasAny(slopes))
        return samples;
    if (!distance.empty())
        refuseSlopesAtBorder();
    addSlopes(samples, EntitySlopes(data, of), slopes);
    return samples;
}

SamplesOfMesh samplesOf(const Study &study)
{
    if (study.description().kind == StudyKind::scalar)
        return {}; // which needs none
    const auto mesh = study.mesh();
    if (!mesh)
        throw Error("the study has no mesh yet: run its first job");
    auto state = std::make_shared<MeshInState>(*mesh);
    return [state](Association of, const ResponsePlace &place, SlopeAxes slopes,
                   const GeometryValues &geometry) {
        return state->samples(of, place, slopes, geometry);
    };
}

} // namespace gridhelm::data
