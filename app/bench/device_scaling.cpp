// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/device_scaling.h"

#include "app/bench/solver_problems.h"
#include "app/bench/together.h"
#include "core/solvers/measured_problems.h"
#include "core/solvers/poisson/methods.h"
#include "core/solvers/sor/sor_options.h"
#include "core/solvers/stepper.h"
#include "core/support/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <variant>

namespace gridhelm::bench {

using nlohmann::json;
using namespace solvers;

namespace {

/// One solver on one grid, that grows along its last axis.
class ScaledCase
{
public:
    virtual ~ScaledCase() = default;
    virtual json head() const = 0;
    /// Of a grid with so many layers.
    virtual std::array<std::size_t, 3> unknowns(std::size_t layers) const = 0;
    /// On the first so many devices, by all that is measured of an iteration or sweep.
    virtual Timing measured(std::size_t layers, std::size_t devices) = 0;
    virtual double modelled(std::size_t layers, std::size_t devices) = 0;
};

/// How one is to compute: by itself, or with the kernels of several.
enum class Alone { byItself, asOneOfSeveral };

/// With the first so many of the devices as a team, or of the ranks; one of them as what a context
/// has.
ExecutionContext contextOf(const DeviceScalingOptions &options, std::size_t devices,
                           const std::shared_ptr<Ranks> &ranks, Alone alone)
{
    const bool isAlone = devices == 1 && alone == Alone::byItself;
    if (ranks)
        return isAlone ? options.context : options.context.withRanks(ranks);
    const auto end = options.devices.begin() + static_cast<std::ptrdiff_t>(devices);
    const std::vector<Device> team(options.devices.begin(), end);
    auto context = options.context;
    if (const auto *cpu = std::get_if<CpuDevice>(&team.front()); cpu && devices == 1)
        context = context.on(*cpu);
    else if (const auto *gpu = std::get_if<GpuDevice>(&team.front()))
        context = context.withGpus(std::vector<GpuDevice>{*gpu});
    return isAlone ? context : context.withTeam(team);
}

bool computeOnGpus(const DeviceScalingOptions &options)
{
    return std::holds_alternative<GpuDevice>(options.devices.front());
}

double bytesOfValue(Precision precision)
{
    return precision == Precision::float32 ? 4 : 8;
}

class PoissonCase final : public ScaledCase
{
public:
    PoissonCase(const DeviceScalingOptions &options, std::string solver, std::string method,
                int dimension, std::size_t size)
        : m_options(options)
        , m_solver(std::move(solver))
        , m_method(std::move(method))
        , m_granule(granuleOf(poissonMethod(m_method), {}))
        , m_dimension(dimension)
        , m_size(size)
    {
    }

    json head() const override
    {
        return {{"solver", m_solver},
                {"method", m_method},
                {"dimension", m_dimension},
                {"unit", "iteration"}};
    }

    std::array<std::size_t, 3> unknowns(std::size_t layers) const override
    {
        if (m_dimension == 2)
            return {m_size, layers, 1};
        return {m_size, m_size, layers};
    }

    Timing measured(std::size_t layers, std::size_t devices) override
    {
        return iterationOn(layers, devices, Alone::byItself);
    }

    double modelled(std::size_t layers, std::size_t devices) override
    {
        // An update of red-black SOR has half the unknowns, one of MLSSOR all iterations of a pass.
        const double updates =
            m_method == redBlackSor.name ? 2.0 : 1.0 / static_cast<double>(m_granule);
        const auto layer = static_cast<double>(m_dimension == 2 ? m_size : m_size * m_size);
        // Its slabs are whole rows of sub-domains.
        const auto step = m_method == mlssor.name ? shapeOf({}).width : std::size_t{1};
        const auto steps = (layers + step - 1) / step;
        const auto largest = std::min(layersOfLargest(steps, devices) * step, layers);
        const SlabUpdate update{steps, secondsOfShare(largest) / updates,
                                layer / updates * bytesOfValue(m_options.precision),
                                computeOnGpus(m_options)};
        return updates * secondsOfUpdate(update, devices, m_options.link);
    }

private:
    /// A slab of so many layers on one device, with the kernels of several.
    double secondsOfShare(std::size_t layers)
    {
        const auto [found, isNew] = m_shares.try_emplace(layers, 0.0);
        if (isNew)
            found->second = iterationOn(layers, 1, Alone::asOneOfSeveral).median;
        return found->second;
    }

    Timing iterationOn(std::size_t layers, std::size_t devices, Alone alone) const
    {
        return together(m_options.ranks, devices, [&](const std::shared_ptr<Ranks> &ranks) {
            return iterationOn(layers, contextOf(m_options, devices, ranks, alone), ranks.get());
        });
    }

    Timing iterationOn(std::size_t layers, const ExecutionContext &context, Ranks *ranks) const
    {
        const auto stepper =
            m_options.backend->makePoisson(roughLaplaceProblem(m_dimension, m_size, layers),
                                           {m_method, m_options.precision}, context);
        const std::uint64_t few = wholePasses(8);
        stepper->advance(few);
        const double estimate =
            slowestOf(ranks, secondsOf([&] { stepper->advance(few); })) / static_cast<double>(few);
        constexpr std::uint64_t many = 20'000;
        const double part = m_options.measure.seconds / m_options.measure.minRepeats / estimate;
        const auto iterations = wholePasses(static_cast<std::uint64_t>(
            std::clamp(std::ceil(part), static_cast<double>(few), static_cast<double>(many))));
        auto timing = measureOf(
            ranks, [&] { stepper->advance(iterations); }, m_options.measure);
        timing.median /= static_cast<double>(iterations);
        timing.fastest /= static_cast<double>(iterations);
        return timing;
    }

    /// At least so many iterations.
    std::uint64_t wholePasses(std::uint64_t iterations) const
    {
        return (iterations + m_granule - 1) / m_granule * m_granule;
    }

    const DeviceScalingOptions &m_options;
    std::string m_solver, m_method;
    std::uint64_t m_granule; ///< iterations of a pass
    int m_dimension;
    std::size_t m_size;
    std::map<std::size_t, double> m_shares; ///< seconds of an iteration, by layers
};

class PmmCase final : public ScaledCase
{
public:
    PmmCase(const DeviceScalingOptions &options, std::size_t size)
        : m_options(options)
        , m_size(size)
    {
    }

    json head() const override
    {
        return {{"solver", "pmm"},
                {"method", nameOf(partition())},
                {"dimension", 3},
                {"unit", "sweep"}};
    }

    std::array<std::size_t, 3> unknowns(std::size_t layers) const override
    {
        return {m_size, m_size, layers};
    }

    Timing measured(std::size_t layers, std::size_t devices) override
    {
        auto problem = ballInCube(m_size, false);
        problem.nodes = unknowns(layers);
        std::get<BallSource>(problem.source).centre[2] =
            0.5 * problem.spacing * static_cast<double>(layers - 1);
        return sweepOf(problem, devices);
    }

    double modelled(std::size_t layers, std::size_t devices) override
    {
        PmmGrid grid;
        grid.nodes = unknowns(layers);
        grid.bytesPerNode = bytesOfValue(m_options.precision);
        grid.partition = partition();
        return secondsOfSweep(grid, devices, plane(), m_options.link);
    }

private:
    PmmPartition partition() const
    {
        return computeOnGpus(m_options) ? PmmPartition::repartition : PmmPartition::pipelined;
    }

    /// Of so many nodes, from two cubes on one device.
    const SecondsLine &plane()
    {
        if (!m_plane) {
            const auto ofCube = [&](std::size_t n) {
                const auto timing = sweepOf(ballInCube(n, false), 1);
                return MeasuredCost{static_cast<double>(n * n),
                                    timing.median / (6 * static_cast<double>(n))};
            };
            m_plane = fitted(ofCube(m_size / 2), ofCube(m_size));
        }
        return *m_plane;
    }

    Timing sweepOf(const PmmProblem &problem, std::size_t devices) const
    {
        return together(m_options.ranks, devices, [&](const std::shared_ptr<Ranks> &ranks) {
            const auto context = contextOf(m_options, devices, ranks, Alone::byItself);
            const auto stepper =
                m_options.backend->makePmm(problem, m_options.precision, {}, context);
            std::vector<double> seconds;
            (void)sweepFromSource(*stepper); // a warm-up
            for (int i = 0; i < m_options.measure.minRepeats; ++i)
                seconds.push_back(slowestOf(ranks.get(), sweepFromSource(*stepper)));
            return timingOf(seconds);
        });
    }

    const DeviceScalingOptions &m_options;
    std::size_t m_size;
    std::optional<SecondsLine> m_plane;
};

/// 1, 2, 4 and so on, and all of them.
std::vector<std::size_t> measuredCounts(std::size_t devices)
{
    std::vector<std::size_t> counts;
    for (std::size_t count = 1; count < devices; count *= 2)
        counts.push_back(count);
    counts.push_back(devices);
    return counts;
}

constexpr std::array<std::size_t, 3> foreseenCounts{8, 64, 1024};

json scalingJson(double seconds, const Scaling &scaling)
{
    return {
        {"seconds", seconds}, {"speed_up", scaling.speedUp}, {"efficiency", scaling.efficiency}};
}

json measuredJson(const Timing &timing, const Scaling &scaling)
{
    auto result = scalingJson(timing.median, scaling);
    result["spread"] = timing.spread;
    result["repeats"] = timing.repeats;
    return result;
}

/// What does not fit becomes a sentence.
json scalingOf(ScaledCase &one, std::size_t size, bool isWeak, const DeviceScalingOptions &options)
{
    auto result = one.head();
    result["size"] = size;
    result["precision"] = nameOf(options.precision);
    result["scaling"] = isWeak ? "weak" : "strong";
    result["rows"] = json::array();
    const auto ratio = isWeak ? &weakScaling : &strongScaling;
    double secondsOfOne = 0;
    const auto add = [&](std::size_t devices, bool isMeasured) {
        const auto layers = isWeak ? size * devices : size;
        json row = {{"devices", devices}, {"unknowns", one.unknowns(layers)}};
        options.progress(fmt::format("{} {}, {} scaling, {}: {} devices",
                                     result["solver"].get<std::string>(),
                                     result["method"].get<std::string>(),
                                     result["scaling"].get<std::string>(), size, devices));
        try {
            if (isMeasured) {
                const auto timing = one.measured(layers, devices);
                if (devices == 1)
                    secondsOfOne = timing.median;
                row["measured"] = measuredJson(timing, ratio(secondsOfOne, timing.median, devices));
            }
            const double seconds = one.modelled(layers, devices);
            row["model"] = scalingJson(seconds, ratio(secondsOfOne, seconds, devices));
        } catch (const Error &error) {
            if (options.ranks)
                throw; // the others may not know of it
            row["skipped"] = error.what();
        }
        const bool isSkipped = row.contains("skipped");
        result["rows"].push_back(std::move(row));
        return !isSkipped;
    };
    const auto counts = measuredCounts(options.devices.size());
    for (const auto count : counts) {
        if (!add(count, true) && count == 1)
            return result;
    }
    for (const auto count : foreseenCounts) {
        if (count > counts.back())
            add(count, false);
    }
    return result;
}

} // namespace

json benchDeviceScaling(const DeviceScalingOptions &options,
                        const std::vector<std::string> &solvers)
{
    json results = json::array();
    const auto isWanted = [&](const char *name) {
        return solvers.empty() || std::ranges::find(solvers, name) != solvers.end();
    };
    const auto addBoth = [&](ScaledCase &&one, std::size_t size) {
        for (const bool isWeak : {false, true}) {
            results.push_back(scalingOf(one, size, isWeak, options));
            if (options.found)
                options.found(results.back());
        }
    };
    const auto addPoisson = [&](const char *solver, const PoissonMethod &method) {
        const std::string name(method.name);
        for (const auto size : options.squares)
            addBoth(PoissonCase(options, solver, name, 2, size), size);
        for (const auto size : options.cubes) {
            if (method.solves3D)
                addBoth(PoissonCase(options, solver, name, 3, size), size);
        }
    };
    if (isWanted("jacobi"))
        addPoisson("jacobi", tunedJacobi);
    if (isWanted("sor")) {
        addPoisson("sor", redBlackSor);
        addPoisson("sor", mlssor);
    }
    for (const auto size : options.fronts) {
        if (isWanted("pmm"))
            addBoth(PmmCase(options, size), size);
    }
    return results;
}

} // namespace gridhelm::bench
