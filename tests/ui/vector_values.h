// SPDX-License-Identifier: GPL-3.0-or-later
//
// Vectors at the places of an image, for pictures of what flows.
#pragma once

#include "tests/ui/scene_case.h"

#include <array>
#include <functional>
#include <vector>

namespace gridhelm::test {

using Vector = std::array<double, 3>;
using VectorFunction = std::function<Vector(double, double, double)>;

inline std::vector<float> sampleVectors(const data::ImageMesh &image, const VectorFunction &f,
                                        bool atCells = false)
{
    std::vector<std::vector<float>> parts;
    for (std::size_t c = 0; c < 3; ++c)
        parts.push_back(sample(
            image, [&](double x, double y, double z) { return static_cast<float>(f(x, y, z)[c]); },
            atCells));
    std::vector<float> values;
    for (std::size_t i = 0; i < parts[0].size(); ++i)
        for (std::size_t c = 0; c < 3; ++c)
            values.push_back(parts[c][i]);
    return values;
}

/// About the middle of [0, 1]^2.
inline Vector rotation(double x, double y, double)
{
    return {0.5 - y, x - 0.5, 0};
}

} // namespace gridhelm::test
