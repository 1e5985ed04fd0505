// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson/methods.h"
#include "core/solvers/sor/mlssor_tiling.h"
#include "core/solvers/sor/sor_iterations.h"
#include "core/solvers/sor/sor_options.h"
#include "gpu/poisson/methods.h"
#include "gpu/poisson/sor/device_sweeper.h"
#include "gpu/poisson/sor/kernels.h"

#include <array>
#include <memory>
#include <vector>

namespace gridhelm::gpu {
namespace {

using solvers::MlssorShape;
using solvers::MlssorTiling;
using solvers::PoissonProblem;
using solvers::SweepDirection;

/// [Di2010]: K layers in one pass, as four kernels of independent tiles.
template <typename T>
class Mlssor final : public sor::DeviceSweeper<T>
{
public:
    Mlssor(const PoissonProblem &problem, const MlssorShape &shape, SweepDirection direction,
           const GpuDevice &gpu)
        : sor::DeviceSweeper<T>(problem, gpu)
        , m_direction(direction)
        , m_isBackward(direction == SweepDirection::backward)
        , m_layers(static_cast<int>(shape.layers))
        , m_width(static_cast<int>(shape.width))
        , m_values(this->view(), this->stream())
    {
        for (std::size_t axis = 0; axis < 2; ++axis)
            m_ranges[axis] = Ranges(MlssorTiling(shape, problem.unknowns[axis]));
    }

    /// Whole sweeps of K layers only: what is left of a request is done with the next one.
    std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &stop) override
    {
        const OnGpu scope(this->gpu());
        const auto layers = static_cast<std::uint64_t>(m_layers);
        m_owed += iterations;
        std::uint64_t done = 0;
        std::uint64_t enqueued = 0;
        for (; m_owed >= layers; m_owed -= layers, done += layers) {
            if (stop.stop_requested()) {
                m_owed = 0;
                break;
            }
            relaxLayers(w);
            enqueued += layers;
            if (enqueued >= this->portion()) {
                this->queue().waitForRoom();
                enqueued = 0;
            }
        }
        this->queue().waitForAll();
        return done;
    }

    void setValues(std::span<const double> values) override
    {
        const OnGpu scope(this->gpu());
        m_values.assign(values, 1, this->stream());
    }

    void copyValues(std::span<T> values) const override
    {
        const OnGpu scope(this->gpu());
        m_values.copyTo(values, this->stream());
    }

protected:
    const T *setSourceArray(std::span<const double> scaled) override
    {
        if (m_source.isEmpty())
            m_source = DeviceValues<T>(this->view(), this->stream());
        m_source.assign(scaled, 1, this->stream());
        return m_source.data();
    }

    const T *plainValues() const override { return m_values.data(); }
    const T *plainSource() const override { return this->view().source; }

private:
    /// The layers of all tiles of an axis: [backward][tile][sub-domain][layer].
    class Ranges
    {
    public:
        Ranges() = default;
        explicit Ranges(const MlssorTiling &tiling)
            : m_subdomains(tiling.subdomains().end)
            , m_layers(tiling.layers())
        {
            std::vector<int2> ranges;
            for (bool backward : {false, true}) {
                for (int t : {0, 1}) {
                    for (std::ptrdiff_t d = 0; d < m_subdomains; ++d) {
                        for (std::ptrdiff_t k = 0; k < m_layers; ++k) {
                            const auto range = tiling.tile(d, t, k, backward);
                            ranges.push_back(
                                {static_cast<int>(range.begin), static_cast<int>(range.end)});
                        }
                    }
                }
            }
            m_ranges = DeviceBuffer<int2>(std::span<const int2>(ranges));
        }

        sor::TileRanges of(int tile, bool backward) const
        {
            return {m_ranges.data() + ((backward ? 2 : 0) + tile) * m_subdomains * m_layers,
                    static_cast<int>(m_subdomains)};
        }

    private:
        std::ptrdiff_t m_subdomains = 0;
        std::ptrdiff_t m_layers = 0;
        DeviceBuffer<int2> m_ranges;
    };

    void relaxLayers(T w)
    {
        sor::TileKernel tiles;
        tiles.layers = m_layers;
        tiles.width = m_width;
        tiles.isBackward = m_isBackward;
        for (int ty : {0, 1}) {
            for (int tx : {0, 1}) {
                tiles.x = m_ranges[0].of(tx, m_isBackward);
                tiles.y = m_ranges[1].of(ty, m_isBackward);
                tiles.widestX = widest(tx);
                tiles.widestY = widest(ty);
                sor::relaxTiles(this->view(), m_values.data(), tiles, 1 - w, w / 4, this->stream());
            }
        }
        if (m_direction == SweepDirection::alternating)
            m_isBackward = !m_isBackward;
    }

    /// Tiles 0 shrink, tiles 1 grow from layer to layer.
    int widest(int tile) const { return tile == 0 ? 0 : m_layers - 1; }

    SweepDirection m_direction;
    bool m_isBackward; ///< the next sweep
    int m_layers;
    int m_width;
    std::array<Ranges, 2> m_ranges;
    DeviceValues<T> m_values;
    DeviceValues<T> m_source;
    std::uint64_t m_owed = 0;
};

template <typename T>
std::unique_ptr<solvers::PoissonIterations<T>> make(const PoissonProblem &problem,
                                                    const OptionValues &options,
                                                    const GpuDevice &gpu, const TuningTable &)
{
    return std::make_unique<solvers::SorIterations<T>>(
        problem, options,
        std::make_unique<Mlssor<T>>(problem, solvers::shapeOf(options),
                                    solvers::directionOf(options), gpu));
}

} // namespace

constinit const CudaMethod mlssorOnCuda{&solvers::mlssor, make<float>, make<double>};

} // namespace gridhelm::gpu
