// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/smoothness.h"

namespace gridhelm::kriging {

std::string_view nameOf(Smoothness smoothness)
{
    switch (smoothness) {
    case Smoothness::matern32:
        return "Matern 3/2";
    case Smoothness::matern52:
        return "Matern 5/2";
    case Smoothness::matern92:
        return "Matern 9/2";
    case Smoothness::gaussian:
        break;
    }
    return "Gaussian";
}

} // namespace gridhelm::kriging
