// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sparse grids with known numbers: the files in tests/reference.
#pragma once

#include "core/sparse/boundary_treatment.h"
#include "tests/support/paths.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace gridhelm::test {

inline nlohmann::json readReference(const std::string &name)
{
    const auto path = std::string(paths::source) + "/tests/reference/" + name;
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error("the reference cases are missing: " + path);
    return nlohmann::json::parse(file);
}

/// The files write one letter a dimension: z, b, m, c or L.
inline std::vector<sparse::BoundaryTreatment> treatmentsFromLetters(const std::string &letters)
{
    std::vector<sparse::BoundaryTreatment> treatments;
    for (char letter : letters) {
        switch (letter) {
        case 'z':
            treatments.push_back(sparse::BoundaryTreatment::zero);
            break;
        case 'b':
            treatments.push_back(sparse::BoundaryTreatment::boundary);
            break;
        case 'm':
            treatments.push_back(sparse::BoundaryTreatment::modified);
            break;
        case 'c':
            treatments.push_back(sparse::BoundaryTreatment::clenshawCurtis);
            break;
        case 'L':
            treatments.push_back(sparse::BoundaryTreatment::leja);
            break;
        default:
            throw std::runtime_error("unknown treatment in the reference cases");
        }
    }
    return treatments;
}

} // namespace gridhelm::test
