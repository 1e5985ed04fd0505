// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/sor/red_black_share.h"

#include "gpu/poisson/sor/source_in_view.h"
#include "gpu/support/on_gpu.h"

#include <algorithm>

namespace gridhelm::gpu::sor {
namespace {

/// With the strides of a colour.
template <typename T>
GridView<T> colouredGrid(GridView<T> grid)
{
    grid.rowStride = paddedRow((static_cast<std::size_t>(grid.nx) + 1) / 2);
    grid.planeStride = grid.rowStride * grid.ny;
    return grid;
}

} // namespace

template <typename T>
RedBlackShare<T>::RedBlackShare(const solvers::PoissonProblem &whole, const solvers::Slab &slab,
                                const GpuDevice &gpu)
    : RedBlackShare(whole, slab, gpu, withoutSource(gridViewOf<T>(whole)),
                    colouredGrid(withoutSource(gridViewOf<T>(whole))))
{
}

template <typename T>
RedBlackShare<T>::RedBlackShare(const solvers::PoissonProblem &whole, const solvers::Slab &slab,
                                const GpuDevice &gpu, const GridView<T> &plain,
                                const GridView<T> &coloured)
    : CudaShare<T>(coloured, slab, static_cast<std::size_t>(redBlackThickness(coloured)), gpu)
    , m_plainGrid(plain)
    , m_spacing(whole.spacing)
    , m_thickness(redBlackThickness(coloured))
    , m_plain(this->makeValues(plain, this->edges()))
    , m_residual(plain, slab)
{
}

template <typename T>
void RedBlackShare<T>::setRelaxation(T w)
{
    m_relaxation = w;
}

template <typename T>
void RedBlackShare<T>::setSides(const std::array<solvers::SideCondition, 6> &sides)
{
    gpu::setSides(this->grid(), sides, m_spacing);
    gpu::setSides(m_plainGrid, sides, m_spacing);
}

template <typename T>
void RedBlackShare<T>::setValues(std::span<const double> whole)
{
    const OnGpu scope(this->gpu());
    this->assign(m_plain, whole, 1, this->edges());
    splitColours(this->grid(), layersWithHalos(), plainOrigin(m_plain), colours(), this->edges());
    this->edges().wait("take the values");
}

template <typename T>
void RedBlackShare<T>::setScaledSource(std::span<const double> whole)
{
    const OnGpu scope(this->gpu());
    const bool isSpike = takesAsSpike(this->grid(), whole);
    takesAsSpike(m_plainGrid, whole);
    if (isSpike) {
        m_plainGrid.source = nullptr;
        return;
    }
    if (m_plainSource.isEmpty()) {
        m_plainSource = this->makeValues(m_plainGrid, this->edges());
        for (auto &colour : m_source)
            colour = this->makeValues(this->grid(), this->edges());
    }
    this->assign(m_plainSource, whole, 1, this->edges());
    m_plainGrid.source = plainOrigin(m_plainSource);
    splitColours(this->grid(), ownLayers(), m_plainGrid.source, source(), this->edges());
    this->edges().wait("take the source");
}

template <typename T>
void RedBlackShare<T>::copyValues(std::span<T> values)
{
    const OnGpu scope(this->gpu());
    mergeColours(this->grid(), ownLayers(), colours(), plainOrigin(m_plain), this->edges());
    m_plain.copyTo(values, this->edges(), this->rowsBeforeSlab());
}

template <typename T>
void RedBlackShare<T>::findResiduals(PeerCopy &copy, double *blockSums)
{
    const OnGpu scope(this->gpu());
    const auto &stream = this->edges();
    mergeColours(this->grid(), layersWithHalos(), colours(), plainOrigin(m_plain), stream);
    m_residual.find(m_plainGrid, plainOrigin(m_plain), copy, blockSums, stream);
}

template <typename T>
void RedBlackShare<T>::launch(TileRange tiles, bool, const Stream &stream)
{
    const int colour = static_cast<int>(this->turns());
    auto grid = this->grid();
    if (m_plainGrid.source != nullptr)
        grid.source = source().colours[colour];
    const int end = static_cast<int>(this->slab().end);
    const LayerRange layers{tiles.first * m_thickness, std::min(tiles.end * m_thickness, end)};
    const T weight = m_relaxation / static_cast<T>(grid.is3D ? 6 : 4);
    relaxColour(grid, layers, colours(), colour, 1 - m_relaxation, weight, stream);
}

/// Red is what the first update makes.
template <typename T>
Coloured<T> RedBlackShare<T>::colours() const
{
    return {{this->origin(this->values(1)), this->origin(this->values(0))}};
}

template <typename T>
Coloured<T> RedBlackShare<T>::source() const
{
    return {{this->origin(m_source[0]), this->origin(m_source[1])}};
}

template <typename T>
LayerRange RedBlackShare<T>::ownLayers() const
{
    return {static_cast<int>(this->slab().begin), static_cast<int>(this->slab().end)};
}

template <typename T>
LayerRange RedBlackShare<T>::layersWithHalos() const
{
    const auto all = this->withHalos();
    return {static_cast<int>(all.begin), static_cast<int>(all.end)};
}

template <typename T>
T *RedBlackShare<T>::plainOrigin(const DeviceValues<T> &plain) const
{
    return this->origin(plain, m_plainGrid.is3D ? m_plainGrid.planeStride : m_plainGrid.rowStride);
}

template class RedBlackShare<float>;
template class RedBlackShare<double>;

} // namespace gridhelm::gpu::sor
