// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/machine/lower_priority.h"

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace gridhelm::ui {

void lowerPriority([[maybe_unused]] int niceness)
{
#ifdef __linux__ // where threads have priorities of their own
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), niceness);
#endif
}

} // namespace gridhelm::ui
