// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/setup/jacobi_setup.h"

#include "core/solvers/setup/problem_text.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::solvers {

JacobiOptions jacobiOptions(const JacobiSetup &setup)
{
    const auto &prefix = setup.prefix;
    JacobiOptions options;
    options.method = jacobiMethod(setup.method);
    options.precision = parsePrecision(setup.precision, prefix + "precision");
    if ((setup.asyncFactor || setup.tile) && !isAsynchronous(options.method))
        throw Error(fmt::format("{0}alpha and {0}tile are for the methods async0 to async3, not "
                                "for {1}: leave them out",
                                prefix, setup.method));
    if (setup.depth && options.method != JacobiMethod::temporal)
        throw Error(fmt::format("{}depth is for the method temporal, not for {}: leave it out",
                                prefix, setup.method));
    if (setup.asyncFactor)
        options.asyncFactor = parseInteger(*setup.asyncFactor, prefix + "alpha");
    if (setup.depth)
        options.depth = parseInteger(*setup.depth, prefix + "depth");
    if (setup.tile) {
        const auto tile = parseSize(*setup.tile, prefix + "tile");
        if (tile.size() > 2)
            throw Error(fmt::format("{}tile: {} has three directions: write e.g. 64x32", prefix,
                                    *setup.tile));
        options.tile = {tile.front(), tile.back()};
    }
    return options;
}

bool isAsynchronous(JacobiMethod method)
{
    return method >= JacobiMethod::async0;
}

std::uint64_t granuleOf(const JacobiOptions &options)
{
    constexpr std::uint64_t usualDepth = 16; // about that of `temporal` itself
    if (isAsynchronous(options.method))
        return static_cast<std::uint64_t>(std::max(options.asyncFactor, 0)) + 1;
    if (options.method == JacobiMethod::temporal)
        return options.depth > 0 ? static_cast<std::uint64_t>(options.depth) : usualDepth;
    return 1;
}

} // namespace gridhelm::solvers
