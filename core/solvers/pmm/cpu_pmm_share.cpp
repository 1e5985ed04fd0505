// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/cpu_pmm_share.h"

#include <algorithm>
#include <cstddef>

namespace gridhelm::solvers {
namespace {

std::optional<Slab> slabOf(const std::vector<Slab> &slabs, std::size_t index)
{
    return index < slabs.size() ? std::optional(slabs[index]) : std::nullopt;
}

} // namespace

template <typename T>
void CpuPmmShare<T>::Arrivals::announce(std::uint64_t count)
{
    m_count.store(count, std::memory_order_release);
    m_count.notify_one();
}

template <typename T>
void CpuPmmShare<T>::Arrivals::await(std::uint64_t count, bool stayAwake) const
{
    // A neighbour is a few microseconds behind as a rule, which is less than waking up takes. About
    // as long as threads of OpenMP look out for each other.
    const int glances = stayAwake ? 200'000 : 0;
    for (int i = 0; i < glances; ++i) {
        if (m_count.load(std::memory_order_acquire) >= count)
            return;
    }
    for (auto now = m_count.load(std::memory_order_acquire); now < count;
         now = m_count.load(std::memory_order_acquire))
        m_count.wait(now, std::memory_order_acquire);
}

template <typename T>
CpuPmmShare<T>::Layout::Layout(const std::array<std::size_t, 3> &nodes, bool varies,
                               const CpuDevice &cpu)
    : times(nodes, 3, cpu)
{
    for (int i = 0; varies && i < 2; ++i)
        coefficients.emplace_back(nodes, 3, cpu);
}

template <typename T>
CpuPmmShare<T>::CpuPmmShare(const PmmRun &run, const PmmSlabs &slabs, std::size_t index,
                            const CpuDevice &cpu)
    : m_run(run)
    , m_cpu(cpu)
    , m_index(index)
    , m_planes(slabOf(slabs.planes, index))
    , m_rows(slabOf(slabs.rows, index))
    , m_dividesAgain(!slabs.rows.empty())
{
    const auto &n = run.problem().nodes;
    const bool varies = variesInSpace(run.problem());
    if (m_planes) {
        m_alongX.emplace(Extent{n[0], n[1], m_planes->size()}, varies, cpu);
        m_alongY.emplace(Extent{n[1], n[0], m_planes->size()}, varies, cpu);
    }
    if (m_rows)
        m_ofRows.emplace(Extent{n[0], m_rows->size(), n[2]}, varies, cpu);
}

template <typename T>
void CpuPmmShare<T>::connect(std::span<const std::unique_ptr<CpuPmmShare>> all, Meeting &meeting,
                             bool stayAwake)
{
    m_all = all;
    m_meeting = &meeting;
    m_stayAwake = stayAwake;
}

template <typename T>
void CpuPmmShare<T>::restart(std::span<const T> times)
{
    for (auto *layout : {&m_alongX, &m_alongY, &m_ofRows}) {
        if (*layout)
            fillAll((*layout)->times, unreachedTime<T>, m_cpu);
    }
    const auto &n = m_run.problem().nodes;
    const auto setMedium = [&](Layout &layout, const Extent &first) {
        if (auto &c = layout.coefficients; !c.empty())
            setCoefficients<T>(m_run, first, {&c[0], &c[1]}, m_cpu);
    };
    if (m_planes) {
        const auto plane = n[0] * n[1];
        takeTimes(times.subspan(m_planes->begin * plane, m_planes->size() * plane),
                  m_alongX->times);
        setMedium(*m_alongX, {0, 0, m_planes->begin});
        for (std::size_t c = 0; c < m_alongX->coefficients.size(); ++c)
            exchange(m_alongX->coefficients[c], m_alongY->coefficients[c]);
    }
    if (m_rows)
        setMedium(*m_ofRows, {0, m_rows->begin, 0});
}

/// Where the sub-sweeps along an axis of the grid are made.
template <typename T>
typename CpuPmmShare<T>::OptionalLayout CpuPmmShare<T>::layoutAlong(std::size_t axis) const
{
    if (axis == 0)
        return &CpuPmmShare::m_alongY;
    return axis == 2 && m_dividesAgain ? &CpuPmmShare::m_ofRows : &CpuPmmShare::m_alongX;
}

/// Only where there is such a layout.
template <typename T>
PlaneMarch<T> CpuPmmShare<T>::marchAlong(std::size_t axis, int sense)
{
    const auto &given = m_run.problem().direction;
    const auto a = [&](std::size_t component) { return static_cast<T>(given[component]); };
    MarchDirection<T> direction{1, 2, sense, {a(0), a(2), a(1)}};
    if (axis == 2)
        direction = {2, 1, sense, {a(0), a(1), a(2)}};
    else if (axis == 0)
        direction = {1, 2, sense, {a(1), a(2), a(0)}};
    const auto constant = m_run.coefficientsAt(0);
    MarchedMedium<T> medium{
        m_run.isAnisotropic(), {static_cast<T>(constant[0]), static_cast<T>(constant[1])}, {}};
    auto &layout = *(this->*layoutAlong(axis));
    for (std::size_t c = 0; c < layout.coefficients.size(); ++c)
        medium.coefficients[c] = &layout.coefficients[c];
    return {layout.times, layout.times, medium, direction};
}

/// The next share (1) or the one before (-1); null if it has no part in sub-sweeps along this axis.
template <typename T>
CpuPmmShare<T> *CpuPmmShare<T>::neighbour(std::ptrdiff_t step, std::size_t axis) const
{
    const auto index = static_cast<std::ptrdiff_t>(m_index) + step;
    if (index < 0 || index >= static_cast<std::ptrdiff_t>(m_all.size()))
        return nullptr;
    auto &share = *m_all[static_cast<std::size_t>(index)];
    return share.*layoutAlong(axis) ? &share : nullptr;
}

template <typename T>
void CpuPmmShare<T>::sendRow(const PlaneMarch<T> &from, std::ptrdiff_t plane, std::ptrdiff_t row,
                             const Receiver &receiver, std::ptrdiff_t halo) const
{
    std::copy_n(from.row(plane, row), from.width(), receiver.march.row(plane, halo));
    receiver.arrivals.announce(m_halos + static_cast<std::uint64_t>(plane) + 1);
}

/// A sub-sweep whose planes the shares have in common.
template <typename T>
T CpuPmmShare<T>::marchBesideOthers(std::size_t axis, int sense)
{
    const auto &n = m_run.problem().nodes;
    T largest = 0;
    if (this->*layoutAlong(axis)) {
        const auto march = marchAlong(axis, sense);
        std::optional<Receiver> lower, upper;
        if (auto *share = neighbour(-1, axis))
            lower.emplace(share->marchAlong(axis, sense), share->m_fromUpper);
        if (auto *share = neighbour(1, axis))
            upper.emplace(share->marchAlong(axis, sense), share->m_fromLower);
        const auto rowsHere = static_cast<std::size_t>(march.rows());
        const int threads = marchingThreads(rowsHere * march.width(), m_run.isAnisotropic(), m_cpu);
#pragma omp parallel num_threads(threads) reduction(max : largest)
        {
            // Of the two threads at the edges, each waits and sends for its own.
            const auto rows = rowsOfThread(march.rows());
            const bool hasRows = rows.first < rows.end;
            const bool meetsLower = lower && hasRows && rows.first == 0;
            const bool meetsUpper = upper && hasRows && rows.end == march.rows();
            for (std::ptrdiff_t plane = 0; plane < march.planes(); ++plane) {
                if (plane > 0) { // the first one is given
                    const auto halos = m_halos + static_cast<std::uint64_t>(plane);
                    if (meetsLower)
                        m_fromLower.await(halos, m_stayAwake);
                    if (meetsUpper)
                        m_fromUpper.await(halos, m_stayAwake);
                    largest = std::max(largest, march.update(plane, rows));
                }
                if (meetsLower)
                    sendRow(march, plane, 0, *lower, lower->march.rows());
                if (meetsUpper)
                    sendRow(march, plane, march.rows() - 1, *upper, -1);
#pragma omp barrier
            }
        }
    }
    m_halos += n[axis];
    return largest;
}

/// A sub-sweep along z, from share to share. Bands are skewed: a band of plane k is a row before
/// that of plane k - 1, so that everything it needs is in its own band or in those before it.
template <typename T>
T CpuPmmShare<T>::marchAfterOthers(int sense)
{
    const auto &n = m_run.problem().nodes;
    const auto all = static_cast<std::ptrdiff_t>(n[1] + n[2] - 1); // rows of planes, skewed
    const auto bandRows =
        std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(n[1]) / bandsOfPlane, 1);
    const auto bands = (all + bandRows - 1) / bandRows;
    T largest = 0;
    if (m_alongX) {
        const auto march = marchAlong(2, sense);
        const bool begins = neighbour(-sense, 2) == nullptr;
        const auto &arrivals = sense > 0 ? m_fromLower : m_fromUpper;
        std::optional<Receiver> next;
        if (auto *share = neighbour(sense, 2))
            next.emplace(share->marchAlong(2, sense),
                         sense > 0 ? share->m_fromLower : share->m_fromUpper);
        const auto before =
            static_cast<std::ptrdiff_t>(sense > 0 ? m_planes->begin : m_planes->of - m_planes->end);
        const auto rowsOf = [&](std::ptrdiff_t band, std::ptrdiff_t plane) {
            const auto first = band * bandRows - before - plane;
            return RowRange{std::clamp<std::ptrdiff_t>(first, 0, march.rows()),
                            std::clamp<std::ptrdiff_t>(first + bandRows, 0, march.rows())};
        };
        const int threads = marchingThreads(static_cast<std::size_t>(bandRows) * march.width(),
                                            m_run.isAnisotropic(), m_cpu);
#pragma omp parallel num_threads(threads) reduction(max : largest)
        for (std::ptrdiff_t band = 0; band < bands; ++band) {
            const auto count = m_halos + static_cast<std::uint64_t>(band) + 1;
            if (!begins) {
#pragma omp single
                arrivals.await(count, m_stayAwake);
            }
            for (std::ptrdiff_t plane = begins ? 1 : 0; plane < march.planes(); ++plane) {
                const auto rows = rowsOf(band, plane);
                if (rows.first == rows.end)
                    continue;
                const auto mine = rowsOfThread(rows.end - rows.first);
                largest = std::max(
                    largest, march.update(plane, {rows.first + mine.first, rows.first + mine.end}));
#pragma omp barrier
            }
            if (next) {
#pragma omp single nowait
                {
                    const auto last = march.planes() - 1;
                    const auto rows = rowsOf(band, last);
                    for (auto row = rows.first; row < rows.end; ++row)
                        std::copy_n(march.row(last, row), march.width(), next->march.row(-1, row));
                    next->arrivals.announce(count);
                }
            }
        }
    }
    m_halos += static_cast<std::uint64_t>(bands);
    return largest;
}

template <typename T>
void CpuPmmShare<T>::exchange(const PaddedGrid<T> &from, PaddedGrid<T> &to) const
{
    const auto planes = from.points()[2];
#pragma omp parallel for schedule(static) num_threads(m_cpu.threads)
    for (std::size_t k = 0; k < planes; ++k)
        exchangeXY(from, to, k);
}

/// Copies what is in both slabs; x is whole in both.
template <typename T>
void CpuPmmShare<T>::takeRows()
{
    if (!m_rows)
        return;
    for (const auto &share : m_all) {
        if (!share->m_planes)
            continue;
        const auto &planes = *share->m_planes;
#pragma omp parallel for schedule(static) num_threads(m_cpu.threads)
        for (std::size_t k = 0; k < planes.size(); ++k)
            copyRows(share->m_alongX->times, {m_rows->begin, k}, m_ofRows->times,
                     {0, planes.begin + k}, m_rows->size());
    }
}

template <typename T>
void CpuPmmShare<T>::takePlanes()
{
    if (!m_planes)
        return;
    for (const auto &share : m_all) {
        if (!share->m_rows)
            continue;
        const auto &rows = *share->m_rows;
#pragma omp parallel for schedule(static) num_threads(m_cpu.threads)
        for (std::size_t k = 0; k < m_planes->size(); ++k)
            copyRows(share->m_ofRows->times, {0, m_planes->begin + k}, m_alongX->times,
                     {rows.begin, k}, rows.size());
    }
}

template <typename T>
T CpuPmmShare<T>::sweepAlongZ()
{
    T largest = 0;
    if (m_dividesAgain) {
        m_meeting->arrive_and_wait(); // the planes are what the last sweep has left
        takeRows();
        for (int sense : {1, -1})
            largest = std::max(largest, marchBesideOthers(2, sense));
        m_meeting->arrive_and_wait();
        takePlanes();
        return largest;
    }
    for (int sense : {1, -1})
        largest = std::max(largest, marchAfterOthers(sense));
    m_meeting->arrive_and_wait(); // what follows has halos in the same ghosts
    return largest;
}

template <typename T>
T CpuPmmShare<T>::sweep()
{
    T largest = sweepAlongZ();
    for (int sense : {1, -1})
        largest = std::max(largest, marchBesideOthers(1, sense));
    if (m_planes)
        exchange(m_alongX->times, m_alongY->times);
    for (int sense : {1, -1})
        largest = std::max(largest, marchBesideOthers(0, sense));
    if (m_planes)
        exchange(m_alongY->times, m_alongX->times);
    return largest;
}

template <typename T>
void CpuPmmShare<T>::copyTimes(std::span<T> times) const
{
    if (!m_planes)
        return;
    const auto plane = m_alongX->times.points()[0] * m_alongX->times.points()[1];
    giveTimes(m_alongX->times, times.subspan(m_planes->begin * plane, m_planes->size() * plane));
}

template class CpuPmmShare<float>;
template class CpuPmmShare<double>;

} // namespace gridhelm::solvers
