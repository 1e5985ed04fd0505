// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/computed_on.h"

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
    std::string text;
    const auto all = names();
    for (std::size_t i = 0; i < all.size(); ++i)
        text += (i == 0 ? "" : i + 1 == all.size() ? " and " : ", ") + all[i];
    return text;
}

} // namespace gridhelm
