// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small studies whose kind of surrogate is chosen.
#pragma once

#include "data/evaluate/field_anywhere.h"
#include "data/evaluate/surrogate_choice.h"
#include "tests/core/on_cpu.h"
#include "tests/data/kriging_studies.h"

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::test {

inline constexpr std::size_t nodes = 40;
using Function = double (*)(std::span<const double> x, double s);

/// Linear between the points of a grid of degree 1, with a kink that kriging does not follow.
inline double kinked(std::span<const double> x, double s)
{
    return 1 + s * std::abs(x[0] - 0.5) + 0.5 * x[1] * (1 - s);
}

inline double plume(std::span<const double> x, double s)
{
    const double far = s - 0.2 - 0.5 * x[0], wide = 0.2 + 0.1 * x[1];
    return 0.2 + std::exp(-far * far / (2 * wide * wide));
}

inline std::vector<float> fieldAt(Function of, std::span<const double> x)
{
    std::vector<float> values(nodes);
    for (std::size_t i = 0; i < nodes; ++i)
        values[i] = static_cast<float>(of(x, (static_cast<double>(i) + 0.5) / nodes));
    return values;
}

using Functions = std::map<std::string, Function>;

inline StudyDescription describe(sparse::BoundaryTreatment treatment, int level,
                                 bool hasTime = false)
{
    Parameter a{"a", "", 0, 1}, b{"b", "", 0, 2}, time{"t", "s", 0, 3};
    a.treatment = b.treatment = treatment;
    time.kind = ParameterKind::timeLike;
    time.isDense = true;
    time.levelCap = 2;
    std::vector<Parameter> parameters{a, b};
    if (hasTime)
        parameters.push_back(time);
    return {"choice", StudyKind::vector, ParameterSpace(parameters), level, ""};
}

inline void runWaiting(StudyWriter &writer, const Functions &functions, std::size_t notEvery = 0)
{
    std::size_t count = 0;
    for (const auto &job : writer.jobs()) {
        if (job.state == JobState::done || (notEvery > 0 && ++count % notEvery == 0))
            continue;
        writer.startJob(job.id);
        for (FieldIndex field = 0; field < writer.fields().size(); ++field)
            for (const auto point : job.points)
                writer.putSnapshot(point, field,
                                   fieldAt(functions.at(writer.fields()[field].name),
                                           coordinatesOf(writer, point)));
        writer.finishJob(job.id, "");
    }
}

inline StudyWriter makeChoice(const std::filesystem::path &path,
                              const StudyDescription &description, const Functions &functions,
                              std::size_t notEvery = 0)
{
    auto writer = StudyWriter::create(path, description);
    writer.setMesh(encodeImageMesh({{nodes, 1, 1}, {0, 0, 0}, {1, 1, 1}}));
    for (const auto &[name, function] : functions)
        writer.addField(smallField(name, nodes));
    runWaiting(writer, functions, notEvery);
    return writer;
}

inline double relativeNorm(const std::vector<float> &values, const std::vector<float> &exact)
{
    return relativeError(values, exact);
}

inline double meanOf(const std::vector<ErrorFigure> &figures, ErrorKind kind)
{
    double sum = 0;
    std::size_t count = 0;
    for (const auto &figure : figures)
        if (figure.kind == kind) {
            sum += figure.relativeL2;
            ++count;
        }
    return count == 0 ? -1 : sum / static_cast<double>(count);
}

inline bool isNear(double a, double b)
{
    return std::abs(a - b) <= 1e-3 * std::abs(b) + 1e-6;
}

inline CompressStepReport chooseFor(StudyWriter &writer, std::vector<std::string> fields = {},
                                    std::vector<int> degrees = {})
{
    auto step = surrogateStep(SurrogateKind::chosen, std::move(fields));
    step.degrees = std::move(degrees);
    return compressStep(writer, step, {});
}

/// Off the grid, in the unit cube.
inline void addRun(StudyWriter &writer, Function of, const std::vector<double> &x)
{
    writer.putHoldOut(writer.addTrainingRun(writer.description().space.fromUnit(x)), 0,
                      fieldAt(of, x));
}

/// Literally: relative errors of what the study shows at the runs off the grid.
inline double sumOffGrid(const Study &study)
{
    const FieldAnywhere shown(study, 0, onCpu(1));
    double sum = 0;
    for (const auto &run : study.trainingRuns()) {
        std::vector<float> values(nodes), exact(nodes);
        study.readHoldOut(run.id, 0, exact);
        shown.evaluate(run.parameters, {values, {}});
        sum += relativeNorm(values, exact);
    }
    return sum;
}

} // namespace gridhelm::test
