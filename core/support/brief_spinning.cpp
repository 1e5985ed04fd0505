// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/brief_spinning.h"

#include <cstdlib>

#include <unistd.h>

namespace gridhelm {

void spinBriefly(char **argv)
{
    if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr)
        return;
    if (setenv("GOMP_SPINCOUNT", "2000", 0) == 0)
        execv("/proc/self/exe", argv);
}

} // namespace gridhelm
