// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/data_cases.h"

#include "app/bench/scratch_folder.h"
#include "app/bench/sparse_cases.h"
#include "core/execution/memory_bandwidth.h"
#include "core/linalg/combination.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "data/compress/compress.h"
#include "data/evaluate/field_surrogate.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::bench {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

data::StudyDescription describe(int parameters, sparse::BoundaryTreatment treatment, int level)
{
    std::vector<Parameter> list;
    for (int t = 0; t < parameters; ++t) {
        list.push_back({"p" + std::to_string(t + 1), "", 0, 1});
        list.back().treatment = treatment;
    }
    return {"benchmark", data::StudyKind::vector, ParameterSpace(std::move(list)), level, ""};
}

std::uint64_t pointsOf(const data::StudyDescription &description)
{
    return sparse::countGrid(description.space.shape(description.level)).points;
}

double bytesOf(const data::StudyDescription &description, const DataBenchOptions &options)
{
    return static_cast<double>(pointsOf(description)) * static_cast<double>(options.values)
           * sizeof(float);
}

/// A smooth function of parameters and place, with a rough part that no encoding could shorten.
std::vector<float> snapshotAt(std::span<const double> x, std::uint64_t values)
{
    double phase = 0, sum = 0;
    for (std::size_t t = 0; t < x.size(); ++t) {
        phase += x[t] * static_cast<double>(t + 1);
        sum += x[t] * x[t];
    }
    const auto a = static_cast<float>(std::sin(phase)), b = static_cast<float>(sum);
    std::vector<float> snapshot(values);
    std::uint32_t state = 1;
    for (float &value : snapshot) {
        state = state * 1664525U + 1013904223U;
        const auto rough = static_cast<float>(state >> 8U) * 0x1p-24F;
        value = a * rough + b * (1 - rough);
    }
    return snapshot;
}

/// A study with all snapshots and without coefficients.
void makeStudy(const fs::path &path, const data::StudyDescription &description,
               const DataBenchOptions &options)
{
    auto writer = data::StudyWriter::create(path, description);
    writer.setSnapshotEncoding(data::BlobEncoding::raw);
    const auto field = writer.addField({"u", "", 1, data::Association::point, options.values});
    std::vector<double> x(static_cast<std::size_t>(writer.grid()->dimension()));
    for (std::uint64_t point = 0; point < writer.grid()->points(); ++point) {
        options.checkpoint();
        writer.grid()->coordinates(point, x);
        writer.putSnapshot(point, field, snapshotAt(x, options.values));
    }
    writer.close();
}

void compressStudy(const fs::path &path, const DataBenchOptions &options)
{
    auto writer = data::StudyWriter::open(path);
    data::CompressOptions compress;
    compress.encoding = data::BlobEncoding::raw;
    compress.cpu = options.context.cpu();
    bool goesOn = true;
    compress.progress = [&](std::uint64_t, std::uint64_t) {
        try {
            options.checkpoint();
        } catch (const Error &) { // thrown again below
            goesOn = false;
        }
        return goesOn;
    };
    const auto report = data::compress(writer, compress);
    writer.close();
    options.checkpoint();
    if (report.computed != pointsOf(data::Study::open(path).description()))
        throw Error("the benchmark's study was not compressed as a whole: report this");
}

/// Largest difference to the snapshots at a few grid points, relative to their size (about 1).
double errorAtGridPoints(const data::Study &study, const data::FieldSurrogate &surrogate)
{
    const auto &grid = *study.grid();
    std::vector<double> x(static_cast<std::size_t>(grid.dimension()));
    std::vector<float> values(surrogate.values());
    double error = 0;
    for (std::uint64_t point = 0; point < grid.points(); point += grid.points() / 4 + 1) {
        grid.coordinates(point, x);
        surrogate.evaluate(x, {values}, CpuDevice{});
        const auto exact = snapshotAt(x, values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            error = std::max(error, std::abs(static_cast<double>(values[i] - exact[i])));
    }
    return error;
}

json sizes(const data::StudyDescription &description, const DataBenchOptions &options)
{
    return {{"parameters", description.space.dimension()},
            {"level", description.level},
            {"snapshots", pointsOf(description)},
            {"values", options.values},
            {"bytes", bytesOf(description, options)}};
}

} // namespace

json benchCompress(const DataBenchOptions &options)
{
    const auto description =
        describe(options.parameters, sparse::BoundaryTreatment::modified, options.level);
    const double bytes = bytesOf(description, options);
    requireMemory(3 * bytes, "compressing snapshots that memory holds", "lower --values");
    const ScratchFolder folder(options.folder, 4.2 * bytes + 1e7);
    const auto original = folder / "original.gridhelm", copy = folder / "copy.gridhelm",
               plain = folder / "plain";
    makeStudy(original, description, options);

    std::vector<double> compressSeconds, diskSeconds;
    double error = 0;
    const auto compressOne = [&] {
        folder.settle();
        return secondsOf([&] { compressStudy(copy, options); });
    };
    const auto writeOne = [&] {
        folder.settle();
        return secondsToWrite(plain, static_cast<std::uint64_t>(bytes), options.checkpoint);
    };
    for (int repeat = 0; repeat <= options.repeats; ++repeat) { // the first one warms up
        fs::copy_file(original, copy);
        bringIntoMemory(copy);
        // Neither is removed before both are done, and each is first every other time: memory that
        // was in use a moment ago is faster to write to, in virtual machines by far.
        double compressed = 0, written = 0;
        if (repeat % 2 == 0)
            compressed = compressOne();
        written = writeOne();
        if (repeat % 2 != 0)
            compressed = compressOne();
        if (repeat == 0) {
            const auto study = data::Study::open(copy);
            data::FieldSurrogate surrogate(study, 0);
            surrogate.loadAll(study);
            error = errorAtGridPoints(study, surrogate);
        } else {
            compressSeconds.push_back(compressed);
            diskSeconds.push_back(written);
        }
        fs::remove(copy);
        fs::remove(plain);
    }
    std::vector<double> ratios;
    for (std::size_t i = 0; i < compressSeconds.size(); ++i)
        ratios.push_back(diskSeconds[i] / compressSeconds[i]);
    const auto compressTiming = timingOf(compressSeconds), diskTiming = timingOf(diskSeconds);
    json result = sizes(description, options);
    result.update({{"threads", options.context.cpu().threads},
                   {"warm_ups", 1},
                   {"coefficient_bytes", rate(bytes, compressTiming)},
                   {"disk_bytes", rate(bytes, diskTiming)},
                   {"compress_to_disk", diskTiming.median / compressTiming.median},
                   {"compress_to_disk_of_neighbours", timingOf(ratios).median},
                   {"compress_seconds", compressSeconds},
                   {"disk_seconds", diskSeconds},
                   {"error", error}});
    return result;
}

json benchEvaluate(const DataBenchOptions &options)
{
    // One level with both ends of every parameter: 3^n snapshots, and between grid points all of
    // them count.
    const auto description =
        describe(options.endParameters, sparse::BoundaryTreatment::boundary, 1);
    const double bytes = bytesOf(description, options);
    requireMemory(3 * bytes, "evaluating a loaded study", "lower --values");
    const ScratchFolder folder(options.folder, 2.2 * bytes + 1e7);
    const auto path = folder / "study.gridhelm";
    makeStudy(path, description, options);
    compressStudy(path, options);
    const auto study = data::Study::open(path);
    data::FieldSurrogate surrogate(study, 0);
    bringIntoMemory(path);
    const double loading = secondsOf([&] {
        surrogate.loadAll(study, [&] {
            options.checkpoint();
            return false;
        });
    });
    const double error = errorAtGridPoints(study, surrogate);

    const auto rows = surrogate.matrix().rows;
    SparseBenchOptions engine;
    engine.context = options.context;
    engine.measure = options.measure;
    const auto ofEngine = benchSpvm(rows, options.values, engine);
    options.checkpoint();

    json result = sizes(description, options);
    result["load_bytes"] = rate(bytes, timingOf({loading}));
    result["error"] = error;
    const auto matrix = surrogate.matrix();
    const std::span<const float> memory(matrix.data, matrix.rows * matrix.stride);
    std::vector<float> values(options.values), indicator(options.values);
    std::vector<double> x(static_cast<std::size_t>(options.endParameters));
    double position = 0.1;
    volatile float sink = 0;
    for (const int threads : {1, options.context.cpu().threads}) {
        const CpuDevice cpu{threads};
        const char *name = threads == 1 ? "one_thread" : "all_threads";
        if (result.contains(name))
            continue;
        std::vector<std::function<void()>> works{[&, cpu] {
            for (double &coordinate : x) // elsewhere every time, as a moving slider has it
                coordinate = position = std::fmod(position + 0.3819660113, 0.999) + 5e-4;
            surrogate.evaluate(x, {values, indicator}, cpu);
        }};
        for (int streams : {1, 2, 4, 8})
            works.emplace_back([&, cpu, streams] { sink = readOnce(memory, streams, cpu); });
        const auto timings = measureInTurns(works, options.measure);
        options.checkpoint();
        const auto read =
            std::min_element(timings.begin() + 1, timings.end(),
                             [](const Timing &a, const Timing &b) { return a.median < b.median; });
        const double share = read->median / timings[0].median
                             * (bytes / static_cast<double>(memory.size() * sizeof(float)));
        const double engineShare = ofEngine[name]["spvm_to_read"].get<double>();
        result[name] = {
            {"threads", threads},
            {"values", rate(static_cast<double>(options.values), timings[0])},
            {"evaluate_bytes", rate(bytes, timings[0])},
            {"read_bytes", rate(static_cast<double>(memory.size() * sizeof(float)), *read)},
            {"evaluate_to_read", share},
            {"engine_spvm_to_read", engineShare},
            {"evaluate_to_engine", share / engineShare}};
    }
    return result;
}

json benchOpen(const DataBenchOptions &options)
{
    const auto description =
        describe(options.parameters, sparse::BoundaryTreatment::modified, options.level);
    const double bytes = bytesOf(description, options);
    requireMemory(2 * bytes, "opening a study", "lower --values");
    const ScratchFolder folder(options.folder, 2.2 * bytes + 1e7);
    const auto path = folder / "study.gridhelm";
    makeStudy(path, description, options);
    compressStudy(path, options);
    folder.settle();

    constexpr int coarseGroups = 2;
    const std::vector<double> x(static_cast<std::size_t>(options.parameters), 0.3);
    std::uint64_t rows = 0;
    const auto open = [&] {
        return secondsOf([&] {
            const auto study = data::Study::open(path);
            data::FieldSurrogate surrogate(study, 0);
            surrogate.load(study, coarseGroups);
            std::vector<float> values(surrogate.values());
            surrogate.evaluate(x, {values}, options.context.cpu());
            rows = surrogate.matrix().rows;
        });
    };
    std::vector<double> cold, warm;
    double coldShare = 0;
    for (int repeat = 0; repeat < options.repeats; ++repeat) {
        options.checkpoint();
        dropFromMemory(path);
        coldShare = std::max(coldShare, residentShare(path));
        cold.push_back(open());
        bringIntoMemory(path);
        warm.push_back(open());
    }
    json result = sizes(description, options);
    result.update({{"file_bytes", fs::file_size(path)},
                   {"levels", coarseGroups},
                   {"snapshots_read", rows},
                   {"cold", rate(1, timingOf(cold))},
                   {"cold_resident_share", coldShare},
                   {"warm", rate(1, timingOf(warm))}});
    return result;
}

} // namespace gridhelm::bench
