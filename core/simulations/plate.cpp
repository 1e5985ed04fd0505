// SPDX-License-Identifier: GPL-3.0-or-later
//
// A square plate whose sides are kept at given temperatures, heated at one place:
//
//     -Laplace(T) = q / (2 pi w^2) exp(-r^2 / (2 w^2)),      r the distance to (x, y)
//
// Lengths are in sides. The source is a Gaussian, so that T depends smoothly on its position, not
// by jumps from node to node. 5-point stencil, red-black SOR in double.
#include "core/simulations/built_in.h"
#include "core/solvers/poisson/poisson_stepper.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gridhelm::simulations {

namespace {

enum Parameter : std::size_t { x, y, strength, width, left, right, bottom, top };

/// Of the residual, relative to that of 0 everywhere.
constexpr double tolerance = 1e-10;
constexpr std::uint64_t iterationsPerCheck = 32;

std::vector<ParameterInfo> describeParameters()
{
    std::vector<ParameterInfo> all(8);
    all[x] = {"x", "", "position of the source, in sides", 0, 1, 0.25, 0.75, 0.4};
    all[y] = {"y", "", "position of the source, in sides", 0, 1, 0.25, 0.75, 0.6};
    all[strength] = {"strength", "K", "heat fed in per time, over conductivity and thickness",
                     -1e6,       1e6, 50,
                     200,        100};
    all[width] = {"width", "", "standard deviation of the source, in sides", 0.01, 1, 0.05,
                  0.2,     0.1};
    all[left] = {"left", "K", "temperature of the side x = 0", -1e6, 1e6, 0, 20, 0};
    all[right] = {"right", "K", "temperature of the side x = 1", -1e6, 1e6, 0, 20, 0};
    all[bottom] = {"bottom", "K", "temperature of the side y = 0", -1e6, 1e6, 0, 20, 0};
    all[top] = {"top", "K", "temperature of the side y = 1", -1e6, 1e6, 0, 20, 20};
    all[width].logarithmic = true;
    for (auto parameter : {width, left, right, bottom, top})
        all[parameter].variedByDefault = false;
    return all;
}

class Plate : public Simulation
{
public:
    std::string_view name() const override { return "plate"; }
    std::string_view description() const override
    {
        return "Heated plate: the steady temperature of a square plate with a source of heat";
    }
    const std::vector<ParameterInfo> &parameters() const override { return m_parameters; }
    const std::vector<FieldInfo> &fields() const override
    {
        static const std::vector<FieldInfo> fields{{"temperature", "K", 1}};
        return fields;
    }
    ResolutionInfo resolution() const override { return {9, 129, 4097}; }

private:
    ImageMesh meshOf(std::size_t n) const override
    {
        const double h = 1 / static_cast<double>(n - 1);
        return {{n, n, 1}, {0, 0, 0}, {h, h, h}};
    }

    std::uint64_t bytesOf(std::size_t n) const override
    {
        return static_cast<std::uint64_t>(n) * n * (7 * sizeof(double) + sizeof(float));
    }

    void requireRunnableBox(std::size_t n, const std::vector<std::string> &,
                            std::span<const double> low, std::span<const double>) const override
    {
        const double spacing = 1 / static_cast<double>(n - 1);
        if (low[width] < spacing)
            throw Error("a source of width " + std::to_string(low[width])
                        + " is narrower than the spacing of the grid, " + std::to_string(spacing)
                        + "; choose a larger width or a higher resolution");
    }

    RunEnd compute(const Run &run) const override
    {
        const auto &v = run.values;
        const auto n = run.resolution;
        solvers::PoissonProblem problem;
        problem.unknowns = {n - 2, n - 2, 1};
        problem.spacing = 1 / static_cast<double>(n - 1);
        for (std::size_t side = 0; side < 4; ++side)
            problem.sides[side].value = v[left + side];
        const double height = v[strength] / (2 * std::numbers::pi * v[width] * v[width]);
        problem.source = [&](double px, double py, double) {
            const double squared = (px - v[x]) * (px - v[x]) + (py - v[y]) * (py - v[y]);
            return height * std::exp(-squared / (2 * v[width] * v[width]));
        };
        const auto stepper = solvers::makePoissonStepper(problem, {"red-black"}, run.context);
        for (;;) {
            const double residual = stepper->report().residual;
            if (residual <= tolerance)
                break;
            if (run.stop.stop_requested())
                return RunEnd::cancelled;
            run.progress(std::clamp(std::log(residual) / std::log(tolerance), 0.0, 1.0));
            stepper->advance(iterationsPerCheck, run.stop);
        }
        const auto view = stepper->field();
        const auto inner = std::get<std::span<const double>>(view.values);
        run.sink(0, Snapshot{{withSides(run, inner)}});
        run.progress(1);
        return RunEnd::finished;
    }

    /// Corners get the mean of their two sides.
    static std::vector<float> withSides(const Run &run, std::span<const double> inner)
    {
        const auto n = run.resolution;
        std::vector<float> values(n * n);
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t i = 0; i < n; ++i) {
                double sum = 0;
                int sides = 0;
                const auto add = [&](bool isOnSide, Parameter side) {
                    if (isOnSide) {
                        sum += run.values[side];
                        ++sides;
                    }
                };
                add(i == 0, left);
                add(i == n - 1, right);
                add(j == 0, bottom);
                add(j == n - 1, top);
                const double value = sides > 0 ? sum / sides : inner[(j - 1) * (n - 2) + (i - 1)];
                values[j * n + i] = static_cast<float>(value);
            }
        }
        return values;
    }

    std::vector<ParameterInfo> m_parameters = describeParameters();
};

} // namespace

std::unique_ptr<const Simulation> makePlate()
{
    return std::make_unique<Plate>();
}

} // namespace gridhelm::simulations
