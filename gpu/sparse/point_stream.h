// SPDX-License-Identifier: GPL-3.0-or-later
//
// Evaluation at points of the CPU: in portions, through pinned memory, so that one portion is
// copied while another is evaluated.
#pragma once

#include "core/sparse/backend.h"
#include "core/sparse/portion_source.h"
#include "gpu/sparse/random_points.h"
#include "gpu/support/stream.h"

#include <array>
#include <cstddef>

namespace gridhelm::gpu {

template <typename T>
class PointStream
{
public:
    /// The threads of `host` copy points and results.
    explicit PointStream(const CpuDevice &host)
        : m_host(host)
    {
    }

    /// With so many points no portion is so small that sums depend on its size, unless little
    /// memory is left.
    static constexpr std::size_t smallestShare = std::size_t{2} * RandomPoints::plentyOfPoints;

    /// Everything that `plan` and `values` need must have been enqueued on streams that are done.
    void interpolate(const RandomPoints &plan, NodeValues<T> &values, sparse::PointsView<T> points,
                     sparse::EvaluationOutput<T> out);
    /// Those that the source hands out.
    void interpolate(const RandomPoints &plan, NodeValues<T> &values, sparse::PointsView<T> points,
                     sparse::PortionSource &source, sparse::EvaluationOutput<T> out);
    /// Values and gradients.
    void gradients(const RandomPoints &plan, NodeValues<T> &values, sparse::PointsView<T> points,
                   std::span<T> out, std::span<T> gradients);

private:
    /// What one portion in flight needs.
    struct Lane
    {
        Stream stream;
        PinnedBuffer<T> stagedPoints, stagedResults;
        DeviceBuffer<T> points, results;
        PointScratch<T> scratch;
        std::size_t begin = 0, count = 0; ///< of the portion in flight
    };
    template <typename Launch, typename Take>
    void run(sparse::PointsView<T> points, sparse::PortionSource &source, std::size_t most,
             std::size_t resultsPerPoint, Launch launch, Take take);

    CpuDevice m_host;
    std::array<Lane, 2> m_lanes;
};

} // namespace gridhelm::gpu
