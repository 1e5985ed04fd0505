// SPDX-License-Identifier: GPL-3.0-or-later
//
// Geological folds: layers as the level sets of the arrival time T of a front that starts from a
// folded horizon, z = height + amplitude cos(2 pi (x - y / 4)), in the unit cube (fronts.md,
// eq:front):
//
//     F |grad T| + psi (a . grad T) = 1,      |a| = 1
//
// a has the given azimuth (from the x axis towards y) and rises by the given plunge above the
// horizontal. Solved by the parallel marching method in double, swept until nothing changes.
#include "core/simulations/built_in.h"
#include "core/solvers/pmm/pmm_stepper.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gridhelm::simulations {

namespace {

enum Parameter : std::size_t { speed, psi, azimuth, plunge, height, amplitude };

constexpr double tolerance = 1e-12;
/// Two or three are usual.
constexpr std::uint64_t maxSweeps = 200;

std::vector<ParameterInfo> describeParameters()
{
    std::vector<ParameterInfo> all(6);
    all[speed] = {"F", "", "speed of the front against its normal", 0.01, 100, 1, 2, 1.5};
    all[psi] = {"psi", "", "advection, in the direction a", -100, 100, 0, 0.5, 0.25};
    all[azimuth] = {"azimuth", "deg", "direction of a in the horizontal plane, from x towards y",
                    -360,      360,   0,
                    90,        30};
    all[plunge] = {"plunge", "deg", "angle of a above the horizontal plane", -90, 90, 0, 60, 30};
    all[height] = {"height", "", "middle height of the horizon", 0, 1, 0.2, 0.5, 0.3};
    all[amplitude] = {"amplitude", "", "amplitude of the horizon's folds", 0, 0.5, 0, 0.15, 0.05};
    for (auto parameter : {height, amplitude})
        all[parameter].variedByDefault = false;
    return all;
}

double radians(double degrees)
{
    return degrees * std::numbers::pi / 180;
}

class Folds : public Simulation
{
public:
    std::string_view name() const override { return "folds"; }
    std::string_view description() const override
    {
        return "Geological folds: layers as arrival times of a front that starts from a horizon";
    }
    const std::vector<ParameterInfo> &parameters() const override { return m_parameters; }
    const std::vector<FieldInfo> &fields() const override
    {
        // The layer is the time, negative below the horizon: without the time's kink there.
        static const std::vector<FieldInfo> fields{{"time", "", 1}, {"layer", "", 1}};
        return fields;
    }
    ResolutionInfo resolution() const override { return {5, 33, 513}; }

private:
    ImageMesh meshOf(std::size_t n) const override
    {
        const double h = 1 / static_cast<double>(n - 1);
        return {{n, n, n}, {0, 0, 0}, {h, h, h}};
    }

    std::uint64_t bytesOf(std::size_t n) const override
    {
        const auto padded = static_cast<std::uint64_t>(n) + 18;
        return padded * padded * padded * (3 * sizeof(double) + 2 * sizeof(float));
    }

    void requireRunnableBox(std::size_t, const std::vector<std::string> &,
                            std::span<const double> low,
                            std::span<const double> high) const override
    {
        const double against = std::max(std::abs(low[psi]), std::abs(high[psi]));
        if (!(low[speed] > against))
            throw Error("the front cannot spread against the advection where F = "
                        + std::to_string(low[speed]) + " is not larger than |psi| |a| = "
                        + std::to_string(against) + "; choose a larger F or a smaller psi");
        if (low[height] - high[amplitude] < 0 || high[height] + high[amplitude] > 1)
            throw Error("the horizon of height " + std::to_string(low[height]) + " to "
                        + std::to_string(high[height]) + " leaves the cube with an amplitude of "
                        + std::to_string(high[amplitude])
                        + "; choose a smaller amplitude, or heights nearer to 0.5");
    }

    RunEnd compute(const Run &run) const override
    {
        const auto &v = run.values;
        const auto n = run.resolution;
        solvers::PmmProblem problem;
        problem.nodes = {n, n, n};
        problem.spacing = 1 / static_cast<double>(n - 1);
        problem.speed = v[speed];
        problem.advection = v[psi];
        const double horizontal = std::cos(radians(v[plunge]));
        problem.direction = {horizontal * std::cos(radians(v[azimuth])),
                             horizontal * std::sin(radians(v[azimuth])),
                             std::sin(radians(v[plunge]))};
        solvers::HorizonSource horizon;
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t i = 0; i < n; ++i) {
                const auto at = problem.position(i, j, 0);
                horizon.heights.push_back(
                    v[height]
                    + v[amplitude] * std::cos(2 * std::numbers::pi * (at[0] - at[1] / 4)));
            }
        }
        const auto heights = horizon.heights;
        problem.source = std::move(horizon);

        solvers::PmmStepper<double> stepper(problem, {tolerance}, run.context);
        std::uint64_t sweeps = 0;
        for (;; ++sweeps) {
            if (run.stop.stop_requested())
                return RunEnd::cancelled;
            stepper.advance(1, run.stop);
            if (stepper.report().largestChange <= tolerance)
                break;
            if (sweeps == maxSweeps)
                throw Error("the arrival times still change after " + std::to_string(sweeps)
                            + " sweeps, because psi is close to F; choose a smaller psi");
            run.progress(1 - 1 / static_cast<double>(sweeps + 2));
        }
        run.sink(0, snapshotOf(problem, stepper, heights));
        run.progress(1);
        return RunEnd::finished;
    }

    static Snapshot snapshotOf(const solvers::PmmProblem &problem,
                               const solvers::PmmStepper<double> &stepper,
                               const std::vector<double> &heights)
    {
        const auto times = std::get<std::span<const double>>(stepper.field().values);
        Snapshot snapshot{{std::vector<float>(times.size()), std::vector<float>(times.size())}};
        const auto columns = heights.size();
        for (std::size_t node = 0; node < times.size(); ++node) {
            const double z = problem.position(0, 0, node / columns)[2];
            const bool isBelow = z < heights[node % columns];
            snapshot.fields[0][node] = static_cast<float>(times[node]);
            snapshot.fields[1][node] = static_cast<float>(isBelow ? -times[node] : times[node]);
        }
        return snapshot;
    }

    std::vector<ParameterInfo> m_parameters = describeParameters();
};

} // namespace

std::unique_ptr<const Simulation> makeFolds()
{
    return std::make_unique<Folds>();
}

} // namespace gridhelm::simulations
