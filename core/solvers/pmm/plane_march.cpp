// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/plane_march.h"

#include <omp.h>

#include <algorithm>
#include <array>

namespace gridhelm::solvers {
namespace {

constexpr std::array valuesOfUpdates{64, 128, 256, 512, 1024, 2048, 4096, 8192};
constexpr TunableConstant ofThreadConstant{.name = "updates",
                                           .meaning = "updates of a plane that are worth a thread",
                                           .values = valuesOfUpdates,
                                           .compiledIn = defaultUpdatesPerThread};
constexpr std::array<const TunableConstant *, 1> pmmConstants{&ofThreadConstant};

} // namespace

template <typename T>
PlaneMarch<T>::PlaneMarch(const PaddedGrid<T> &from, PaddedGrid<T> &to,
                          const MarchedMedium<T> &medium, const MarchDirection<T> &direction)
    : m_anisotropic(medium.anisotropic)
    , m_from(from.row(0, 0))
    , m_to(to.row(0, 0))
    , m_planes(static_cast<std::ptrdiff_t>(to.points()[direction.normalAxis]))
    , m_rows(static_cast<std::ptrdiff_t>(to.points()[direction.rowAxis]))
    , m_sense(direction.sense)
{
    const auto stride = [&](std::size_t axis) {
        return axis == 2 ? to.planeStride() : to.rowStride();
    };
    m_planeStride = stride(direction.normalAxis);
    m_march.rowStride = stride(direction.rowAxis);
    m_march.width = to.points()[0];
    m_march.constant = medium.constant;
    m_march.direction = {direction.a[0], direction.a[1],
                         static_cast<T>(direction.sense) * direction.a[2]};
    for (std::size_t c = 0; c < 2; ++c) {
        if (medium.coefficients[c] != nullptr)
            m_coefficients[c] = medium.coefficients[c]->row(0, 0);
    }
}

template <typename T>
T PlaneMarch<T>::update(std::ptrdiff_t plane, RowRange range) const
{
    const auto offset = position(plane) * m_planeStride + range.first * m_march.rowStride;
    auto rows = m_march;
    rows.rows = static_cast<std::size_t>(range.end - range.first);
    rows.node = m_to + offset;
    rows.previous = m_from + offset - m_sense * m_planeStride;
    for (std::size_t c = 0; c < 2; ++c) {
        if (m_coefficients[c] != nullptr)
            rows.coefficients[c] = m_coefficients[c] + offset;
    }
    return m_anisotropic ? updateAnisotropic(rows) : updateIsotropic(rows);
}

template class PlaneMarch<float>;
template class PlaneMarch<double>;

constinit const TunableOperation pmmTunable{"pmm", "cpu", pmmConstants};

RowRange rowsOfThread(std::ptrdiff_t rows)
{
    const auto thread = static_cast<std::ptrdiff_t>(omp_get_thread_num());
    const auto threads = static_cast<std::ptrdiff_t>(omp_get_num_threads());
    return {rows * thread / threads, rows * (thread + 1) / threads};
}

int updatesPerThread(const TuningTable &table, std::size_t valueBytes, std::size_t nodes)
{
    return tunedValue(ofThreadConstant, table,
                      keyOf(pmmTunable, valueBytes, static_cast<double>(nodes)));
}

int marchingThreads(std::size_t nodesOfPlane, bool anisotropic, const CpuDevice &cpu,
                    int updatesPerThread)
{
    constexpr std::size_t anisotropicWeight = 3; // how much longer an update takes
    const auto worthIt = nodesOfPlane * (anisotropic ? anisotropicWeight : 1)
                         / static_cast<std::size_t>(updatesPerThread);
    return static_cast<int>(
        std::clamp<std::size_t>(worthIt, 1, static_cast<std::size_t>(cpu.threads)));
}

} // namespace gridhelm::solvers
