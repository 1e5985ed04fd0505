// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/grid_shape.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace gridhelm::cli {

/// --dim, --level, --caps, --boundary and --degree, as they were typed.
struct GridOptions
{
    std::string dimension;
    std::string level;
    std::optional<std::string> caps;
    std::string boundary = "zero";
    std::string degree = "1";
};

void addGridOptions(CLI::App &command, GridOptions &options);

/// Throws Error for what is no sparse grid.
sparse::GridShape gridShape(const GridOptions &options);

} // namespace gridhelm::cli
