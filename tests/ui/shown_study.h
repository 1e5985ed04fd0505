// SPDX-License-Identifier: GPL-3.0-or-later
//
// The small study that tests of the window open, and what the library says is in it.
#pragma once

#include "data/evaluate/field_surrogate.h"
#include "data/study/image_mesh.h"
#include "tests/data/study_cases.h"

#include <QString>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gridhelm::test {

/// A file in the folder, as the window is told.
inline QString inside(const Folder &folder, const std::string &name)
{
    return QString::fromStdString((folder / name).string());
}

constexpr std::size_t columns = 33, rows = 25;

/// Two fields on an image of [0, 1] x [0, 0.75]: "u", a scalar, and "v" with two components. With
/// points in z, in 3D.
inline data::StudyWriter newStudy(const std::filesystem::path &path, int level = 4,
                                  std::size_t layers = 1)
{
    auto description = smallDescription(level);
    description.simulation.clear(); // nothing that a campaign could run
    auto writer = data::StudyWriter::create(path, description);
    data::ImageMesh image{{columns, rows, layers}, {0, 0, 0}, {1.0 / 32, 1.0 / 32, 1.0 / 32}};
    writer.setMesh(data::encodeImageMesh(image));
    writer.addField(smallField("u", columns * rows * layers));
    writer.addField(smallField("v", columns * rows * layers, 2));
    return writer;
}

inline std::filesystem::path makeStudy(const Folder &folder, int level = 4, std::size_t layers = 1)
{
    const auto path = folder / "small.gridhelm";
    auto writer = newStudy(path, level, layers);
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
    return path;
}

/// Whose grid has just grown: its new points have not been run.
inline data::StudyWriter newGrownStudy(const std::filesystem::path &path)
{
    auto writer = newStudy(path, 3);
    runAllJobs(writer);
    compress(writer, {});
    writer.growGrid(5, std::vector{5, 2, 5});
    return writer;
}

/// What the library says that a field is there.
inline std::vector<float> fieldAt(const std::filesystem::path &path, data::FieldIndex field,
                                  const std::vector<double> &parameters)
{
    const auto study = data::Study::open(path);
    std::vector<float> values(study.fields().at(field).values());
    data::evaluateFromFile(study, field, study.description().space.toUnit(parameters), {values},
                           CpuDevice{});
    return values;
}

/// The node of newStudy()'s mesh beside a place.
inline std::uint64_t nodeAt(const std::array<double, 3> &place)
{
    const auto i = std::lround(place[0] * 32), j = std::lround(place[1] * 32);
    return static_cast<std::uint64_t>(j) * columns + static_cast<std::uint64_t>(i);
}

} // namespace gridhelm::test
