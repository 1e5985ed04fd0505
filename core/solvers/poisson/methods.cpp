// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson/methods.h"

namespace gridhelm::solvers {

std::span<const PoissonFamily *const> poissonFamilies()
{
    return registeredFamilies;
}

std::span<const PoissonMethod *const> poissonMethods()
{
    return registeredMethods;
}

} // namespace gridhelm::solvers
