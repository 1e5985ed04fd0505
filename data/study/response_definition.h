// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace gridhelm::data {

/// A response as a study keeps it, in the words of who defined it: a number that every state of the
/// fields has. What the texts may say is in core/answers/reduction.h and
/// core/answers/field_expression.h.
struct ResponseDefinition
{
    std::string name; ///< unique in the study; see isName()
    std::string unit;
    std::string expression; ///< of fields: "p + 0.5 * mag(U)^2"
    std::string reduction;  ///< "mean"
    std::string place;      ///< "" for the whole mesh; "box 0,0,0,1,1,1"

    bool operator==(const ResponseDefinition &) const = default;
};

} // namespace gridhelm::data
