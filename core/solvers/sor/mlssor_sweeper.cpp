// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson/methods.h"
#include "core/solvers/sor/mlssor_team.h"
#include "core/solvers/sor/mlssor_tiles.h"
#include "core/solvers/sor/owed_sweeps.h"
#include "core/solvers/sor/sor_iterations.h"
#include "core/solvers/sor/sor_options.h"
#include "core/support/error.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace gridhelm::solvers {

namespace {

template <typename T>
class MlssorSweeper final : public MlssorTiles<T>
{
public:
    MlssorSweeper(const PoissonProblem &problem, const MlssorShape &shape, SweepDirection direction,
                  const CpuDevice &cpu)
        : MlssorTiles<T>(problem, shape, direction, cpu, wholeSlab(problem))
        , m_owed(shape.layers)
    {
    }

    std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &stop) override
    {
        return m_owed(iterations, stop, [&](std::uint64_t) {
            this->relaxTilesOf(0, w);
            this->relaxTilesOf(1, w);
            this->turn();
            return static_cast<std::uint64_t>(this->layers());
        });
    }

private:
    OwedSweeps m_owed;
};

template <typename T>
std::unique_ptr<PoissonIterations<T>> makeMlssor(const PoissonProblem &problem,
                                                 const OptionValues &options,
                                                 const ExecutionContext &context)
{
    const auto shape = shapeOf(options);
    const auto direction = directionOf(options);
    std::unique_ptr<SorSweeper<T>> sweeper;
    if (!context.sharesWork())
        sweeper = std::make_unique<MlssorSweeper<T>>(problem, shape, direction, context.cpu());
    else
        sweeper = makeMlssorTeam<T>(problem, shape, direction, context);
    return std::make_unique<SorIterations<T>>(problem, options, std::move(sweeper));
}

constexpr std::array<const Option *, 3> mlssorOptions{&relaxationOption, &directionOption,
                                                      &shapeOption};

} // namespace

constinit const PoissonMethod mlssor{
    .family = &sorFamily,
    .name = "mlssor",
    .summary = "K iterations of a tile in cache, with symmetric sweeps (2D)",
    .purpose =
        "For fields that are larger than the caches. Its iterates depend on the shape of the "
        "tiles, its solution does not.",
    .options = mlssorOptions,
    .isDivisible = true,
    .require =
        [](const OptionValues &options, std::string_view) {
            const auto shape = shapeOf(options);
            if (shape.layers < 1 || shape.width > 1024 || shape.layers > shape.width / 2)
                throw Error("MLSSOR cannot have " + std::to_string(shape.layers)
                            + " layers of width " + std::to_string(shape.width)
                            + "; choose a width from 2 to 1024 and at most half as many layers");
        },
    .chosenValue = mlssorRelaxation,
    .granule = [](const OptionValues &options) -> std::uint64_t {
        const bool isPair = directionOf(options) == SweepDirection::alternating;
        return shapeOf(options).layers * (isPair ? 2 : 1);
    },
    .smallestStep = [](const OptionValues &options) -> std::uint64_t {
        return shapeOf(options).layers;
    },
    .makeFloat = makeMlssor<float>,
    .makeDouble = makeMlssor<double>,
};

} // namespace gridhelm::solvers
