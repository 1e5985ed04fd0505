// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/surrogate/place.h"

#include "core/support/error.h"

#include <cmath>
#include <cstddef>
#include <string>

namespace gridhelm {

void requireParameter(int t, int dimension)
{
    if (t < 0 || t >= dimension)
        throw Error("there is no parameter number " + std::to_string(t + 1) + " of "
                    + std::to_string(dimension) + " to derive by");
}

void requireCoordinates(std::span<const double> x, int dimension)
{
    if (x.size() != static_cast<std::size_t>(dimension))
        throw Error(std::to_string(x.size()) + " coordinates for a surrogate of "
                    + std::to_string(dimension) + " parameters: give one for each");
    for (std::size_t t = 0; t < x.size(); ++t) {
        if (!std::isfinite(x[t]))
            throw Error("coordinate " + std::to_string(t + 1) + " is no finite number: give one");
    }
}

} // namespace gridhelm
