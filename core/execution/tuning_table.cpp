// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/tuning_table.h"

#include <cmath>
#include <mutex>
#include <utility>

namespace gridhelm {

/// Of one kind of device.
struct TuningTable::Later
{
    Later(std::string ofDevice, std::function<TuningTable()> how)
        : device(std::move(ofDevice))
        , read(std::move(how))
    {
    }

    std::string device;
    std::function<TuningTable()> read;
    std::once_flag once;
    TuningTable table;
};

int TuningTable::sizeClassOf(double size)
{
    return size >= 1 ? static_cast<int>(std::lround(std::log2(size))) : 0;
}

int TuningTable::find(const TuningKey &key, std::string_view constant, int compiledIn) const
{
    if (!m_values.empty()) {
        const auto found = m_values.find({key, std::string(constant)});
        if (found != m_values.end())
            return found->second;
    }
    if (!m_later || m_later->device != key.device)
        return compiledIn;
    std::call_once(m_later->once, [this] { m_later->table = m_later->read(); });
    return m_later->table.find(key, constant, compiledIn);
}

void TuningTable::set(const TuningKey &key, std::string_view constant, int value)
{
    m_values[{key, std::string(constant)}] = value;
}

void TuningTable::readLater(std::string device, std::function<TuningTable()> read)
{
    m_later = std::make_shared<Later>(std::move(device), std::move(read));
}

} // namespace gridhelm
