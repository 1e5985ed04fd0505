// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace gridhelm::data {

struct StencilExample
{
    std::string name; ///< "9-point-star"
    std::string toml; ///< of a stencil that needs no other file
};

/// The files of data/examples/stencils, by name; they are in the program.
const std::vector<StencilExample> &stencilExamples();

} // namespace gridhelm::data
