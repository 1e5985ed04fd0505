// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small studies with modes, and what is evaluated of them.
#pragma once

#include "data/compress/compress_modes.h"
#include "data/evaluate/study_fields.h"
#include "data/study/image_mesh.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gridhelm::test {

using namespace data;

inline constexpr std::size_t width = 30, height = 20;

inline void makeStudy(const std::filesystem::path &path, const StudyDescription &description,
                      std::uint64_t entities, int components)
{
    auto writer = StudyWriter::create(path, description);
    if (entities == width * height)
        writer.setMesh(encodeImageMesh({{width, height, 1}, {0, 0, 0}, {0.5, 0.25, 1}}));
    else if (entities > 1000)
        setLine(writer, entities);
    writer.addField(smallField("u", entities, components));
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
}

inline void makeStudy(const std::filesystem::path &path, int level = 4,
                      std::uint64_t entities = 600, int components = 1)
{
    makeStudy(path, smallDescription(level), entities, components);
}

inline ModesReport addModes(const std::filesystem::path &path, const ModesOptions &options = {})
{
    auto writer = StudyWriter::open(path);
    const auto report = storeModes(writer, options);
    writer.close();
    return report;
}

inline std::shared_ptr<const sparse::Backend> omp(int threads = 1)
{
    return sparse::makeOmpBackend(onCpu(threads));
}

/// Parameters in their units: corners, points of the grid, and places in between.
inline std::vector<std::vector<double>> somePlaces(const Study &study)
{
    const auto &space = study.description().space;
    std::vector<std::vector<double>> places{space.fromUnit(std::vector{0.0, 0.0, 0.0}),
                                            space.fromUnit(std::vector{1.0, 1.0, 1.0}),
                                            space.fromUnit(std::vector{0.5, 0.25, 0.5})};
    Random random(4);
    while (places.size() < 20) {
        const double a = random.real(), b = random.real(), c = random.real();
        places.push_back(space.fromUnit(std::vector{a, b, c}));
    }
    return places;
}

struct Whole
{
    std::vector<float> values, indicator;
};

inline Whole evaluated(StudyFields &fields, const std::vector<double> &at, int groups = 0)
{
    const auto size = fields.fields()[0].values();
    Whole whole{std::vector<float>(size), std::vector<float>(size)};
    fields.evaluate(0, at, {whole.values, whole.indicator}, groups);
    return whole;
}

/// Norm of the difference, with the weights of the modes.
inline double distance(const std::vector<float> &a, const std::vector<float> &b,
                       const std::vector<double> &weights)
{
    double sum = 0;
    const auto components = a.size() / weights.size();
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        sum += weights[i / components] * difference * difference;
    }
    return std::sqrt(sum);
}

/// Without time, level 3 of the small description has complete levels when it is grown to 4.
inline void growTo(const std::filesystem::path &path, int level)
{
    auto writer = StudyWriter::open(path);
    const std::vector<int> caps{30, 2, 30};
    writer.growGrid(level, caps);
    writer.close();
}

inline std::string modesOf(const std::filesystem::path &path)
{
    const auto study = Study::open(path);
    const auto set = study.modeSet(0);
    if (!set)
        return "none";
    std::string bytes;
    const auto add = [&](const auto &values) {
        bytes.append(reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(values[0]));
    };
    add(set->singularValues);
    add(std::vector{set->norm, set->cutEnergy, set->meanError, set->largestError});
    for (std::uint64_t mode = 0; mode < set->modes(); ++mode) {
        std::vector<float> values(study.fields()[0].values());
        study.readMode(0, mode, values);
        add(values);
    }
    const auto rows = study.modalRows(0);
    add(rows->coefficients);
    add(rows->residuals);
    return bytes;
}

/// All of the first field's rows, as a picture of it needs them.
inline void loadFirstField(const std::filesystem::path &path)
{
    const auto study = Study::open(path);
    FieldSurrogate loaded(study, 0);
    loaded.loadAll(study);
}

/// Of a field of 600 values that has modes: from memory, from the file, by parts, by lists, by all
/// back ends.
inline void checkEveryWayToEvaluate(const Study &study)
{
    FieldSurrogate loaded(study, 0);
    QCOMPARE(loaded.loadAll(study), study.grid()->groups());
    QCOMPARE(loaded.matrix().rows, study.modeSet(0)->modes());
    const std::vector<std::uint32_t> columns{599, 3, 3, 0, 277};
    for (const auto &at : somePlaces(study)) {
        const auto x = study.description().space.toUnit(at);
        std::vector<float> expected(600), indicator(600), values(600), again(600), some(5),
            ofSome(5);
        loaded.evaluate(x, {expected, indicator}, CpuDevice{2});
        const auto near = [](float a, float b) { return std::abs(a - b) <= 2e-6F; };
        evaluateFromFile(study, 0, x, {values, again}, CpuDevice{});
        QVERIFY(std::ranges::equal(values, expected, near));
        QVERIFY(std::ranges::equal(again, indicator, near));
        evaluateFromFile(study, 0, x, {values, {}}, CpuDevice{});
        QVERIFY(std::ranges::equal(values, expected, near));
        loaded.evaluate(x, {values, {}}, CpuDevice{});
        QVERIFY(std::ranges::equal(values, expected, near));
        for (const auto &backend :
             {omp(), std::shared_ptr<const sparse::Backend>(sparse::makeReferenceBackend())}) {
            loaded.evaluate(x, {values, again}, backend);
            QVERIFY(std::ranges::equal(values, expected, near));
            QVERIFY(std::ranges::equal(again, indicator, near));
            loaded.evaluate(x, {std::span(values).first(100), std::span(again).first(100)}, backend,
                            300);
            loaded.evaluateColumns(x, columns, {some, ofSome}, backend);
            for (std::size_t i = 0; i < 100; ++i)
                QVERIFY(near(values[i], expected[300 + i]) && near(again[i], indicator[300 + i]));
            for (std::size_t i = 0; i < columns.size(); ++i) {
                QVERIFY(near(some[i], expected[columns[i]]));
                QVERIFY(near(ofSome[i], indicator[columns[i]]));
            }
        }
    }
}

} // namespace gridhelm::test
