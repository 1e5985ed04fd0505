// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random numbers that are the same on every machine, which those of the standard's distributions
// are not.
#pragma once

#include <random>

namespace gridhelm {

/// Uniform in [0, 1): a multiple of 2^-53.
inline double uniformRandom(std::mt19937_64 &engine)
{
    return static_cast<double>(engine() >> 11) * 0x1p-53;
}

} // namespace gridhelm
