// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sides and settings for the tests of the Jacobi methods.
#pragma once

#include "tests/solvers/poisson_cases.h"
#include "tests/solvers/tested_backend.h"

#include <array>
#include <string>

namespace gridhelm::test {

inline constexpr auto dirichlet = solvers::SideKind::dirichlet;
inline constexpr auto neumann = solvers::SideKind::neumann;
inline constexpr std::array<solvers::SideKind, 6> allDirichlet{};
inline constexpr std::array<solvers::SideKind, 6> mixed{neumann, dirichlet, neumann,
                                                        neumann, dirichlet, neumann};
inline constexpr std::array<solvers::SideKind, 6> allNeumann{neumann, neumann, neumann,
                                                             neumann, neumann, neumann};

inline TestedSettings with(const std::string &method,
                           solvers::Precision precision = solvers::Precision::float64,
                           int threads = 1)
{
    return {{method, precision}, threads};
}

inline std::string describe(const solvers::PoissonProblem &problem, const TestedSettings &settings)
{
    auto text = describe(problem) + ", " + settings.method + ", threads "
                + std::to_string(settings.threads)
                + (settings.precision == solvers::Precision::float32 ? ", float" : ", double");
    for (const auto &[key, value] : settings.options)
        text += ", " + key + " " + textOf(value);
    return text;
}

} // namespace gridhelm::test

/// Fails the test unless the text that says what differs is empty.
#define VERIFY_NO_DIFFERENCE(...)                                                                  \
    do {                                                                                           \
        const std::string text_ = __VA_ARGS__;                                                     \
        QVERIFY2(text_.empty(), text_.c_str());                                                    \
    } while (false)
