// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/cuda_sor.h"

#include "core/solvers/sor/mlssor_tiling.h"
#include "core/solvers/sor/sor_sweeper.h"
#include "core/support/error.h"
#include "gpu/poisson/device_values.h"
#include "gpu/poisson/figures.h"
#include "gpu/poisson/jacobi/kernels.h"
#include "gpu/poisson/sor/kernels.h"
#include "gpu/poisson/work_queue.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/require_gpu.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace gridhelm::gpu {
namespace {

using solvers::MlssorTiling;
using solvers::PoissonProblem;
using solvers::SorMethod;
using solvers::SorSettings;
using solvers::SweepDirection;

/// What the methods have in common: values in plain order, the residual of them.
template <typename T>
class DeviceSweeper : public solvers::SorSweeper<T>
{
public:
    /// Made while the GPU is current.
    DeviceSweeper(const PoissonProblem &problem, const GpuDevice &gpu)
        : m_gpu(gpu)
        , m_view(gridViewOf<T>(problem))
        , m_spacing(problem.spacing)
        , m_portion(WorkQueue::portion(problem.count()))
    {
        setSpike({}); // the source comes by setScaledSource()
    }

    void setSides(const std::array<solvers::SideCondition, 6> &sides) override
    {
        gpu::setSides(m_view, sides, m_spacing);
    }

    /// A source of one unknown needs no array.
    void setScaledSource(std::span<const double> scaled) override
    {
        const OnGpu scope(m_gpu);
        const auto isZero = [](double f) { return f == 0; };
        const auto begin = scaled.begin();
        const auto first = std::find_if_not(begin, scaled.end(), isZero);
        const bool isSpike = first == scaled.end() || std::all_of(first + 1, scaled.end(), isZero);
        if (isSpike) {
            m_view.source = nullptr;
            setSpike(first == scaled.end() ? std::nullopt : std::optional(first - begin),
                     first == scaled.end() ? 0 : *first);
            return;
        }
        setSpike({});
        m_view.source = setSourceArray(scaled);
    }

    double scaledResidualNorm() const override
    {
        const OnGpu scope(m_gpu);
        auto view = m_view;
        view.rowStride = paddedRow(static_cast<std::size_t>(view.nx));
        view.planeStride = view.rowStride * view.ny;
        const T *values = plainValues();
        view.source = plainSource();
        const auto slots = m_figures.begin(jacobi::tunedBlocks(view), stream());
        jacobi::iterateTuned(view, values, static_cast<T *>(nullptr), &slots, stream());
        return std::sqrt(m_figures.read(true, stream()).squaredResidual);
    }

protected:
    virtual const T *setSourceArray(std::span<const double> scaled) = 0;
    /// In plain order, and h^2 f, if that is an array.
    virtual const T *plainValues() const = 0;
    virtual const T *plainSource() const = 0;

    const GpuDevice &gpu() const { return m_gpu; }
    GridView<T> &view() { return m_view; }
    const GridView<T> &view() const { return m_view; }
    cudaStream_t stream() const { return m_queue.stream(); }
    WorkQueue &queue() { return m_queue; }
    std::uint64_t portion() const { return m_portion; }

private:
    void setSpike(std::optional<std::ptrdiff_t> index, double value = 0)
    {
        m_view.spikeX = m_view.spikeY = m_view.spikeZ = -1;
        m_view.spike = static_cast<T>(value);
        if (!index)
            return;
        m_view.spikeX = static_cast<int>(*index % m_view.nx);
        m_view.spikeY = static_cast<int>(*index / m_view.nx % m_view.ny);
        m_view.spikeZ = static_cast<int>(*index / m_view.nx / m_view.ny);
    }

    GpuDevice m_gpu;
    GridView<T> m_view;
    double m_spacing;
    std::uint64_t m_portion;
    WorkQueue m_queue;
    mutable Figures m_figures;
};

template <typename T>
class RedBlack final : public DeviceSweeper<T>
{
public:
    RedBlack(const PoissonProblem &problem, const GpuDevice &gpu)
        : DeviceSweeper<T>(problem, gpu)
        , m_plainView(this->view())
    {
        auto &view = this->view();
        view.rowStride = paddedRow((problem.unknowns[0] + 1) / 2);
        view.planeStride = view.rowStride * view.ny;
        m_values = makeColours();
    }

    std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &stop) override
    {
        const OnGpu scope(this->gpu());
        const T weight = w / static_cast<T>(this->view().is3D ? 6 : 4);
        std::uint64_t done = 0;
        while (done < iterations && !stop.stop_requested()) {
            const auto portion = std::min(this->portion(), iterations - done);
            for (std::uint64_t i = 0; i < portion; ++i) {
                for (int colour : {0, 1})
                    sor::relaxColour(this->view(), coloured(m_values), colour, 1 - w, weight,
                                     this->stream());
            }
            done += portion;
            this->queue().waitForRoom();
        }
        this->queue().waitForAll();
        return done;
    }

    void setValues(std::span<const double> values) override
    {
        const OnGpu scope(this->gpu());
        assign(m_values, values, 1);
    }

    void copyValues(std::span<T> values) const override
    {
        const OnGpu scope(this->gpu());
        plainValues();
        m_plain.copyTo(values, this->stream());
    }

protected:
    const T *setSourceArray(std::span<const double> scaled) override
    {
        if (m_source.isEmpty())
            m_source = makeColours();
        assign(m_source, scaled, 1);
        m_plainSource = DeviceValues<T>();
        return m_source.data();
    }

    const T *plainValues() const override
    {
        merge(m_values, m_plain);
        return m_plain.data();
    }

    const T *plainSource() const override
    {
        if (this->view().source == nullptr)
            return nullptr;
        if (m_plainSource.isEmpty())
            merge(m_source, m_plainSource);
        return m_plainSource.data();
    }

private:
    /// Both colours behind each other, as if the second one were further planes.
    DeviceValues<T> makeColours() const
    {
        auto both = this->view();
        both.nz *= 2;
        return DeviceValues<T>(both, this->stream());
    }

    sor::Coloured<T> coloured(const DeviceValues<T> &values) const
    {
        const auto &view = this->view();
        return {{values.data(), values.data() + view.planeStride * view.nz}};
    }

    void assign(DeviceValues<T> &colours, std::span<const double> values, double factor)
    {
        makePlain(m_plain);
        m_plain.assign(values, factor, this->stream());
        sor::splitColours(this->view(), m_plain.data(), coloured(colours), this->stream());
    }

    void merge(const DeviceValues<T> &colours, DeviceValues<T> &plain) const
    {
        makePlain(plain);
        sor::mergeColours(this->view(), coloured(colours), plain.data(), this->stream());
    }

    void makePlain(DeviceValues<T> &plain) const
    {
        if (plain.isEmpty())
            plain = DeviceValues<T>(m_plainView, this->stream());
    }

    GridView<T> m_plainView;
    DeviceValues<T> m_values;
    DeviceValues<T> m_source;
    mutable DeviceValues<T> m_plain; ///< on the way in and out
    mutable DeviceValues<T> m_plainSource;
};

/// [Di2010]: K layers in one pass, as four kernels of independent tiles.
template <typename T>
class Mlssor final : public DeviceSweeper<T>
{
public:
    Mlssor(const PoissonProblem &problem, const SorSettings &settings, const GpuDevice &gpu)
        : DeviceSweeper<T>(problem, gpu)
        , m_direction(settings.direction)
        , m_isBackward(settings.direction == SweepDirection::backward)
        , m_layers(static_cast<int>(settings.shape.layers))
        , m_width(static_cast<int>(settings.shape.width))
        , m_values(this->view(), this->stream())
    {
        for (std::size_t axis = 0; axis < 2; ++axis)
            m_ranges[axis] = Ranges(MlssorTiling(settings.shape, problem.unknowns[axis]));
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
solvers::SorSweeperMaker<T> sweeperOn(const GpuDevice &gpu)
{
    return [gpu](const PoissonProblem &problem,
                 const SorSettings &settings) -> std::unique_ptr<solvers::SorSweeper<T>> {
        const OnGpu scope(gpu);
        if (settings.method == SorMethod::mlssor)
            return std::make_unique<Mlssor<T>>(problem, settings, gpu);
        return std::make_unique<RedBlack<T>>(problem, gpu);
    };
}

} // namespace

std::unique_ptr<solvers::Stepper> makeCudaSorStepper(const PoissonProblem &problem,
                                                     const SorSettings &settings,
                                                     const ExecutionContext &context)
{
    const auto &gpu = requireGpu(context);
    if (settings.method == SorMethod::sequential)
        throw Error("sequential SOR is for the CPU alone; choose red-black or mlssor, or the back "
                    "end omp");
    return solvers::makeSorStepper(problem, settings, ComputedOn::gpu(gpu.index),
                                   sweeperOn<float>(gpu), sweeperOn<double>(gpu));
}

} // namespace gridhelm::gpu
