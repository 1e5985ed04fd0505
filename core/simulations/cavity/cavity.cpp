// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lid-driven cavity: a box of fluid at rest, whose lid (the wall at y = 1) starts to move along
// x at time 0. See cavity_flow.h for the equations and the scheme.
#include "core/simulations/built_in.h"
#include "core/simulations/cavity/cavity_flow.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::simulations {

namespace {

enum Parameter : std::size_t { reynolds, bottom, time };

/// Boundary layers are about Re^(-1/2) thick; with less than half a cell in them the flow is none.
constexpr double cellsPerRootReynolds = 0.5;

class Cavity : public Simulation
{
public:
    explicit Cavity(int dimension)
        : m_dimension(dimension)
        , m_options(1)
        , m_parameters(3)
    {
        m_options[0] = {"pressure", "how the pressure is found", {"cosine"}};
        if (dimension == 2)
            m_options[0].choices.emplace_back("sor");
        auto &re = m_parameters[reynolds];
        re = {"Re", "", "Reynolds number: lid speed times side over viscosity"};
        re.low = 1;
        re.high = 10000;
        re.defaultLow = 100;
        re.defaultHigh = dimension == 2 ? 1000 : 400;
        re.defaultValue = dimension == 2 ? 400 : 200;
        re.logarithmic = true;
        auto &ratio = m_parameters[bottom];
        ratio = {"bottom", "", "speed of the bottom wall, along x, in lid speeds"};
        ratio.low = -1;
        ratio.high = 1;
        ratio.defaultLow = -0.5;
        ratio.defaultHigh = 0.5;
        ratio.defaultValue = 0;
        ratio.variedByDefault = dimension == 2;
        auto &t = m_parameters[time];
        t = {"t", "", "time since the walls started, in sides per lid speed"};
        t.low = 0;
        t.high = 1000;
        t.defaultLow = 1; // earlier layers are too thin to be compressed well
        t.defaultHigh = 10;
        t.defaultValue = 10;
        t.timeLike = true;
    }

    std::string_view name() const override { return m_dimension == 2 ? "cavity" : "cavity3d"; }
    std::string_view description() const override
    {
        return m_dimension == 2
                   ? "Lid-driven cavity: the flow in a square box after its lid started to move"
                   : "Lid-driven cavity: the flow in a cubic box after its lid started to move";
    }
    const std::vector<ParameterInfo> &parameters() const override { return m_parameters; }
    const std::vector<FieldInfo> &fields() const override
    {
        static const std::vector<FieldInfo> fields{{"velocity", "", 3}, {"pressure", "", 1}};
        return fields;
    }
    const std::vector<OptionInfo> &options() const override { return m_options; }
    ResolutionInfo resolution() const override
    {
        return m_dimension == 2 ? ResolutionInfo{9, 65, 2049} : ResolutionInfo{9, 33, 257};
    }

private:
    ImageMesh meshOf(std::size_t n) const override
    {
        const double h = 1 / static_cast<double>(n - 1);
        return {{n, n, m_dimension == 3 ? n : 1}, {0, 0, 0}, {h, h, h}};
    }

    std::uint64_t bytesOf(std::size_t n) const override
    {
        return CavityFlow::bytesNeeded(m_dimension, n - 1);
    }

    void requireRunnableBox(std::size_t n, const std::vector<std::string> &,
                            std::span<const double>, std::span<const double> high) const override
    {
        const double wanted = cellsPerRootReynolds * std::sqrt(high[reynolds]);
        if (static_cast<double>(n - 1) < wanted)
            throw Error("a resolution of " + std::to_string(n)
                        + " is too coarse for a Reynolds number of "
                        + std::to_string(std::lround(high[reynolds])) + "; choose at least "
                        + std::to_string(static_cast<std::size_t>(std::ceil(wanted)) + 1)
                        + ", or a lower Reynolds number");
    }

    RunEnd compute(const Run &run) const override
    {
        CavityFlowSettings settings;
        settings.dimension = m_dimension;
        settings.cells = run.resolution - 1;
        settings.reynolds = run.values[reynolds];
        settings.bottomSpeed = run.values[bottom];
        settings.pressure = run.choices[0] == "sor" ? PressureMethod::sor : PressureMethod::cosine;
        CavityFlow flow(settings, run.context);
        CavityFlow::State main;
        for (std::size_t i = 0; i < run.times.size(); ++i) {
            const double wanted = run.times[i];
            for (;;) {
                if (run.stop.stop_requested())
                    return RunEnd::cancelled;
                const double step = flow.stableStep();
                if (flow.state().time + step > wanted)
                    break;
                flow.step(step);
                run.progress(flow.state().time / run.times.back());
            }
            // A step aside to the wanted time, so that no snapshot depends on the other times.
            const double left = wanted - flow.state().time;
            const bool isAside = left > 0;
            if (isAside) {
                main = flow.state();
                flow.step(left);
            }
            run.sink(i, Snapshot{{flow.velocityAtNodes(), flow.pressureAtNodes()}});
            if (isAside)
                flow.setState(main);
        }
        run.progress(1);
        return RunEnd::finished;
    }

    int m_dimension;
    std::vector<OptionInfo> m_options;
    std::vector<ParameterInfo> m_parameters;
};

} // namespace

std::unique_ptr<const Simulation> makeCavity(int dimension)
{
    return std::make_unique<Cavity>(dimension);
}

} // namespace gridhelm::simulations
