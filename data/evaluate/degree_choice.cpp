// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/degree_choice.h"

#include "core/execution/parallel_for.h"
#include "core/sparse/backend.h"
#include "core/support/memory_check.h"
#include "data/evaluate/error_norms.h"
#include "data/evaluate/leave_one_out.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace gridhelm::data {

namespace {

constexpr int highestDegree = 3;

/// Values of a field, spread evenly over its mesh, at all points of the grid.
struct SampledSnapshots
{
    std::size_t columns = 0;
    std::vector<float> values; ///< points x columns

    std::span<const float> row(std::uint64_t point) const
    {
        return std::span(values).subspan(point * columns, columns);
    }
};

/// False if a snapshot is not there.
bool readSampled(const Study &study, FieldIndex field, SampledSnapshots &sampled,
                 const std::stop_token &stop)
{
    constexpr std::size_t mostValues = std::size_t{1} << 24, most = 4096, least = 16;
    const auto points = study.grid()->points();
    const std::size_t all = study.fields()[field].values();
    sampled.columns = std::min<std::size_t>(
        all, std::clamp<std::size_t>(mostValues / static_cast<std::size_t>(points), least, most));
    requireMemory(2.0 * sizeof(float) * static_cast<double>(points)
                      * static_cast<double>(sampled.columns),
                  "choosing the degree of " + study.fields()[field].name, "give --degree");
    std::vector<float> snapshot(all);
    for (std::uint64_t point = 0; point < points; ++point) {
        if (stop.stop_requested() || !study.readSnapshot(point, field, snapshot))
            return false;
        for (std::size_t c = 0; c < sampled.columns; ++c)
            sampled.values.push_back(snapshot[c * all / sampled.columns]);
    }
    return true;
}

/// Coefficients of the sampled values on this grid.
SampledSnapshots hierarchized(const sparse::SparseGrid &grid, const SampledSnapshots &sampled,
                              const ExecutionContext &context)
{
    SampledSnapshots coefficients = sampled;
    const auto serial = sparse::makeOmpBackend(ExecutionContext(CpuDevice{1}));
    const auto points = static_cast<std::size_t>(grid.points());
    parallelFor(sampled.columns, context.cpu(), 1, [&](std::size_t c) {
        std::vector<double> column(points);
        for (std::size_t point = 0; point < points; ++point)
            column[point] = sampled.values[point * sampled.columns + c];
        serial->hierarchize(grid, column);
        for (std::size_t point = 0; point < points; ++point)
            coefficients.values[point * sampled.columns + c] = static_cast<float>(column[point]);
    });
    return coefficients;
}

} // namespace

std::vector<int> degreesOf(const ParameterSpace &space, int degree)
{
    std::vector<int> degrees;
    for (const auto &parameter : space.parameters())
        degrees.push_back(parameter.isDense ? parameter.degree
                                            : std::min(degree, sparse::highestDegreeOf(
                                                                   parameter.usedTreatment())));
    return degrees;
}

bool canChooseDegree(const ParameterSpace &space)
{
    return degreesOf(space, 1) != degreesOf(space, highestDegree);
}

std::vector<ErrorFigure> compareDegrees(const Study &study, FieldIndex field,
                                        const ExecutionContext &context,
                                        const std::stop_token &stop)
{
    const auto &space = study.description().space;
    const auto grid = study.grid();
    SampledSnapshots sampled;
    if (!canChooseDegree(space) || !readSampled(study, field, sampled, stop))
        return {};
    const auto isFinest = finestPoints(*grid);
    std::vector<ErrorFigure> figures;
    for (int degree = 1; degree <= highestDegree; ++degree) {
        const sparse::SparseGrid of(grid->treatments(), grid->levelVectors(), grid->dense(),
                                    degreesOf(space, degree));
        const auto coefficients = hierarchized(of, sampled, context);
        ErrorWithout without(
            of, sampled.columns,
            [&](std::uint64_t point, std::span<float> into) {
                std::ranges::copy(coefficients.row(point), into.begin());
                return true;
            },
            [&](std::uint64_t below, std::uint64_t) { return isFinest[below]; });
        std::vector<float> error(sampled.columns);
        for (const auto point : finestPointsLeftOut(of)) {
            if (stop.stop_requested())
                return {};
            without.read(point, error);
            figures.push_back(figureOf(degreesCompared[static_cast<std::size_t>(degree - 1)], field,
                                       space.valuesAt(of, point), normsOf(error),
                                       normsOf(sampled.row(point)), study.fields()[field].scale));
            figures.back().gridPoints = of.points();
        }
    }
    return figures;
}

int bestDegree(const std::vector<ErrorFigure> &figures)
{
    constexpr double none = 1e-12;    // of errors: as good as exact
    constexpr double roundOff = 1e-3; // of the logarithm: snapshots are float32
    std::array<std::map<FieldIndex, double>, degreesCompared.size()> sums;
    for (const auto &figure : figures) {
        const auto kind = std::ranges::find(degreesCompared, figure.kind);
        if (kind != degreesCompared.end())
            sums[static_cast<std::size_t>(kind - degreesCompared.begin())][figure.field] +=
                figure.relativeL2;
    }
    int best = 0;
    double least = 0;
    for (int degree = 1; degree <= highestDegree; ++degree) {
        double product = 0; // its logarithm
        for (const auto &[field, sum] : sums[static_cast<std::size_t>(degree - 1)])
            product += std::log(std::max(sum, none));
        if (!figures.empty() && (best == 0 || product < least - roundOff)) {
            best = degree;
            least = product;
        }
    }
    return best;
}

} // namespace gridhelm::data
