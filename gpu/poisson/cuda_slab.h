// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/solvers/slab.h"
#include "gpu/poisson/device_values.h"
#include "gpu/poisson/grid_view.h"

#include <cstddef>
#include <span>

namespace gridhelm::gpu {

/// Where a slab of a grid lies on a GPU: an array of it has its rows (2D) or planes (3D), and as
/// many layers as its halos have at both ends, also where the grid has no more. Kernels count rows
/// and planes in the whole grid, so that they compute what they do for one GPU; so they are given
/// the origin, where the whole grid's first value would be.
template <typename T>
class CudaSlab
{
public:
    /// `grid` is the whole one, with the strides of an array.
    CudaSlab(const GridView<T> &grid, const solvers::Slab &slab, const GpuDevice &gpu,
             std::size_t haloLayers)
        : m_slab(slab)
        , m_gpu(gpu)
        , m_grid(grid)
        , m_haloLayers(haloLayers)
        , m_layerStride(grid.is3D ? grid.planeStride : grid.rowStride)
    {
    }

    const solvers::Slab &slab() const { return m_slab; }
    const GpuDevice &gpu() const { return m_gpu; }
    std::size_t haloLayers() const { return m_haloLayers; }
    /// Values from one row (2D) or plane (3D) to the next.
    std::ptrdiff_t layerStride() const { return m_layerStride; }
    std::size_t bytesOfHalo() const
    {
        return m_haloLayers * static_cast<std::size_t>(m_layerStride) * sizeof(T);
    }
    GridView<T> &grid() { return m_grid; }
    const GridView<T> &grid() const { return m_grid; }

    /// The slab with its halos, as far as the grid has layers.
    solvers::Slab withHalos() const { return solvers::widened(m_slab, m_haloLayers); }
    /// Rows of an array before those of the slab, and before those of withHalos().
    std::size_t rowsBeforeSlab() const { return m_haloLayers * rowsOfLayer(); }
    std::size_t rowsBeforeHalos() const
    {
        return (m_haloLayers - (m_slab.begin - withHalos().begin)) * rowsOfLayer();
    }

    /// An array of the slab and its two halos, with rows as `grid` has them: all are 0. The GPU is
    /// current, here and below.
    DeviceValues<T> makeValues(GridView<T> grid, cudaStream_t stream) const
    {
        (grid.is3D ? grid.nz : grid.ny) = static_cast<int>(m_slab.size() + 2 * m_haloLayers);
        return DeviceValues<T>(grid, stream);
    }
    /// The slab's part of the whole grid's values, with its halos, each times `factor`; waits.
    void assign(DeviceValues<T> &values, std::span<const double> whole, double factor,
                cudaStream_t stream) const
    {
        const auto layer = rowsOfLayer() * static_cast<std::size_t>(m_grid.nx);
        const auto part = withHalos();
        values.assign(whole.subspan(part.begin * layer, part.size() * layer), factor, stream,
                      rowsBeforeHalos());
    }
    /// Where the whole grid's first value would be.
    T *origin(const DeviceValues<T> &values, std::ptrdiff_t layerStride) const
    {
        return values.data()
               + (static_cast<std::ptrdiff_t>(m_haloLayers)
                  - static_cast<std::ptrdiff_t>(m_slab.begin))
                     * layerStride;
    }
    T *origin(const DeviceValues<T> &values) const { return origin(values, m_layerStride); }

private:
    /// In 3D of a plane, in 2D one.
    std::size_t rowsOfLayer() const
    {
        return m_grid.is3D ? static_cast<std::size_t>(m_grid.ny) : 1;
    }

    solvers::Slab m_slab;
    GpuDevice m_gpu;
    GridView<T> m_grid;
    std::size_t m_haloLayers;
    std::ptrdiff_t m_layerStride;
};

} // namespace gridhelm::gpu
