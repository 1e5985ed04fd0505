// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies whose snapshots are no combinations of a few modes.
#pragma once

#include "tests/data/study_cases.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace gridhelm::test {

/// Each snapshot is one of its own, so that there are as many modes as points.
inline std::vector<float> unlikeSnapshot(std::span<const double> x, std::uint64_t values)
{
    std::vector<float> snapshot(values);
    for (std::uint64_t i = 0; i < values; ++i) {
        const double seed =
            static_cast<double>(i) * 12.9898 + x[0] * 78.233 + x[1] * 37.719 + x[2] * 19.173;
        const double noise = std::sin(seed) * 43758.5453;
        snapshot[i] = static_cast<float>(1 + noise - std::floor(noise));
    }
    return snapshot;
}

inline void runUnlikeJobs(data::StudyWriter &writer, std::size_t skipped = 0)
{
    const auto values = writer.fields()[0].values();
    for (const auto &job : writer.jobs()) {
        if (job.state == data::JobState::done || skipped > 0) {
            skipped -= skipped > 0 ? 1 : 0;
            continue;
        }
        writer.startJob(job.id);
        auto transaction = writer.transaction();
        for (const auto point : job.points)
            writer.putSnapshot(point, 0, unlikeSnapshot(coordinatesOf(writer, point), values));
        writer.finishJob(job.id, "");
        transaction.commit();
    }
}

inline void makeUnlike(const std::filesystem::path &path, int level = 3,
                       std::uint64_t entities = 600, int components = 1)
{
    auto writer = data::StudyWriter::create(path, smallDescription(level));
    setLine(writer, entities);
    writer.addField(smallField("u", entities, components));
    runUnlikeJobs(writer);
    data::compress(writer, {});
    writer.close();
}

} // namespace gridhelm::test
