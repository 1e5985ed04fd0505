// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies with something in each of their tables, and whoever uses all of it.
#pragma once

#include "core/support/error.h"
#include "data/compress/compress_modes.h"
#include "data/evaluate/field_surrogate.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/scalar_surrogate.h"
#include "data/study/image_mesh.h"
#include "data/study/info.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"

#include <filesystem>
#include <vector>

namespace gridhelm::test {

inline void makeFullStudy(const std::filesystem::path &path,
                          data::BlobEncoding encoding = data::BlobEncoding::automatic)
{
    auto writer = data::StudyWriter::create(path, smallDescription(2));
    writer.setSnapshotEncoding(encoding);
    writer.setMesh(data::encodeImageMesh({{20, 15, 1}, {0, 0, 0}, {1, 1, 1}}));
    writer.addField(smallField("u", 300));
    runAllJobs(writer);
    data::CompressOptions options;
    options.encoding = encoding;
    data::compress(writer, options);
    const std::vector parameters{300.0, 1.0, 2.0};
    writer.putHoldOut(writer.addHoldOut(parameters), 0, std::vector<float>(300, 1.0F));
    data::storeErrors(writer, onCpu());
    data::ModesOptions modes;
    modes.cut = 1e-4;
    data::storeModes(writer, modes);
    writer.close();
}

inline void makeFullScalarStudy(const std::filesystem::path &path)
{
    const Parameter a{"a", "", 1, 2}, time{"t", "s", 0, 5, {}, ParameterKind::timeLike};
    auto writer = data::StudyWriter::create(
        path, {"scalar", data::StudyKind::scalar, ParameterSpace({a, time}), 3, ""});
    writer.addField({"u", "", 1, data::Association::point, 1});
    runAllJobs(writer);
    data::compress(writer, {});
    writer.close();
}

/// Whatever anybody does with a file; errors are fine, anything else is not. Returns whether it
/// can be opened.
inline bool useEverything(const std::filesystem::path &path)
{
    static_cast<void>(data::check(path));
    try {
        auto study = data::Study::open(path);
        const auto each = [](auto action) {
            try {
                action();
            } catch (const Error &) {
                // As it should be.
            }
        };
        each([&] { static_cast<void>(study.mesh()); });
        each([&] {
            for (const auto &job : study.jobs())
                static_cast<void>(study.readScalarValues(job.id, 0));
        });
        each([&] { static_cast<void>(study.jobLog(1)); });
        each([&] { static_cast<void>(data::info(study)); });
        each([&] { static_cast<void>(study.errorFigures()); });
        each([&] { static_cast<void>(study.errorHistory()); });
        each([&] { static_cast<void>(study.refinements()); });
        each([&] { static_cast<void>(study.responses()); });
        each([&] { static_cast<void>(study.submissions()); });
        each([&] { static_cast<void>(study.holdOuts()); });
        each([&] { static_cast<void>(allCoefficients(study)); });
        each([&] { static_cast<void>(study.modalRows(0)); });
        each([&] {
            data::FieldSurrogate surrogate(study, 0);
            surrogate.loadAll(study);
            std::vector<float> values(surrogate.values());
            surrogate.evaluate(std::vector{0.3, 0.4, 0.5}, {values, {}}, CpuDevice{1});
        });
        each([&] {
            std::vector<float> values(10);
            const std::vector<double> x(
                static_cast<std::size_t>(study.description().space.dimension()), 0.3);
            data::evaluateFromFile(study, 0, x, {values, {}}, CpuDevice{1});
        });
        each([&] {
            const data::ScalarSurrogate surrogate(study, 0, *sparse::makeReferenceBackend());
            std::vector<float> value(1);
            const auto &space = study.description().space;
            std::vector<std::vector<double>> axes;
            for (const auto &parameter : space.parameters())
                axes.push_back({parameter.low});
            surrogate.evaluate(axes, {value});
        });
        each([&] { static_cast<void>(data::measureErrors(study, onCpu())); });
        each([&] { study.refresh(); });
        return true;
    } catch (const Error &) {
        return false;
    }
}

} // namespace gridhelm::test
