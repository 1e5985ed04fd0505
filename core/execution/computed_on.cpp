// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/computed_on.h"

#include "core/support/enumeration.h"

namespace gridhelm {

std::vector<std::string> ComputedOn::names() const
{
    std::vector<std::string> names;
    auto gpus = m_devices >> 1;
    for (int index = 0; gpus != 0; ++index, gpus >>= 1) {
        if ((gpus & 1) != 0)
            names.push_back("gpu:" + std::to_string(index));
    }
    if (usesCpu())
        names.emplace_back("cpu");
    return names;
}

std::string ComputedOn::text() const
{
    return enumeration(names(), "and");
}

} // namespace gridhelm
