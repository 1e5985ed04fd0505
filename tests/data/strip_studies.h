// SPDX-License-Identifier: GPL-3.0-or-later
//
// A study of a strip whose shape may depend on its one parameter.
#pragma once

#include "data/mesh/mesh_motion.h"
#include "data/study/geometry_fields.h"
#include "tests/data/study_cases.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace gridhelm::test {

inline constexpr std::size_t stripNodes = 11; ///< along x, of a strip from 0 to 1; 2 along y
using StripValues = std::function<std::vector<float>(double a)>;

/// One parameter, a in [0, 1]; a strip of cells of 0.1 x 1, with two fields: `u` at its nodes and
/// one that says where it is.
inline data::StudyWriter stripStudy(const std::filesystem::path &path, const StripValues &u,
                                    const data::Field &geometry, const StripValues &where,
                                    int holdOuts)
{
    Parameter a{"a", "", 0, 1};
    a.treatment = sparse::BoundaryTreatment::boundary;
    using namespace data;
    auto study = StudyWriter::create(
        path, {"strip", StudyKind::vector, ParameterSpace(std::vector{a}), 4, ""});
    study.setMesh(movable(encodeImageMesh({{stripNodes, 2, 1}, {0, 0, 0}, {0.1, 1, 1}})));
    study.addField({"u", "", 1, Association::point, 2 * stripNodes});
    study.addField(geometry);
    for (const auto &job : study.jobs()) {
        study.startJob(job.id);
        auto transaction = study.transaction();
        for (const auto point : job.points) {
            const double x = coordinatesOf(study, point)[0];
            study.putSnapshot(point, 0, u(x));
            study.putSnapshot(point, 1, where(x));
        }
        study.finishJob(job.id, "");
        transaction.commit();
    }
    compress(study, {});
    for (int i = 0; i < holdOuts; ++i) {
        const double x = (i + 0.37) / holdOuts;
        const auto id = study.addHoldOut(std::vector{x});
        study.putHoldOut(id, 0, u(x));
        study.putHoldOut(id, 1, where(x));
    }
    return study;
}

/// Values that depend on a node's x alone.
inline std::vector<float> alongX(const std::function<double(double x)> &value,
                                 std::size_t components = 1)
{
    std::vector<float> values(2 * stripNodes * components, 0.0F);
    for (std::size_t i = 0; i < 2 * stripNodes; ++i)
        values[i * components] =
            static_cast<float>(value(0.1 * static_cast<double>(i % stripNodes)));
    return values;
}

} // namespace gridhelm::test
