// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/sample_snapshot.h"
#include "data/study/study_writer.h"

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::data {

/// The place in space that a scalar study's parameter values name; the origin in other studies.
Place placeOf(const ParameterSpace &space, std::span<const double> values);

/// The values of a scalar study's job, one for each of its points and fields, as its snapshots
/// arrive.
class SampledJob
{
public:
    explicit SampledJob(std::size_t points)
        : m_points(points)
    {
    }

    /// Samples the snapshot at these places, which belong to the job's points `positions`. Throws
    /// gridhelm::Error if its mesh or fields are not those of the snapshots before.
    void add(const RunSnapshot &snapshot, std::span<const Place> places,
             std::span<const std::size_t> positions);

    void store(StudyWriter &writer, JobId id) const;

private:
    std::size_t m_points;
    Mesh m_mesh;
    std::vector<Field> m_fields;
    std::vector<std::vector<float>> m_values;
};

/// One snapshot's values at places which differ in space at most, as hold-outs.
void storeSampledHoldOuts(StudyWriter &writer, const std::vector<std::vector<double>> &places,
                          const RunSnapshot &snapshot);

} // namespace gridhelm::data
