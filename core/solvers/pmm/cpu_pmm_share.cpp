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
    , m_slabs(slabs)
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
    // A neighbour is a few microseconds behind as a rule, which is less than waking up takes. About
    // as long as threads of OpenMP look out for each other.
    m_glances = stayAwake ? 200'000 : 0;
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

/// The next share (1) or the one before (-1); none if there is none with a part in sub-sweeps along
/// this axis.
template <typename T>
std::optional<typename CpuPmmShare<T>::Neighbour>
CpuPmmShare<T>::neighbour(std::ptrdiff_t step, std::size_t axis, int sense) const
{
    const auto layout = layoutAlong(axis);
    const auto &slabs = layout == &CpuPmmShare::m_ofRows ? m_slabs.rows : m_slabs.planes;
    const auto index = static_cast<std::ptrdiff_t>(m_index) + step;
    if (index < 0 || index >= static_cast<std::ptrdiff_t>(slabs.size()))
        return std::nullopt;
    if (m_ranks != nullptr)
        return Neighbour{std::nullopt, static_cast<int>(index)};
    auto &share = *m_all[static_cast<std::size_t>(index)];
    auto &arrivals = step > 0 ? share.m_fromLower : share.m_fromUpper;
    return Neighbour{Receiver{share.marchAlong(axis, sense), arrivals}, 0};
}

template <typename T>
void CpuPmmShare<T>::awaitHalo(const Neighbour &neighbour, const Arrivals &arrivals,
                               std::uint64_t count) const
{
    if (neighbour.receiver)
        arrivals.await(count, m_glances);
    else
        m_ranks->await(neighbour.rank);
}

/// The first or last row of a plane, for the neighbour's ghosts there.
template <typename T>
void CpuPmmShare<T>::sendEdge(const PlaneMarch<T> &march, std::ptrdiff_t plane, bool isLast,
                              const Neighbour &neighbour) const
{
    const T *edge = march.row(plane, isLast ? march.rows() - 1 : 0);
    if (const auto &receiver = neighbour.receiver) {
        const auto halo = isLast ? -1 : receiver->march.rows();
        std::copy_n(edge, march.width(), receiver->march.row(plane, halo));
        receiver->arrivals.announce(m_halos + static_cast<std::uint64_t>(plane) + 1);
        return;
    }
    T *halo = march.row(plane, isLast ? march.rows() : -1);
    m_ranks->receive(neighbour.rank, writableBytesOf(halo, march.width()));
    m_ranks->send(neighbour.rank, bytesOf(edge, march.width()));
}

/// Until all that another rank and this one have sent each other is there.
template <typename T>
void CpuPmmShare<T>::settle(const std::optional<Neighbour> &neighbour) const
{
    if (neighbour && !neighbour->receiver)
        m_ranks->await(neighbour->rank);
}

/// A sub-sweep whose planes the shares have in common.
template <typename T>
T CpuPmmShare<T>::marchBesideOthers(std::size_t axis, int sense)
{
    const auto &n = m_run.problem().nodes;
    T largest = 0;
    if (this->*layoutAlong(axis)) {
        const auto march = marchAlong(axis, sense);
        const auto lower = neighbour(-1, axis, sense);
        const auto upper = neighbour(1, axis, sense);
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
                        awaitHalo(*lower, m_fromLower, halos);
                    if (meetsUpper)
                        awaitHalo(*upper, m_fromUpper, halos);
                    largest = std::max(largest, march.update(plane, rows));
                }
                if (meetsLower)
                    sendEdge(march, plane, false, *lower);
                if (meetsUpper)
                    sendEdge(march, plane, true, *upper);
#pragma omp barrier
            }
        }
        settle(lower);
        settle(upper);
    }
    m_halos += n[axis];
    return largest;
}

/// The same rows of the neighbour's last plane, before this one's first.
template <typename T>
void CpuPmmShare<T>::awaitBand(const PlaneMarch<T> &march, const RowRange &rows,
                               const Neighbour &before, const Arrivals &arrivals,
                               std::uint64_t count) const
{
    if (before.receiver) {
        arrivals.await(count, m_glances);
    } else if (rows.first < rows.end) {
        T *first = march.row(-1, rows.first);
        const auto size = march.row(-1, rows.end - 1) - first;
        m_ranks->receive(before.rank,
                         writableBytesOf(first, static_cast<std::size_t>(size) + march.width()));
        m_ranks->await(before.rank);
    }
}

template <typename T>
void CpuPmmShare<T>::sendBand(const PlaneMarch<T> &march, const RowRange &rows,
                              const Neighbour &next, std::uint64_t count) const
{
    const auto last = march.planes() - 1;
    if (const auto &receiver = next.receiver) {
        for (auto row = rows.first; row < rows.end; ++row)
            std::copy_n(march.row(last, row), march.width(), receiver->march.row(-1, row));
        receiver->arrivals.announce(count);
    } else if (rows.first < rows.end) {
        const T *first = march.row(last, rows.first);
        const auto size = march.row(last, rows.end - 1) - first;
        m_ranks->send(next.rank, bytesOf(first, static_cast<std::size_t>(size) + march.width()));
    }
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
        const auto previous = neighbour(-sense, 2, sense);
        const auto next = neighbour(sense, 2, sense);
        const auto &arrivals = sense > 0 ? m_fromLower : m_fromUpper;
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
            if (previous) {
#pragma omp single
                awaitBand(march, rowsOf(band, -1), *previous, arrivals, count);
            }
            for (std::ptrdiff_t plane = previous ? 0 : 1; plane < march.planes(); ++plane) {
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
                sendBand(march, rowsOf(band, march.planes() - 1), *next, count);
            }
        }
        settle(next);
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
    if (m_ranks != nullptr)
        return exchangeBlocks(true);
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
    if (m_ranks != nullptr)
        return exchangeBlocks(false);
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

/// Of the planes here, what is in the other's slab of rows.
template <typename T>
std::optional<typename CpuPmmShare<T>::Block> CpuPmmShare<T>::ownPlanes(std::size_t rank)
{
    const auto rows = slabOf(m_slabs.rows, rank);
    if (!rows || !m_planes)
        return std::nullopt;
    return Block{m_alongX->times, rows->begin, rows->size(), 0, m_planes->size()};
}

/// Of the rows here, what is in the other's slab of planes.
template <typename T>
std::optional<typename CpuPmmShare<T>::Block> CpuPmmShare<T>::ownRows(std::size_t rank)
{
    const auto planes = slabOf(m_slabs.planes, rank);
    if (!planes || !m_rows)
        return std::nullopt;
    return Block{m_ofRows->times, 0, m_rows->size(), planes->begin, planes->size()};
}

/// Every share sends each other one a message with what is in the slabs of both, itself included.
template <typename T>
void CpuPmmShare<T>::exchangeBlocks(bool intoRows)
{
    const auto width = m_run.problem().nodes[0];
    const auto visitRows = [&](const Block &block, const auto &visit) {
#pragma omp parallel for schedule(static) num_threads(m_cpu.threads)
        for (std::size_t k = 0; k < block.planes; ++k) {
            for (std::size_t j = 0; j < block.rows; ++j)
                visit(block.times.row(static_cast<std::ptrdiff_t>(block.firstRow + j),
                                      static_cast<std::ptrdiff_t>(block.firstPlane + k)),
                      (k * block.rows + j) * width);
        }
    };
    const auto count = m_slabs.devices(); // the other ranks have no share
    std::vector<std::vector<T>> sent(count), received(count);
    for (std::size_t rank = 0; rank < count; ++rank) {
        if (const auto from = intoRows ? ownPlanes(rank) : ownRows(rank)) {
            sent[rank].resize(from->rows * from->planes * width);
            visitRows(*from, [&](const T *row, std::size_t at) {
                std::copy_n(row, width, sent[rank].data() + at);
            });
        }
        if (const auto to = intoRows ? ownRows(rank) : ownPlanes(rank))
            received[rank].resize(to->rows * to->planes * width);
        if (rank == m_index) {
            received[rank] = sent[rank];
            continue;
        }
        const auto other = static_cast<int>(rank);
        m_ranks->receive(other, writableBytesOf(received[rank].data(), received[rank].size()));
        m_ranks->send(other, bytesOf(sent[rank].data(), sent[rank].size()));
    }
    for (std::size_t rank = 0; rank < count; ++rank) {
        if (rank != m_index)
            m_ranks->await(static_cast<int>(rank));
        if (const auto to = intoRows ? ownRows(rank) : ownPlanes(rank))
            visitRows(*to, [&](T *row, std::size_t at) {
                std::copy_n(received[rank].data() + at, width, row);
            });
    }
}

/// Of the shares of this process.
template <typename T>
void CpuPmmShare<T>::meet() const
{
    if (m_meeting != nullptr)
        m_meeting->arrive_and_wait();
}

template <typename T>
T CpuPmmShare<T>::sweepAlongZ()
{
    T largest = 0;
    if (m_dividesAgain) {
        meet(); // the planes are what the last sweep has left
        takeRows();
        for (int sense : {1, -1})
            largest = std::max(largest, marchBesideOthers(2, sense));
        meet();
        takePlanes();
        return largest;
    }
    for (int sense : {1, -1})
        largest = std::max(largest, marchAfterOthers(sense));
    meet(); // what follows has halos in the same ghosts
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
void CpuPmmShare<T>::copyTimes(std::span<T> times, std::size_t firstPlane) const
{
    if (!m_planes)
        return;
    const auto plane = m_alongX->times.points()[0] * m_alongX->times.points()[1];
    giveTimes(m_alongX->times,
              times.subspan((m_planes->begin - firstPlane) * plane, m_planes->size() * plane));
}

template class CpuPmmShare<float>;
template class CpuPmmShare<double>;

} // namespace gridhelm::solvers
