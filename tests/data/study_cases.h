// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small studies of a smooth function, in folders of their own.
#pragma once

#include "data/compress/compress.h"
#include "data/study/check.h"
#include "data/study/image_mesh.h"
#include "data/study/study_writer.h"
#include "tests/core/private_configuration.h"
#include "tests/core/random.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace gridhelm::test {

/// A folder that goes away with the object.
class Folder
{
public:
    std::filesystem::path operator/(const std::string &name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

private:
    QTemporaryDir m_folder;
};

inline std::vector<char> bytesOf(const std::filesystem::path &path)
{
    std::error_code none;
    const auto size = std::filesystem::file_size(path, none);
    std::vector<char> bytes(none ? 0 : size);
    std::ifstream(path, std::ios::binary)
        .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

inline void writeBytes(const std::filesystem::path &path, const std::vector<char> &bytes)
{
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Two ordinary parameters, the first logarithmic, and time.
inline data::StudyDescription smallDescription(int level)
{
    Parameter reynolds{"Re", "", 100, 1000, ParameterScale::logarithmic};
    Parameter lid{"lid", "m/s", 0.5, 1.5};
    lid.levelCap = 2;
    Parameter time{"t", "s", 0, 5};
    time.kind = ParameterKind::timeLike;
    return {"small", data::StudyKind::vector, ParameterSpace({reynolds, lid, time}), level,
            "[simulation]\nname = \"test\"\n"};
}

inline data::Field smallField(const std::string &name, std::uint64_t entities, int components = 1)
{
    return {name, "m/s", components, data::Association::point, entities};
}

/// A mesh of so many nodes, which all weigh the same.
inline void setLine(data::StudyWriter &writer, std::uint64_t nodes)
{
    writer.setMesh(data::encodeImageMesh({{nodes, 1, 1}, {0, 0, 0}, {1, 1, 1}}));
}

/// The simulation: value i of a field at x in the unit cube. Depends on nothing else.
inline float simulate(std::span<const double> x, std::uint64_t i, std::size_t field = 0)
{
    double phase = 0.01 * static_cast<double>(i % 1009) + static_cast<double>(field), sum = 0.5;
    for (std::size_t t = 0; t < x.size(); ++t) {
        phase += x[t] * static_cast<double>(t + 1);
        sum += x[t] * x[t] / static_cast<double>(t + 2);
    }
    return static_cast<float>(sum + std::sin(phase));
}

inline std::vector<float> snapshotAt(std::span<const double> x, const data::Study &study,
                                     std::size_t field)
{
    std::vector<float> values(study.fields()[field].values());
    for (std::uint64_t i = 0; i < values.size(); ++i)
        values[i] = simulate(x, i, field);
    return values;
}

inline std::vector<double> coordinatesOf(const data::Study &study, std::uint64_t point)
{
    std::vector<double> x(static_cast<std::size_t>(study.grid()->dimension()));
    study.grid()->coordinates(point, x);
    return x;
}

/// Runs one job from its start to its end.
inline void runJob(data::StudyWriter &writer, const data::Job &job)
{
    writer.startJob(job.id);
    auto transaction = writer.transaction();
    for (std::size_t field = 0; field < writer.fields().size(); ++field) {
        if (writer.description().kind == data::StudyKind::scalar) {
            std::vector<float> values;
            for (auto point : job.points)
                values.push_back(simulate(coordinatesOf(writer, point), 0, field));
            writer.putScalarValues(job.id, field, values);
            continue;
        }
        for (auto point : job.points)
            writer.putSnapshot(point, field,
                               snapshotAt(coordinatesOf(writer, point), writer, field));
    }
    writer.finishJob(job.id, "fine");
    transaction.commit();
}

inline void runAllJobs(data::StudyWriter &writer)
{
    for (const auto &job : writer.jobs()) {
        if (job.state != data::JobState::done)
            runJob(writer, job);
    }
}

/// The grid grows, and one of its new jobs runs elsewhere.
inline void growAndSubmit(const std::filesystem::path &study)
{
    auto writer = data::StudyWriter::open(study);
    std::vector<int> caps(writer.description().space.parameters().size(), 3);
    writer.growGrid(writer.description().level + 1, caps);
    const auto id = writer.jobs().back().id;
    auto transaction = writer.transaction();
    writer.startJob(id);
    writer.putSubmission(id, "elsewhere", "token");
    transaction.commit();
    writer.close();
}

/// Coefficients of every point and field, as the file has them; of points without any, nothing.
inline std::vector<std::vector<float>> allCoefficients(const data::Study &study)
{
    std::vector<std::vector<float>> all;
    for (std::size_t field = 0; field < study.fields().size(); ++field) {
        if (study.description().kind == data::StudyKind::scalar) {
            all.push_back(study.readScalarCoefficients(field));
            continue;
        }
        for (std::uint64_t point = 0; point < study.grid()->points(); ++point) {
            std::vector<float> values(study.fields()[field].values());
            if (!study.readCoefficients(point, field, values))
                values.clear();
            all.push_back(values);
        }
    }
    return all;
}

/// Empty if check() finds nothing.
inline std::string problemsOf(const std::filesystem::path &path)
{
    std::string text;
    for (const auto &problem : data::check(path).problems)
        text += problem + "\n";
    return text;
}

inline bool isLong()
{
    return qEnvironmentVariableIsSet("GRIDHELM_LONG_TESTS");
}

} // namespace gridhelm::test
