// SPDX-License-Identifier: GPL-3.0-or-later
//
// A study of two fields with a time, samples of its mesh, and responses of it.
#pragma once

#include "data/answers/study_responses.h"
#include "tests/data/study_cases.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace gridhelm::test {

inline constexpr std::uint64_t entities = 40;

/// Every node, with an uneven weight; a point is a node and a half of its neighbour. The slope
/// along x is the difference to the node behind, and there are no others.
inline data::ResponseSamples samplesOf(data::Association of, const answers::ResponsePlace &place,
                                       data::SlopeAxes slopes, const data::GeometryValues &)
{
    data::ResponseSamples samples;
    samples.association = of;
    if (place.kind == answers::PlaceKind::point) {
        samples.shares = {{3, 0.5}, {4, 0.5}};
        samples.first.push_back(2);
        samples.weights = {1};
        return samples;
    }
    for (std::size_t i = 0; i < entities; ++i) {
        samples.shares.push_back({i, 1});
        samples.first.push_back(i + 1);
        samples.weights.push_back(1 + static_cast<double>(i % 3));
        if (!slopes[0])
            continue;
        auto &along = samples.slopes[0];
        if (i + 1 < entities) {
            along.shares.push_back({i + 1, 1});
            along.shares.push_back({i, -1});
        }
        along.first.push_back(along.shares.size());
    }
    return samples;
}

inline data::StudyWriter responseStudy(const std::filesystem::path &path, int holdOuts)
{
    auto writer = data::StudyWriter::create(path, smallDescription(4));
    writer.addField(smallField("u", entities));
    writer.addField(smallField("v", entities, 3));
    runAllJobs(writer);
    compress(writer, {});
    Random random(7);
    for (int i = 0; i < holdOuts; ++i) {
        const std::vector x{random.real(0.05, 0.95), random.real(0.05, 0.95),
                            random.real(0.05, 0.95)};
        const auto parameters = writer.description().space.fromUnit(x);
        const auto id = writer.addHoldOut(parameters);
        const auto at = writer.description().space.toUnit(parameters);
        for (data::FieldIndex field = 0; field < 2; ++field)
            writer.putHoldOut(id, field, snapshotAt(at, writer, field));
    }
    return writer;
}

inline const data::ResponseDefinition mean{"mean", "m/s", "2 * u - v_y + 3", "mean", ""};
inline const data::ResponseDefinition probe{"probe", "m/s", "v_z", "value", "point 0,0,0"};
inline const data::ResponseDefinition drift{"drift", "1/s", "3 * grad_x(v_y) - u", "mean", ""};
inline const data::ResponseDefinition steepest{"steepest", "", "abs(grad_x(u))", "maximum", ""};
inline const data::ResponseDefinition peak{"peak", "", "mag(v) + u", "maximum", ""};

} // namespace gridhelm::test
