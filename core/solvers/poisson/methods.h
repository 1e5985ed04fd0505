// SPDX-License-Identifier: GPL-3.0-or-later
//
// The methods for Poisson's equation that there are: each is declared and entered here, and defined
// in a file of its own.
#pragma once

#include "core/solvers/poisson/poisson_method.h"

#include <array>

namespace gridhelm::solvers {

extern const PoissonFamily jacobiFamily; // jacobi/family.cpp
extern const PoissonMethod tunedJacobi;
extern const PoissonMethod temporalJacobi;
extern const PoissonMethod async0Jacobi;
extern const PoissonMethod async1Jacobi;
extern const PoissonMethod async2Jacobi;
extern const PoissonMethod async3Jacobi;
extern const PoissonMethod naiveJacobi;

extern const PoissonFamily sorFamily; // sor/family.cpp
extern const PoissonMethod redBlackSor;
extern const PoissonMethod sequentialSor;
extern const PoissonMethod mlssor;

inline constexpr std::array registeredFamilies{&jacobiFamily, &sorFamily};
/// The first one of a family is its default.
inline constexpr std::array registeredMethods{
    &tunedJacobi,  &temporalJacobi, &async0Jacobi, &async1Jacobi,  &async2Jacobi,
    &async3Jacobi, &naiveJacobi,    &redBlackSor,  &sequentialSor, &mlssor,
};

} // namespace gridhelm::solvers
