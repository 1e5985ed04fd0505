// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/point_stream.h"

#include "gpu/support/host_copy.h"

#include <algorithm>

namespace gridhelm::gpu {

namespace {

/// So many at least that a portion fills the device, so few at most that portions overlap.
constexpr std::size_t smallestPortion = PointStream<float>::smallestShare,
                      largestPortion = std::size_t{1} << 20;
constexpr std::size_t portions = 4;
/// What sorting takes for each point.
constexpr std::size_t sortingBytes = 16;

/// Points of a portion at most.
std::size_t mostPoints(std::size_t count, std::size_t bytesPerPoint)
{
    const auto wanted =
        std::clamp((count + portions - 1) / portions, smallestPortion, largestPortion);
    // Two portions are in flight.
    const auto affordable = freeDeviceBytes() / 3 / (bytesPerPoint + sortingBytes);
    return std::min(wanted, std::max<std::size_t>(affordable, 256));
}

/// All points, in portions of one size, for equal sums.
class EqualPortions final : public sparse::PortionSource
{
public:
    EqualPortions(std::size_t count, std::size_t most)
        : m_count(count)
    {
        const auto pieces = std::max<std::size_t>((count + most - 1) / most, 1);
        m_size = std::max<std::size_t>((count + pieces - 1) / pieces, 1);
    }

    sparse::Share next(std::size_t, std::size_t) override
    {
        const auto begin = m_next;
        m_next = std::min(m_next + m_size, m_count);
        return {begin, m_next};
    }

private:
    std::size_t m_count, m_size, m_next = 0;
};

template <typename T>
std::size_t mostOf(sparse::PointsView<T> points, std::size_t resultsPerPoint)
{
    const auto values = static_cast<std::size_t>(points.dimension) + resultsPerPoint;
    return mostPoints(points.count(), values * sizeof(T));
}

} // namespace

/// launch(lane) enqueues the evaluation of lane.count points; take(lane) copies its staged results
/// to where they belong.
template <typename T>
template <typename Launch, typename Take>
void PointStream<T>::run(sparse::PointsView<T> points, sparse::PortionSource &source,
                         std::size_t most, std::size_t resultsPerPoint, Launch launch, Take take)
{
    const auto d = static_cast<std::size_t>(points.dimension);
    std::size_t allFinished = 0;
    const auto finish = [&](Lane &lane) {
        if (lane.count == 0)
            return;
        const auto finished = lane.count;
        lane.count = 0;
        lane.stream.wait("evaluate points");
        lane.count = finished;
        take(lane);
        allFinished += finished;
        lane.count = 0;
    };
    for (auto &lane : m_lanes)
        lane.count = 0; // of an evaluation that failed
    std::size_t next = 0;
    for (;;) {
        auto &lane = m_lanes[next % m_lanes.size()];
        finish(lane);
        const auto portion = source.next(most, allFinished);
        const auto begin = portion.begin, size = portion.size();
        if (size == 0)
            break;
        ++next;
        lane.begin = begin;
        lane.stagedPoints.reserve(size * d);
        lane.points.reserve(size * d);
        lane.stagedResults.reserve(size * resultsPerPoint);
        lane.results.reserve(size * resultsPerPoint);
        copyWithThreads(points.coordinates.data() + begin * d, lane.stagedPoints.data(),
                        size * d * sizeof(T), m_host);
        check(cudaMemcpyAsync(lane.points.data(), lane.stagedPoints.data(), size * d * sizeof(T),
                              cudaMemcpyHostToDevice, lane.stream),
              "take points");
        lane.count = size;
        launch(lane);
        check(cudaMemcpyAsync(lane.stagedResults.data(), lane.results.data(),
                              size * resultsPerPoint * sizeof(T), cudaMemcpyDeviceToHost,
                              lane.stream),
              "give results back");
    }
    for (std::size_t i = 0; i < m_lanes.size(); ++i)
        finish(m_lanes[next++ % m_lanes.size()]);
}

template <typename T>
void PointStream<T>::interpolate(const RandomPoints &plan, NodeValues<T> &values,
                                 sparse::PointsView<T> points, sparse::EvaluationOutput<T> out)
{
    if (points.count() == 0)
        return;
    EqualPortions all(points.count(), mostOf(points, out.indicator.empty() ? 1 : 2));
    interpolate(plan, values, points, all, out);
}

template <typename T>
void PointStream<T>::interpolate(const RandomPoints &plan, NodeValues<T> &values,
                                 sparse::PointsView<T> points, sparse::PortionSource &source,
                                 sparse::EvaluationOutput<T> out)
{
    const bool withIndicator = !out.indicator.empty();
    // Not on the lanes' streams, for both read the clusters.
    if (plan.prepare(values, points.count(), m_lanes[0].stream))
        m_lanes[0].stream.wait("arrange coefficients");
    run(
        points, source, mostOf(points, withIndicator ? 2 : 1), withIndicator ? 2 : 1,
        [&](Lane &lane) {
            plan.interpolate(values, lane.points.data(), static_cast<std::uint32_t>(lane.count),
                             lane.results.data(),
                             withIndicator ? lane.results.data() + lane.count : nullptr,
                             lane.scratch, lane.stream);
        },
        [&](const Lane &lane) {
            const auto *results = lane.stagedResults.data();
            const auto bytes = lane.count * sizeof(T);
            copyWithThreads(results, out.values.data() + lane.begin, bytes, m_host);
            if (withIndicator)
                copyWithThreads(results + lane.count, out.indicator.data() + lane.begin, bytes,
                                m_host);
        });
}

template <typename T>
void PointStream<T>::gradients(const RandomPoints &plan, NodeValues<T> &values,
                               sparse::PointsView<T> points, std::span<T> out,
                               std::span<T> gradients)
{
    const auto d = static_cast<std::size_t>(points.dimension);
    const auto most = mostOf(points, d + 1);
    EqualPortions all(points.count(), most);
    run(
        points, all, most, d + 1,
        [&](Lane &lane) {
            const auto count = static_cast<std::uint32_t>(lane.count);
            plan.interpolate(values, lane.points.data(), count, lane.results.data(),
                             static_cast<T *>(nullptr), lane.scratch, lane.stream);
            plan.gradients(values, lane.points.data(), count, lane.results.data() + lane.count,
                           lane.stream);
        },
        [&](const Lane &lane) {
            const auto *results = lane.stagedResults.data();
            const auto bytes = lane.count * sizeof(T);
            copyWithThreads(results, out.data() + lane.begin, bytes, m_host);
            copyWithThreads(results + lane.count, gradients.data() + lane.begin * d, d * bytes,
                            m_host);
        });
}

template class PointStream<float>;
template class PointStream<double>;

} // namespace gridhelm::gpu
