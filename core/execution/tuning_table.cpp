// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/tuning_table.h"

#include <cmath>

namespace gridhelm {

int TuningTable::sizeClassOf(double size)
{
    return size >= 1 ? static_cast<int>(std::lround(std::log2(size))) : 0;
}

int TuningTable::find(const TuningKey &key, std::string_view constant, int compiledIn) const
{
    if (m_values.empty())
        return compiledIn;
    const auto found = m_values.find({key, std::string(constant)});
    return found == m_values.end() ? compiledIn : found->second;
}

void TuningTable::set(const TuningKey &key, std::string_view constant, int value)
{
    m_values[{key, std::string(constant)}] = value;
}

} // namespace gridhelm
