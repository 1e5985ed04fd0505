// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of runs at any places.
#pragma once

#include "core/support/error.h"
#include "data/answers/response_samples.h"
#include "data/campaign/scattered_study.h"
#include "data/campaign/scattered_table.h"
#include "tests/core/kriging_cases.h"
#include "tests/data/small_campaigns.h"
#include "tests/data/study_cases.h"
#include "tests/data/text_files.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::test {

using namespace data;

using Response = std::function<double(std::span<const double>)>;

inline double wave(std::span<const double> x)
{
    return 1.5 + std::sin(3 * x[0]) * (1 + x[1]);
}

/// Of two parameters, a of 100 to 300 and b of -1 to 1, at a Latin hypercube.
inline std::string tableOf(std::size_t count, const std::vector<Response> &responses,
                           std::uint64_t seed = 7)
{
    Random random(seed);
    const auto places = latinHypercube(random, count, 2);
    std::string text = "a,b [mm]";
    for (std::size_t r = 0; r < responses.size(); ++r)
        text += fmt::format(",r{} [N]", r);
    for (std::size_t i = 0; i < count; ++i) {
        const std::span<const double> x(places.data() + 2 * i, 2);
        text += fmt::format("\n{},{}", 100 + 200 * x[0], 2 * x[1] - 1);
        for (const auto &response : responses)
            text += fmt::format(",{}", response(x));
    }
    return text + "\n";
}

using Places = std::vector<std::vector<double>>;

/// Of planned runs, in their order.
inline Places placesOf(const Study &study)
{
    Places places;
    for (const auto &run : study.plannedRuns())
        places.push_back(run.parameters);
    return places;
}

inline ScatteredTable parsed(const std::string &csv, const ScatteredChoice &choice = {},
                             const std::filesystem::path &folder = "/nowhere")
{
    const TextTable cells(csv, "t.csv");
    const auto roles = scatteredRoles(cells, choice);
    auto table = scatteredTable(cells, {roles.roles, {}, folder});
    table.notes.insert(table.notes.begin(), roles.notes.begin(), roles.notes.end());
    return table;
}

inline std::string linesOf(const std::vector<std::string> &notes)
{
    std::string text;
    for (const auto &note : notes)
        text += note + "\n";
    return text;
}

inline bool says(const std::vector<std::string> &notes, const char *what)
{
    return linesOf(notes).find(what) != std::string::npos;
}

inline std::string sentenceOf(const std::function<void()> &action)
{
    try {
        action();
    } catch (const Error &error) {
        return error.what();
    }
    return "no error";
}

inline ScatteredStep stepOf(const Folder &folder)
{
    ScatteredStep step;
    step.table = folder / "t.csv";
    step.study = folder / "s";
    return step;
}

/// Of 12 runs that were made elsewhere, tableOf(12, {wave}).
inline StudyWriter importedStudy(const Folder &folder)
{
    writeText(folder / "t.csv", tableOf(12, {wave}));
    auto step = stepOf(folder);
    step.study = folder / "imported";
    scatteredStep(step, {});
    return StudyWriter::open(step.study);
}

/// The one point of a mesh.
inline ResponseSamples samplesOfOne(Association of, const answers::ResponsePlace &, SlopeAxes,
                                    const GeometryValues &)
{
    ResponseSamples samples;
    samples.association = of;
    samples.shares = {{0, 1}};
    samples.first.push_back(1);
    samples.weights = {1};
    return samples;
}

inline StepControl readingNumbers()
{
    StepControl control;
    control.files.read = readNumber;
    return control;
}

} // namespace gridhelm::test
