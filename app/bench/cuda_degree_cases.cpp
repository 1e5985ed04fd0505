// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/cuda_degree_cases.h"

#include "app/bench/degree_cases.h"
#include "app/bench/device_measure.h"
#include "core/sparse/unfolded/unfold.h"
#include "gpu/sparse/hierarchization.h"
#include "gpu/sparse/random_points.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/require_gpu.h"

#include <span>

namespace gridhelm::bench {

using nlohmann::json;
using namespace sparse;

namespace {

template <typename T>
json benchEvaluation(const GridShape &shape, const CudaSparseOptions &options)
{
    const SparseGrid grid(shape);
    const auto coefficients = randomNumbers<T>(grid.points(), -1, 1);
    const auto points = randomNumbers<T>(options.points * degreeDimension, 0, 1);
    const auto count = static_cast<std::uint32_t>(options.points);
    const UnfoldedGrid nodes(grid);
    const auto unfolded = unfold<T>(grid, nodes, coefficients);
    const gpu::DeviceBuffer<T> onDevice{std::span<const T>(unfolded.get(), nodes.storage())};
    const gpu::DeviceBuffer<T> devicePoints{std::span<const T>(points)};
    gpu::DeviceBuffer<T> values(count);
    const gpu::Stream stream;
    const gpu::RandomPoints plan(nodes);
    gpu::NodeValues<T> arranged;
    arranged.nodes = onDevice.data();
    plan.prepare(arranged, count, stream);
    gpu::PointScratch<T> scratch;
    const auto timing = timeOnDevice(
        [&] {
            plan.interpolate<T>(arranged, devicePoints.data(), count, values.data(), nullptr,
                                scratch, stream);
        },
        stream, options.repeats);
    const auto contributions = grid.activeFunctions(grid.groups());
    return {{"contributions", contributions},
            {"evaluate_seconds_per_contribution",
             timing.median / static_cast<double>(count) / static_cast<double>(contributions)},
            {"error", errorOfInterpolation(grid, coefficients, points, downloaded(values))}};
}

/// There and back, so that the values stay what they are.
template <typename T>
json benchTransform(const GridShape &shape, const CudaSparseOptions &options)
{
    const SparseGrid grid(shape);
    const auto nodal = randomNumbers<T>(grid.points(), -1, 1);
    gpu::DeviceBuffer<T> values{std::span<const T>(nodal)};
    const gpu::HierarchizationPlan plan(grid);
    const gpu::Stream stream;
    std::vector<double> seconds;
    gpu::Event begin, end;
    for (int i = -2; i < options.repeats; ++i) {
        begin.record(stream);
        plan.run(gpu::Transform::hierarchize, values.data(), stream);
        end.record(stream);
        end.wait();
        if (i >= 0)
            seconds.push_back(gpu::Event::secondsBetween(begin, end));
        plan.run(gpu::Transform::dehierarchize, values.data(), stream);
    }
    stream.wait("hierarchize");
    return {{"transformed_points", grid.points()},
            {"hierarchize_seconds_per_point",
             timingOf(seconds).median / static_cast<double>(grid.points())}};
}

template <typename T>
json benchFamily(BoundaryTreatment treatment, int level, int transformLevel,
                 const CudaSparseOptions &options)
{
    const auto evaluated = degreeShapes(treatment, level);
    const auto transformed = degreeShapes(treatment, transformLevel);
    // A level of leja is one point: such grids are small.
    const GridShape transformedLeja(degreeDimension, 2 * transformLevel, BoundaryTreatment::leja);
    json rows = json::array();
    for (std::size_t i = 0; i < evaluated.size(); ++i) {
        const bool isLeja = evaluated[i].treatment == toString(BoundaryTreatment::leja);
        json row = {{"treatment", evaluated[i].treatment},
                    {"degree", evaluated[i].degree},
                    {"dim", degreeDimension},
                    {"level", level},
                    {"transform_level", (isLeja ? 2 : 1) * transformLevel}};
        row.update(benchEvaluation<T>(evaluated[i].shape, options));
        row.update(benchTransform<T>(isLeja ? transformedLeja : transformed[i].shape, options));
        const auto &first = rows.empty() ? row : rows.front();
        const auto toFirst = [&](const char *what) {
            return row[what].get<double>() / first[what].get<double>();
        };
        const double evaluate = toFirst("evaluate_seconds_per_contribution");
        row["hierarchize_to_first"] = toFirst("hierarchize_seconds_per_point");
        row["evaluate_to_first"] = evaluate;
        rows.push_back(row);
    }
    return rows;
}

} // namespace

json benchCudaDegrees(const CudaSparseOptions &options)
{
    const gpu::OnGpu scope(gpu::requireGpu(options.context));
    json result = json::object();
    for (const auto &[treatment, level, transformLevel] :
         {std::tuple{BoundaryTreatment::zero, 8, 12},
          {BoundaryTreatment::boundary, 6, 9},
          {BoundaryTreatment::clenshawCurtis, 9, 13}}) {
        for (const auto &row : benchFamily<double>(treatment, level, transformLevel, options))
            result["double"].push_back(row);
        for (const auto &row : benchFamily<float>(treatment, level, transformLevel, options))
            result["float"].push_back(row);
    }
    return result;
}

} // namespace gridhelm::bench
