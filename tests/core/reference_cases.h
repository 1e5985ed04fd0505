// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sparse grids with known numbers: sparse_grid_cases.json in tests/reference, whose path is the
// compile definition GRIDHELM_REFERENCE_CASES.
#pragma once

#include "core/sparse/boundary_treatment.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace gridhelm::test {

inline nlohmann::json readReferenceCases()
{
    std::ifstream file(GRIDHELM_REFERENCE_CASES);
    if (!file)
        throw std::runtime_error("the reference cases are missing: " GRIDHELM_REFERENCE_CASES);
    return nlohmann::json::parse(file);
}

/// The file writes one letter a dimension: z, b or m.
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
        default:
            throw std::runtime_error("unknown treatment in the reference cases");
        }
    }
    return treatments;
}

} // namespace gridhelm::test
