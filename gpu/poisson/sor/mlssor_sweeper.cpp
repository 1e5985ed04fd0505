// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson/methods.h"
#include "core/solvers/sor/owed_sweeps.h"
#include "core/solvers/sor/sor_iterations.h"
#include "core/solvers/sor/sor_options.h"
#include "gpu/poisson/methods.h"
#include "gpu/poisson/sor/device_sweeper.h"
#include "gpu/poisson/sor/mlssor_team.h"
#include "gpu/poisson/sor/mlssor_tiles.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace gridhelm::gpu {
namespace {

using solvers::MlssorShape;
using solvers::PoissonProblem;
using solvers::SweepDirection;

constexpr std::array valuesOfThreads{64, 128, 256, 512};
constexpr TunableConstant threadsConstant{
    .name = "threads",
    .meaning = "threads of a block, which relax several layers of a tile behind each other",
    .values = valuesOfThreads,
    .compiledIn = sor::TileKernel().threads};
constexpr std::array<const TunableConstant *, 1> tunableConstants{&threadsConstant};

/// [Di2010]: K layers in one pass, as four kernels of independent tiles.
template <typename T>
class Mlssor final : public sor::DeviceSweeper<T>
{
public:
    Mlssor(const PoissonProblem &problem, const MlssorShape &shape, SweepDirection direction,
           const GpuDevice &gpu, const TuningTable &tuning)
        : sor::DeviceSweeper<T>(problem, gpu)
        , m_owed(shape.layers)
        , m_tiles(problem, shape, direction,
                  tunedValue(
                      threadsConstant, tuning,
                      keyOf(sor::mlssorTunable, sizeof(T), static_cast<double>(problem.count()))))
        , m_values(this->view(), this->stream())
    {
    }

    std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &stop) override
    {
        const OnGpu scope(this->gpu());
        const auto done = m_owed(iterations, stop, [&](std::uint64_t most) {
            std::uint64_t enqueued = 0;
            while (enqueued < std::min(most, this->portion())) {
                relaxLayers(w);
                enqueued += static_cast<std::uint64_t>(m_tiles.layers());
            }
            this->queue().waitForRoom();
            return enqueued;
        });
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
    void relaxLayers(T w)
    {
        for (int ty : {0, 1})
            m_tiles.relax(ty, m_tiles.all(), this->view(), m_values.data(), w, this->stream());
        m_tiles.turn();
    }

    solvers::OwedSweeps m_owed;
    sor::MlssorTiles m_tiles;
    DeviceValues<T> m_values;
    DeviceValues<T> m_source;
};

template <typename T>
std::unique_ptr<solvers::PoissonIterations<T>> make(const PoissonProblem &problem,
                                                    const OptionValues &options,
                                                    const GpuDevice &gpu, const TuningTable &tuning)
{
    return std::make_unique<solvers::SorIterations<T>>(
        problem, options,
        std::make_unique<Mlssor<T>>(problem, solvers::shapeOf(options),
                                    solvers::directionOf(options), gpu, tuning));
}

template <typename T>
std::unique_ptr<solvers::PoissonIterations<T>> makeOnTeam(const PoissonProblem &problem,
                                                          const OptionValues &options,
                                                          const ExecutionContext &context)
{
    return std::make_unique<solvers::SorIterations<T>>(
        problem, options,
        makeMlssorTeam<T>(problem, solvers::shapeOf(options), solvers::directionOf(options),
                          context));
}

} // namespace

constinit const TunableOperation sor::mlssorTunable{"mlssor", "gpu", tunableConstants};

constinit const CudaMethod mlssorOnCuda{&solvers::mlssor, make<float>, make<double>,
                                        makeOnTeam<float>, makeOnTeam<double>};

} // namespace gridhelm::gpu
