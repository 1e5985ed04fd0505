// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/pmm/cuda_pmm_share.h"

#include "gpu/pmm/medium_upload.h"
#include "gpu/support/on_gpu.h"

#include <algorithm>
#include <bit>

namespace gridhelm::gpu {
template <typename T>
CudaPmmShare<T>::CudaPmmShare(const solvers::PmmRun &run, const solvers::PmmSlabs &slabs,
                              std::size_t index, const GpuDevice &gpu,
                              const CudaPmmChoices &choices)
    : m_gpu(gpu)
    , m_run(run)
    , m_choices(choices)
    , m_index(index)
    , m_bricks{bricksIn(run.problem().nodes[0]), bricksIn(run.problem().nodes[1]),
               bricksIn(run.problem().nodes[2])}
    , m_dividesAgain(!slabs.rows.empty())
    , m_changes(m_bricks[0] * m_bricks[1] * m_bricks[2])
    , m_outcome(1)
    , m_outcomeHere(1)
{
    const auto &n = run.problem().nodes;
    const PmmParts parts(n, slabs, index, sizeof(T));
    const auto make = [](const std::optional<PmmPart> &part) {
        std::optional<Layout> layout;
        if (part)
            layout.emplace(Layout{*part, DeviceBuffer<T>(part->layout.size()), {}});
        return layout;
    };
    m_alongX = make(parts.alongX);
    m_alongY = make(parts.alongY);
    m_ofRows = make(parts.ofRows);
    const auto tiles = std::max({maxTiles(n[0], n[1]), maxTiles(n[0], n[2]), maxTiles(n[1], n[2])});
    m_progress = DeviceBuffer<unsigned>(tiles);
    check(cudaMemsetAsync(m_progress.data(), 0, m_progress.bytes(), m_stream), "fill its memory");
    m_messages = DeviceBuffer<std::byte>(messageBytes<T>(tiles));
    check(cudaMemsetAsync(m_messages.data(), 0, m_messages.bytes(), m_stream), "fill its memory");
    if (slabs.devices() < 2)
        return;
    m_haloSize = n[0] * std::max(n[1], n[2]);
    m_halos = DeviceBuffer<T>(4 * m_haloSize);
    emptyHalos(0);
    emptyHalos(1);
    m_tilesOfHalo = maxTiles(std::max(n[0], n[1]), 1);
    m_progressBeyond = DeviceBuffer<unsigned>(2 * m_tilesOfHalo);
    check(cudaMemsetAsync(m_progressBeyond.data(), 0, m_progressBeyond.bytes(), m_stream),
          "fill its memory");
    m_others = DeviceBuffer<MarchOutcome *>(slabs.devices() - 1);
}

template <typename T>
PmmShareMemory<T> CudaPmmShare<T>::memory() const
{
    PmmShareMemory<T> memory;
    const auto take = [](const std::optional<Layout> &layout, T *&times,
                         std::array<T *, 2> &coefficients) {
        if (!layout)
            return;
        times = layout->times.data();
        for (std::size_t c = 0; c < layout->coefficients.size(); ++c)
            coefficients[c] = layout->coefficients[c].data();
    };
    take(m_alongX, memory.planes, memory.planeCoefficients);
    take(m_ofRows, memory.rows, memory.rowCoefficients);
    memory.halos = m_halos.data();
    memory.progressBeyond = m_progressBeyond.data();
    memory.changes = m_changes.data();
    memory.outcome = m_outcome.data();
    return memory;
}

template <typename T>
void CudaPmmShare<T>::connect(std::vector<Reached> all, const int *abandoned)
{
    m_all = std::move(all);
    m_abandoned = abandoned;
    std::vector<MarchOutcome *> others;
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        if (i != m_index)
            others.push_back(m_all[i].memory.outcome);
    }
    if (others.empty())
        return;
    check(cudaMemcpyAsync(m_others.data(), others.data(), m_others.bytes(), cudaMemcpyHostToDevice,
                          m_stream),
          "be told of the others");
    m_stream.wait("be told of the others");
}

template <typename T>
void CudaPmmShare<T>::clear()
{
    setMedium();
    for (auto *layout : {&m_alongX, &m_alongY, &m_ofRows}) {
        if (*layout)
            fillAll((*layout)->times, solvers::unreachedTime<T>, m_stream);
    }
}

template <typename T>
std::size_t CudaPmmShare<T>::coefficientCount() const
{
    return !solvers::variesInSpace(m_run.problem()) ? 0 : m_run.isAnisotropic() ? 2 : 1;
}

/// Of the slab of planes; all bricks are new then.
template <typename T>
void CudaPmmShare<T>::setMedium()
{
    const auto &problem = m_run.problem();
    if (!solvers::variesInSpace(problem))
        return;
    const auto count = coefficientCount();
    for (auto *layout : {&m_alongX, &m_alongY, &m_ofRows}) {
        if (!*layout)
            continue;
        auto &coefficients = (*layout)->coefficients;
        while (coefficients.size() > count && !m_dividesAgain) // others may have opened it
            coefficients.pop_back();
        while (coefficients.size() < count)
            coefficients.emplace_back((*layout)->layout.size());
    }
    fillAll(m_changes, neverChanged + 1, m_stream);
    if (!m_alongX)
        return;
    uploadMedium(m_run, m_alongX->layout, m_alongX->first[2] * brickEdge, m_alongX->coefficients,
                 m_stream);
    for (std::size_t c = 0; c < count; ++c)
        exchangeXY(m_alongX->coefficients[c].data(), m_alongX->layout,
                   m_alongY->coefficients[c].data(), m_alongY->layout, 0, bricksOf(*m_alongX),
                   neverChanged, m_stream);
}

template <typename T>
void CudaPmmShare<T>::setSources(std::span<const PmmSourceNode<T>> all, int change)
{
    fillAll(m_changes, neverChanged, m_stream);
    std::vector<PmmSourceNode<T>> nodes;
    if (m_alongX) {
        const auto perPlane = m_run.problem().nodes[0] * m_run.problem().nodes[1];
        const auto first = m_alongX->first[2] * brickEdge * perPlane;
        const auto end = first + m_alongX->layout.points[2] * perPlane;
        for (const auto &source : all) {
            if (source.node >= first && source.node < end)
                nodes.push_back({source.node - first, source.time});
        }
    }
    if (!nodes.empty()) {
        const DeviceBuffer<PmmSourceNode<T>> sources{std::span<const PmmSourceNode<T>>(nodes)};
        placeSources(sources, nodes.size(), m_alongX->times.data(), m_alongX->layout,
                     bricksOf(*m_alongX), change, m_stream);
        m_stream.wait("take the source"); // the buffer ends here
    }
}

/// The part of times from a plane on that is those of its planes.
template <typename T>
template <typename Value>
std::span<Value> CudaPmmShare<T>::planesOf(std::span<Value> all, std::size_t firstPlane) const
{
    const auto perPlane = m_run.problem().nodes[0] * m_run.problem().nodes[1];
    return all.subspan((m_alongX->first[2] * brickEdge - firstPlane) * perPlane,
                       m_alongX->layout.points[2] * perPlane);
}

template <typename T>
void CudaPmmShare<T>::setTimes(std::span<const T> all, int change)
{
    fillAll(m_changes, change, m_stream); // each of them may lower others
    if (m_alongX) {
        const auto times = planesOf(all, 0);
        const DeviceBuffer<T> packed(std::min(times.size(), bytesOnTheWay / sizeof(T)));
        for (std::size_t first = 0; first < times.size(); first += packed.size()) {
            const std::size_t values = std::min(packed.size(), times.size() - first);
            check(cudaMemcpyAsync(packed.data(), times.data() + first, values * sizeof(T),
                                  cudaMemcpyHostToDevice, m_stream),
                  "take the initial guess");
            unpackTimes(packed.data(), first, values, m_alongX->times.data(), m_alongX->layout,
                        m_stream);
        }
        m_stream.wait("take the initial guess"); // the buffer ends here
    }
}

template <typename T>
void CudaPmmShare<T>::setOutcome(const MarchOutcome &outcome)
{
    *m_outcomeHere.data() = outcome;
    check(cudaMemcpyAsync(m_outcome.data(), m_outcomeHere.data(), m_outcome.bytes(),
                          cudaMemcpyHostToDevice, m_stream),
          "take the source");
    m_stream.wait("take the source");
}

template <typename T>
void CudaPmmShare<T>::beginSweep()
{
    check(
        cudaMemsetAsync(&m_outcome.data()->largestChange, 0, sizeof(unsigned long long), m_stream),
        "fill its memory");
}

template <typename T>
void CudaPmmShare<T>::endSweep()
{
    check(cudaMemcpyAsync(m_outcomeHere.data(), m_outcome.data(), m_outcome.bytes(),
                          cudaMemcpyDeviceToHost, m_stream),
          "tell the largest change");
}

template <typename T>
double CudaPmmShare<T>::largestChange()
{
    m_stream.wait("propagate the front");
    return std::bit_cast<double>(m_outcomeHere.data()->largestChange);
}

/// Among those of the whole grid.
template <typename T>
std::ptrdiff_t CudaPmmShare<T>::firstBrick(const Layout &layout) const
{
    return static_cast<std::ptrdiff_t>((layout.first[2] * m_bricks[1] + layout.first[1])
                                       * m_bricks[0]);
}

/// Counted in the whole grid but for the planes.
template <typename T>
PmmBricks CudaPmmShare<T>::bricksOf(const Layout &layout) const
{
    return {{m_bricks[0], m_bricks[1], layout.bricks[2]}, m_changes.data() + firstBrick(layout)};
}

template <typename T>
typename CudaPmmShare<T>::OptionalLayout CudaPmmShare<T>::layoutAlong(std::size_t axis) const
{
    if (axis == 0 && m_choices.exchangeForX)
        return &CudaPmmShare::m_alongY;
    return axis == 2 && m_dividesAgain ? &CudaPmmShare::m_ofRows : &CudaPmmShare::m_alongX;
}

template <typename T>
const std::optional<PmmPart> &CudaPmmShare<T>::partAlong(std::size_t axis,
                                                         const PmmParts &parts) const
{
    if (axis == 0 && m_choices.exchangeForX)
        return parts.alongY;
    return axis == 2 && m_dividesAgain ? parts.ofRows : parts.alongX;
}

/// Of the axes of the memory.
template <typename T>
MarchPlanes<T> CudaPmmShare<T>::planesOf(const Layout &layout, std::size_t normalAxis,
                                         std::size_t rowAxis, int sense) const
{
    const std::size_t lineAxis = 3 - normalAxis - rowAxis;
    const std::array<std::size_t, 3> axes{lineAxis, rowAxis, normalAxis};
    const std::array<std::ptrdiff_t, 3> strides{
        1, static_cast<std::ptrdiff_t>(layout.layout.rowStride),
        static_cast<std::ptrdiff_t>(layout.layout.planeStride)};
    const std::array<std::ptrdiff_t, 3> brickStrides{
        1, static_cast<std::ptrdiff_t>(m_bricks[0]),
        static_cast<std::ptrdiff_t>(m_bricks[0] * m_bricks[1])};
    const auto &points = layout.layout.points;

    MarchPlanes<T> planes;
    planes.width = static_cast<int>(points[lineAxis]);
    planes.rows = static_cast<int>(points[rowAxis]);
    planes.planes = static_cast<int>(points[normalAxis]);
    planes.columnStride = strides[lineAxis];
    planes.rowStride = strides[rowAxis];
    planes.planeStride = sense * strides[normalAxis];
    planes.backwards = sense < 0;
    const auto first = sense > 0 ? 0 : (planes.planes - 1) * strides[normalAxis];
    planes.times = layout.times.data() + first;
    for (std::size_t c = 0; c < layout.coefficients.size(); ++c)
        planes.coefficients[c] = layout.coefficients[c].data() + first;
    planes.changes = m_changes.data() + firstBrick(layout);
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t axis = layout.axes[axes[i]];
        planes.bricks[i] = static_cast<int>(layout.bricks[axis]);
        planes.brickStrides[i] = brickStrides[axis];
    }
    planes.skips = m_choices.skipsUnchangedTiles;
    planes.progress = m_progress.data();
    planes.messages = m_messages.data();
    planes.outcome = m_outcome.data();
    return planes;
}

template <typename T>
MarchMedium<T> CudaPmmShare<T>::mediumOf(const Layout &layout, std::size_t lineAxis,
                                         std::size_t rowAxis, std::size_t normalAxis,
                                         int sense) const
{
    MarchMedium<T> medium;
    medium.anisotropic = m_run.isAnisotropic();
    const std::array<std::size_t, 3> axes{lineAxis, rowAxis, normalAxis};
    for (std::size_t i = 0; i < 3; ++i)
        medium.direction[i] = static_cast<T>(m_run.problem().direction[layout.axes[axes[i]]]);
    medium.direction[2] *= static_cast<T>(sense);
    const auto constant = m_run.coefficientsAt(0);
    medium.constant = {static_cast<T>(constant[0]), static_cast<T>(constant[1])};
    return medium;
}

template <typename T>
T *CudaPmmShare<T>::halo(T *halos, int subSweep, std::size_t side) const
{
    return halos + (2 * static_cast<std::size_t>(subSweep % 2) + side) * m_haloSize;
}

/// Of both sides.
template <typename T>
void CudaPmmShare<T>::emptyHalos(int subSweep)
{
    if (m_haloSize > 0)
        check(cudaMemsetAsync(halo(m_halos.data(), subSweep, 0), haloIsEmpty,
                              2 * m_haloSize * sizeof(T), m_stream),
              "fill its memory");
}

/// To the shares that have a part in sub-sweeps along the same axis.
template <typename T>
void CudaPmmShare<T>::addBorders(MarchPlanes<T> &planes, std::size_t axis) const
{
    planes.others = m_others.data();
    planes.otherCount = static_cast<int>(m_others.size());
    planes.abandoned = m_abandoned;
    const auto changesBefore = planes.changes - m_changes.data();
    for (std::size_t side = 0; side < 2; ++side) {
        if (side == 0 ? m_index == 0 : m_index + 1 >= m_all.size())
            continue;
        const auto &[parts, other] = m_all[side == 0 ? m_index - 1 : m_index + 1];
        if (!partAlong(axis, parts))
            continue;
        planes.borders[side] = {halo(m_halos.data(), planes.subSweep, side),
                                m_progressBeyond.data() + side * m_tilesOfHalo,
                                halo(other.halos, planes.subSweep, 1 - side),
                                other.progressBeyond + (1 - side) * m_tilesOfHalo,
                                other.changes + changesBefore};
    }
}

template <typename T>
void CudaPmmShare<T>::subSweep(std::size_t axis, int sense, const SubSweepCount &count)
{
    if (m_choices.beforeSubSweep)
        m_choices.beforeSubSweep(m_index, count.number);
    emptyHalos(count.number + 1);
    const auto &layout = this->*layoutAlong(axis);
    if (!layout)
        return;
    // Of the memory's axes 1 and 2 (or, uncoalesced, 0), one is the normal and the other counts
    // rows.
    const std::size_t normalAxis = axis == 2 ? 2 : axis == 1 || m_choices.exchangeForX ? 1 : 0;
    const std::size_t rowAxis = axis == 2 ? 1 : 2;
    auto planes = planesOf(*layout, normalAxis, rowAxis, sense);
    planes.subSweep = count.number;
    planes.beginning = count.beginning;
    addBorders(planes, axis);
    const auto medium = mediumOf(*layout, 3 - normalAxis - rowAxis, rowAxis, normalAxis, sense);
    int mostRows = 0;
    for (const auto &[parts, memory] : m_all) {
        const auto &part = partAlong(axis, parts);
        if (part)
            mostRows = std::max(mostRows, static_cast<int>(part->layout.points[rowAxis]));
    }
    march(planes, medium,
          {m_choices.launchPerPlane, m_gpu.part.count, m_choices.rowsOfTile, mostRows}, m_stream);
}

template <typename T>
void CudaPmmShare<T>::exchangeForX(int changedAfter)
{
    if (m_alongX)
        exchangeXY(m_alongX->times.data(), m_alongX->layout, m_alongY->times.data(),
                   m_alongY->layout, 0, bricksOf(*m_alongX), changedAfter, m_stream);
}

template <typename T>
void CudaPmmShare<T>::exchangeBack(int changedAfter)
{
    if (m_alongX)
        exchangeXY(m_alongY->times.data(), m_alongY->layout, m_alongX->times.data(),
                   m_alongX->layout, 1, bricksOf(*m_alongY), changedAfter, m_stream);
}

template <typename T>
void CudaPmmShare<T>::copyTimes(std::span<T> all, std::size_t firstPlane) const
{
    if (!m_alongX)
        return;
    const auto times = planesOf(all, firstPlane);
    const DeviceBuffer<T> packed(std::min(times.size(), bytesOnTheWay / sizeof(T)));
    for (std::size_t first = 0; first < times.size(); first += packed.size()) {
        const std::size_t values = std::min(packed.size(), times.size() - first);
        packTimes(m_alongX->times.data(), m_alongX->layout, first, values, packed.data(), m_stream);
        check(cudaMemcpyAsync(times.data() + first, packed.data(), values * sizeof(T),
                              cudaMemcpyDeviceToHost, m_stream),
              "deliver the times");
    }
    m_stream.wait("deliver the times");
}

template <typename T>
bool CudaPmmShare<T>::isIdle() const
{
    const auto status = cudaStreamQuery(m_stream);
    if (status == cudaErrorNotReady)
        return false;
    check(status, "propagate the front");
    return true;
}

template <typename T>
void CudaPmmShare<T>::waitUntilIdle() const noexcept
{
    cudaStreamSynchronize(m_stream);
}

template class CudaPmmShare<float>;
template class CudaPmmShare<double>;

} // namespace gridhelm::gpu
