// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the shares send each other between sub-sweeps.
#include "gpu/pmm/cuda_pmm_share.h"
#include "gpu/support/on_gpu.h"

namespace gridhelm::gpu {

template <typename T>
void CudaPmmShare<T>::meet(Shares shares)
{
    if (shares.size() < 2)
        return;
    for (const auto &share : shares) {
        const OnGpu scope(share->m_gpu);
        share->m_met.record(share->m_stream);
    }
    for (const auto &share : shares) {
        const OnGpu scope(share->m_gpu);
        for (const auto &other : shares) {
            if (other != share)
                share->m_stream.waitFor(other->m_met);
        }
    }
}

template <typename T>
void CudaPmmShare<T>::sendMedium()
{
    if (!m_alongX)
        return;
    for (const auto &[parts, memory] : m_all) {
        for (std::size_t c = 0; parts.ofRows && c < coefficientCount(); ++c)
            sendRows(m_alongX->coefficients[c].data(), *parts.ofRows, memory.rowCoefficients[c],
                     neverChanged);
    }
}

/// The marks of its bricks, of which it alone knows all that happened lately.
template <typename T>
void CudaPmmShare<T>::sendChanges(const Layout &layout)
{
    const auto first = firstBrick(layout);
    const auto pitch = m_bricks[0] * m_bricks[1] * sizeof(int);
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        if (i != m_index)
            check(cudaMemcpy2DAsync(m_all[i].memory.changes + first, pitch,
                                    m_changes.data() + first, pitch,
                                    m_bricks[0] * layout.bricks[1] * sizeof(int), layout.bricks[2],
                                    cudaMemcpyDefault, m_stream),
                  "tell another one what changed");
    }
}

/// What is in the slab of planes and in a slab of rows; x is whole in both.
template <typename T>
void CudaPmmShare<T>::sendRows(const T *planes, const PmmPart &receiver, T *rows, int changedAfter)
{
    const auto &from = m_alongX->layout;
    const auto &to = receiver.layout;
    const auto firstPlane = m_alongX->first[2] * brickEdge;
    const auto firstRow = receiver.first[1] * brickEdge;
    const auto before = receiver.first[1] * m_bricks[0];
    copyRows<T>(
        {planes + firstRow * from.rowStride, from.planeStride, rows + firstPlane * to.planeStride,
         to.planeStride, from.rowStride, from.points[0], to.points[1], from.points[2]},
        {m_bricks, m_changes.data() + firstBrick(*m_alongX) + before}, changedAfter, m_stream);
}

template <typename T>
void CudaPmmShare<T>::sendRows(int changedAfter)
{
    if (!m_alongX)
        return;
    for (const auto &[parts, memory] : m_all) {
        if (parts.ofRows)
            sendRows(m_alongX->times.data(), *parts.ofRows, memory.rows, changedAfter);
    }
    sendChanges(*m_alongX);
}

template <typename T>
void CudaPmmShare<T>::sendPlanes(int changedAfter)
{
    if (!m_ofRows)
        return;
    const auto &from = m_ofRows->layout;
    const auto firstRow = m_ofRows->first[1] * brickEdge;
    for (const auto &[parts, memory] : m_all) {
        if (!parts.alongX)
            continue;
        const auto &to = parts.alongX->layout;
        const auto layer = parts.alongX->first[2];
        const auto before = layer * m_bricks[0] * m_bricks[1];
        copyRows<T>({m_ofRows->times.data() + layer * brickEdge * from.planeStride,
                     from.planeStride, memory.planes + firstRow * to.rowStride, to.planeStride,
                     from.rowStride, from.points[0], from.points[1], to.points[2]},
                    {m_bricks, m_changes.data() + firstBrick(*m_ofRows) + before}, changedAfter,
                    m_stream);
    }
    sendChanges(*m_ofRows);
}

// The class is in cuda_pmm_share.cpp.
template void CudaPmmShare<float>::meet(Shares);
template void CudaPmmShare<float>::sendMedium();
template void CudaPmmShare<float>::sendChanges(const Layout &);
template void CudaPmmShare<float>::sendRows(const float *, const PmmPart &, float *, int);
template void CudaPmmShare<float>::sendRows(int);
template void CudaPmmShare<float>::sendPlanes(int);
template void CudaPmmShare<double>::meet(Shares);
template void CudaPmmShare<double>::sendMedium();
template void CudaPmmShare<double>::sendChanges(const Layout &);
template void CudaPmmShare<double>::sendRows(const double *, const PmmPart &, double *, int);
template void CudaPmmShare<double>::sendRows(int);
template void CudaPmmShare<double>::sendPlanes(int);

} // namespace gridhelm::gpu
