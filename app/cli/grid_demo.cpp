// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/laser_plate.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "core/sparse/error_estimates.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>

namespace gridhelm::cli {
namespace {

using sparse::BoundaryTreatment;

constexpr int plateDimension = static_cast<int>(LaserPlate::parameters.size());
constexpr std::uint64_t holdOutSeed = 20130101;
constexpr std::size_t holdOutCount = 20000;

struct DemoOptions
{
    std::string level = "9";
    std::string picture;
};

/// Space and time are sampled at their ends too; the parameters of the experiment extrapolate.
sparse::GridShape plateShape(int level)
{
    using enum BoundaryTreatment;
    return {
        plateDimension, level, {}, {boundary, boundary, boundary, modified, modified, modified}};
}

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <typename Function>
double secondsOf(Function &&function)
{
    const auto start = std::chrono::steady_clock::now();
    function();
    return secondsSince(start);
}

/// Points of the full grid with the same finest mesh width.
double fullGridPoints(const sparse::GridShape &shape)
{
    double product = 1.0;
    for (std::size_t t = 0; t < shape.caps().size(); ++t)
        product *=
            std::exp2(shape.caps()[t]) + (sparse::hasEndPoints(shape.treatments()[t]) ? 1.0 : -1.0);
    return product;
}

std::vector<double> samplePlate(const sparse::SparseGrid &grid)
{
    std::vector<double> values(grid.points());
    std::array<double, plateDimension> x{};
    for (std::uint64_t index = 0; index < grid.points(); ++index) {
        grid.coordinates(index, x);
        values[index] = LaserPlate::temperatureRise(x);
    }
    return values;
}

/// Evaluations per second at scattered points: as many of `points` as take a third of a second,
/// again and again if they are too few.
double pointsPerSecond(const sparse::Evaluator<double> &evaluator, std::span<const double> points)
{
    constexpr double enough = 0.33;
    std::vector<double> values(points.size() / plateDimension);
    std::size_t batch = 64, evaluated = 0;
    double seconds = 0.0;
    while (seconds < enough) {
        batch = std::min(batch, values.size());
        const double taken = secondsOf([&] {
            evaluator.interpolate({points.first(batch * plateDimension), plateDimension},
                                  {std::span(values).first(batch)});
        });
        const bool isWarmUp = evaluated == 0 && batch < values.size() && taken < 0.01;
        if (!isWarmUp) {
            seconds += taken;
            evaluated += batch;
        }
        if (taken < 0.05)
            batch *= 4;
    }
    return static_cast<double>(evaluated) / seconds;
}

struct Panels
{
    std::vector<double> times;  ///< unit coordinate of each panel
    std::size_t pixels = 0;     ///< width and height of a panel
    std::vector<double> values; ///< (panel, row from the bottom, column)
    double seconds = 0.0;
};

/// The plate at three times with every other parameter fixed: a Cartesian product with three free
/// dimensions, y, x and time.
Panels evaluatePanels(const sparse::Evaluator<double> &evaluator)
{
    Panels panels;
    panels.times = {0.0, 0.05, 0.2};
    panels.pixels = 400;
    std::vector<double> edge(panels.pixels);
    for (std::size_t i = 0; i < edge.size(); ++i)
        edge[i] = (static_cast<double>(i) + 0.5) / static_cast<double>(edge.size());
    const sparse::CartesianPoints<double> points{{edge, edge, panels.times, {0.7}, {0.2}, {0.1}}};
    panels.values.resize(points.count());
    panels.seconds =
        secondsOf([&] { evaluator.interpolateCartesian(points, {std::span(panels.values)}); });
    return panels;
}

double secondsAfterPulse(double unitTime)
{
    const auto &time = LaserPlate::parameters[2];
    return time.lowest + unitTime * (time.highest - time.lowest);
}

/// The panels side by side, and a bar of the colours at the right, 0 at its foot.
Picture drawPanels(const Panels &panels)
{
    constexpr std::size_t margin = 16, barWidth = 24;
    const std::size_t count = panels.times.size(), side = panels.pixels;
    Picture picture(count * (side + margin) + margin + barWidth + margin, side + 2 * margin,
                    {255, 255, 255});
    const double hottest = *std::ranges::max_element(panels.values);
    for (std::size_t row = 0; row < side; ++row) {
        const std::size_t y = side - 1 - row;
        for (std::size_t panel = 0; panel < count; ++panel)
            for (std::size_t x = 0; x < side; ++x)
                picture.at(margin + panel * (side + margin) + x, margin + row) = colourOf(
                    ColourMap::glow, panels.values[(x * side + y) * count + panel] / hottest);
        for (std::size_t x = 0; x < barWidth; ++x)
            picture.at(margin + count * (side + margin) + x, margin + row) = colourOf(
                ColourMap::glow, (static_cast<double>(y) + 0.5) / static_cast<double>(side));
    }
    return picture;
}

/// Says its parts as it goes, unless JSON is wanted, and is told as a whole at the end.
class Demo
{
public:
    Demo(const GlobalOptions &global, const DemoOptions &options)
        : m_global(global)
        , m_backend(makeBackend(global))
        , m_shape(plateShape(parseInteger(options.level, "--level")))
        , m_file(options.picture)
    {
        sparse::requireFitsInMemory(m_shape, 3 * sizeof(double));
        if (!m_file.empty())
            requireWritable(m_file);
    }

    void run()
    {
        sayWhatItIs();
        compressPlate();
        measureError();
        measureSpeed();
        if (!m_file.empty())
            draw();
        if (m_global.json)
            printWhole();
    }

private:
    void say(const std::string &text) const
    {
        if (m_global.json)
            return;
        printText(text);
        flushOutput();
    }

    void sayWhatItIs()
    {
        m_count = sparse::countGrid(m_shape);
        m_fullPoints = fullGridPoints(m_shape);
        m_compression = m_fullPoints / static_cast<double>(m_count.points);
        say("A plate after a laser pulse: temperature as a function of 6 parameters\n");
        for (const auto &parameter : LaserPlate::parameters)
            say(fmt::format("  {:<12} {:>5} .. {:<5} {}\n", parameter.name, parameter.lowest,
                            parameter.highest, parameter.unit));
        say(fmt::format("grid         {} points in {} blocks (level {}), {:.1f} MiB in double\n",
                        m_count.points, m_count.blocks, m_shape.level(),
                        static_cast<double>(m_count.points) * sizeof(double) / (1024.0 * 1024.0)));
        say(fmt::format(
            "compression  the full grid of this resolution has {:.2e} points: {:.1e} to 1\n",
            m_fullPoints, m_compression));
    }

    void compressPlate()
    {
        const auto grid = std::make_shared<const sparse::SparseGrid>(m_shape);
        std::vector<double> values;
        const double sampling = secondsOf([&] { values = samplePlate(*grid); });
        say(fmt::format("sampled      in {:.2f} s\n", sampling));
        const double hierarchizing =
            secondsOf([&] { m_where = m_backend->hierarchize(*grid, std::span(values)); });
        m_hierarchizedPerSecond = static_cast<double>(m_count.points) / hierarchizing;
        say(fmt::format("compressed   in {:.3f} s ({:.2e} grid points/s, {}: {})\n", hierarchizing,
                        m_hierarchizedPerSecond, m_backend->name(), m_backend->description()));
        m_literal = sparse::makeReferenceBackend()->load(grid, values);
        m_evaluator = m_backend->load(grid, std::move(values));
        m_unseen = sparse::holdOutPoints(*grid, holdOutCount, holdOutSeed);
    }

    void measureError()
    {
        std::vector<double> exact(holdOuts()), approximation(exact.size());
        for (std::size_t j = 0; j < exact.size(); ++j)
            exact[j] = LaserPlate::temperatureRise(std::span<const double, plateDimension>(
                m_unseen.data() + j * plateDimension, plateDimension));
        m_where |= m_evaluator->interpolate({m_unseen, plateDimension}, {approximation});
        m_errors = sparse::errorNorms<double>(approximation, exact);
        say(fmt::format(
            "error        {:.2f} % relative L2, at most {:.2f} K where the temperature rises "
            "up to {:.1f} K\n             ({} points the grid has not seen, corners and "
            "face centres among them)\n",
            100.0 * m_errors.relativeL2, m_errors.maximum, *std::ranges::max_element(exact),
            exact.size()));
    }

    void measureSpeed()
    {
        m_referenceSpeed = pointsPerSecond(*m_literal, m_unseen);
        m_speed = pointsPerSecond(*m_evaluator, m_unseen);
        say(fmt::format(
            "evaluated    {:.2e} points/s by reference, {:.2e} points/s by {} ({:.0f} times "
            "as many)\n",
            m_referenceSpeed, m_speed, m_backend->name(), m_speed / m_referenceSpeed));
    }

    void draw()
    {
        const Panels panels = evaluatePanels(*m_evaluator);
        drawPanels(panels).writePng(m_file);
        say(fmt::format(
            "picture      {} values in {:.1f} ms, written to {}: the plate after {:.1f}, "
            "{:.1f} and {:.1f} s\n",
            panels.values.size(), 1e3 * panels.seconds, m_file, secondsAfterPulse(panels.times[0]),
            secondsAfterPulse(panels.times[1]), secondsAfterPulse(panels.times[2])));
        m_picture = {
            {"file", m_file}, {"values", panels.values.size()}, {"seconds", panels.seconds}};
    }

    void printWhole() const
    {
        printJson({{"function", "temperature rise of a plate after a laser pulse"},
                   {"dimension", plateDimension},
                   {"level", m_shape.level()},
                   {"backend", m_backend->name()},
                   {"backend_description", m_backend->description()},
                   {"points", m_count.points},
                   {"blocks", m_count.blocks},
                   {"full_grid_points", m_fullPoints},
                   {"compression", m_compression},
                   {"hold_out_points", holdOuts()},
                   {"relative_l2", m_errors.relativeL2},
                   {"maximum_error", m_errors.maximum},
                   {"relative_maximum_error", m_errors.relativeMaximum},
                   {"hierarchized_points_per_second", m_hierarchizedPerSecond},
                   {"points_per_second",
                    {{"reference", m_referenceSpeed}, {std::string(m_backend->name()), m_speed}}},
                   {"picture", m_picture},
                   {"execution", executionJson(m_global, m_where)}});
    }

    std::size_t holdOuts() const { return m_unseen.size() / plateDimension; }

    const GlobalOptions &m_global;
    std::shared_ptr<const sparse::Backend> m_backend;
    sparse::GridShape m_shape;
    std::string m_file; ///< of the picture; empty: none is drawn
    sparse::GridCount m_count;
    double m_fullPoints = 0, m_compression = 0;
    double m_hierarchizedPerSecond = 0, m_referenceSpeed = 0, m_speed = 0;
    std::unique_ptr<sparse::Evaluator<double>> m_literal, m_evaluator;
    std::vector<double> m_unseen; ///< (hold-out, dimension)
    sparse::ErrorNorms m_errors;
    ComputedOn m_where;
    nlohmann::json m_picture;
};

} // namespace

void addGridDemoCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "demo", "Compress a real function of 6 dimensions, and show size, error and speed");
    const auto options = std::make_shared<DemoOptions>();
    command.add_option("--level", options->level, "Refinement level")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--picture", options->picture, "Write a picture of the plate, as PNG")
        ->type_name("FILE");
    command.footer(R"(
The function is the temperature of an insulated plate after a laser pulse: a Gaussian spot that
spreads and is reflected by the edges. It depends on x, y, time, diffusivity, the spot's position
and its radius. The picture shows the plate at three times, decompressed from the grid.

Examples:
  gridhelm-cli grid demo --picture plate.png
  gridhelm-cli grid demo --level 6 --json)");
    command.callback([&global, options] { Demo(global, *options).run(); });
}

} // namespace gridhelm::cli
