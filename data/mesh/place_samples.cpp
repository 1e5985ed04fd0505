// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/place_samples.h"

#include "core/support/error.h"
#include "data/mesh/entity_slopes.h"
#include "data/mesh/entity_volumes.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_coordinates.h"
#include "data/mesh/mesh_probe.h"

#include <algorithm>
#include <cmath>
#include <map>

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
    double all = 0;
    for (std::size_t i = 0; i < volumes.size(); ++i) {
        if (!isInside(place, places.data() + 3 * i))
            continue;
        samples.shares.push_back({i, 1});
        samples.first.push_back(samples.shares.size());
        samples.weights.push_back(volumes[i]);
        all += volumes[i];
    }
    if (samples.weights.empty())
        throw Error("there is no part of the mesh at the place of this response: choose a larger "
                    "one, or one elsewhere");
    if (!(all > 0)) // a mesh of points
        samples.weights.assign(samples.weights.size(), 1.0);
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

ResponseSamples valuesAt(vtkDataSet &data, Association of, const ResponsePlace &place)
{
    const auto &n = place.numbers;
    if (place.kind == PlaceKind::point)
        return atPlaces(data, of, n, 1);
    if (place.kind != PlaceKind::line)
        return inRegion(data, of, place);
    constexpr int pieces = 201;
    std::vector<double> places;
    for (int i = 0; i < pieces; ++i)
        for (std::size_t axis = 0; axis < 3; ++axis)
            places.push_back(n[axis] + (n[axis + 3] - n[axis]) * (i + 0.5) / pieces);
    return atPlaces(data, of, places, std::hypot(n[3] - n[0], n[4] - n[1], n[5] - n[2]) / pieces);
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

} // namespace

ResponseSamples samplesAt(vtkDataSet &data, Association of, const ResponsePlace &place,
                          SlopeAxes slopes)
{
    auto samples = valuesAt(data, of, place);
    if (std::ranges::count(slopes, true) > 0)
        addSlopes(samples, EntitySlopes(data, of), slopes);
    return samples;
}

SamplesOfMesh samplesOf(const Study &study)
{
    const auto mesh = study.mesh();
    if (!mesh)
        throw Error("the study has no mesh yet: run its first job");
    const auto data = decodeMesh(*mesh);
    return [data](Association of, const ResponsePlace &place, SlopeAxes slopes) {
        return samplesAt(*data, of, place, slopes);
    };
}

} // namespace gridhelm::data
