// SPDX-License-Identifier: GPL-3.0-or-later
//
// Velocities on the centre lines of the square cavity, as tabulated in the literature.
#pragma once

#include "core/simulations/cavity/cavity_flow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace gridhelm::test {

/// The tables give positions on a grid of 128 cells, rounded to four digits: these are the nodes.
inline constexpr std::array<std::size_t, 15> uNodes{125, 124, 123, 122, 109, 94, 79, 64,
                                                    58,  36,  22,  13,  9,   8,  7};
inline constexpr std::array<std::size_t, 15> vNodes{124, 123, 122, 121, 116, 110, 103, 64,
                                                    30,  29,  20,  12,  10,  9,   8};

/// u along x = 0.5 at the heights uNodes / 128, v along y = 0.5 at vNodes / 128; the ends (0, and 1
/// at the lid) are left out.
struct Profiles
{
    std::array<double, 15> u;
    std::array<double, 15> v;
};

/// [Ghia1982], Tables I and II; 129^2 nodes.
inline const Profiles &ghia(int reynolds)
{
    static const Profiles re100{
        {0.84123, 0.78871, 0.73722, 0.68717, 0.23151, 0.00332, -0.13641, -0.20581, -0.21090,
         -0.15662, -0.10150, -0.06434, -0.04775, -0.04192, -0.03717},
        {-0.05906, -0.07391, -0.08864, -0.10313, -0.16914, -0.22445, -0.24533, 0.05454, 0.17527,
         0.17507, 0.16077, 0.12317, 0.10890, 0.10091, 0.09233}};
    static const Profiles re400{
        {0.75837, 0.68439, 0.61756, 0.55892, 0.29093, 0.16256, 0.02135, -0.11477, -0.17119,
         -0.32726, -0.24299, -0.14612, -0.10338, -0.09266, -0.08186},
        {-0.12146, -0.15663, -0.19254, -0.22847, -0.23827, -0.44993, -0.38598, 0.05186, 0.30174,
         0.30203, 0.28124, 0.22965, 0.20920, 0.19713, 0.18360}};
    static const Profiles re1000{
        {0.65928, 0.57492, 0.51117, 0.46604, 0.33304, 0.18719, 0.05702, -0.06080, -0.10648,
         -0.27805, -0.38289, -0.29730, -0.22220, -0.20196, -0.18109},
        {-0.21388, -0.27669, -0.33714, -0.39188, -0.51550, -0.42665, -0.31966, 0.02526, 0.32235,
         0.33075, 0.37095, 0.32627, 0.30353, 0.29012, 0.27485}};
    return reynolds == 100 ? re100 : reynolds == 400 ? re400 : re1000;
}

/// [Botella1998], Tables 9 and 10 (Re = 1000; Chebyshev collocation, N = 160, the corner
/// singularities subtracted: six digits or more). Their lid moves the other way.
inline const Profiles &botellaPeyret1000()
{
    static const Profiles profiles{
        {0.6644227, 0.5808359, 0.5169277, 0.4723329, 0.3372212, 0.1886747, 0.0570178, -0.0620561,
         -0.1081999, -0.2803696, -0.3885691, -0.3004561, -0.2228955, -0.2023300, -0.1812881},
        {-0.2279225, -0.2936869, -0.3553213, -0.4103754, -0.5264392, -0.4264545, -0.3202137,
         0.0257995, 0.3253592, 0.3339924, 0.3769189, 0.3330442, 0.3099097, 0.2962703, 0.2807056}};
    return profiles;
}

/// The same tables: p minus that of the centre, at the middles of the lid, the bottom, the left and
/// the right wall.
struct WallPressures
{
    double lid = 0.052987;
    double bottom = 0.110591;
    double left = 0.090477;
    double right = 0.077455;
};

/// Of a flow with 128 cells along a side.
inline Profiles profilesOf(const simulations::CavityFlow &flow)
{
    const auto velocity = flow.velocityAtNodes();
    Profiles profiles{};
    for (std::size_t i = 0; i < 15; ++i) {
        profiles.u[i] = static_cast<double>(velocity[3 * (uNodes[i] * 129 + 64)]);
        profiles.v[i] = static_cast<double>(velocity[3 * (64 * 129 + vNodes[i]) + 1]);
    }
    return profiles;
}

inline void advanceTo(simulations::CavityFlow &flow, double end)
{
    while (flow.state().time < end)
        flow.step(std::min(flow.stableStep(), end - flow.state().time));
}

} // namespace gridhelm::test
