// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/vti_file.h"
#include "tests/app/cli_folder.h"

#include <variant>
#include <vector>

namespace gridhelm::test {

/// A folder that solvers save fields in.
class SolveFolder : protected CliFolder
{
protected:
    std::vector<double> saved(const QString &name) const
    {
        return std::get<std::vector<double>>(solvers::readVti(path(name)).arrays.front().values);
    }
};

} // namespace gridhelm::test
