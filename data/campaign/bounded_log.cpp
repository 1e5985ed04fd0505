// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/bounded_log.h"

#include "core/support/clean_text.h"

#include <algorithm>
#include <utility>

namespace gridhelm::data {

BoundedLog::BoundedLog(Descriptor file)
    : m_file(std::move(file))
{
}

void BoundedLog::add(std::string_view bytes)
{
    m_bytes += bytes.size();
    const auto first = bytes.substr(0, kept - std::min(kept, m_head.size()));
    m_head += first;
    writeAll(m_file.get(), first); // a full disk does not take it; the study's log has it
    bytes.remove_prefix(first.size());
    if (bytes.size() > kept)
        bytes.remove_prefix(bytes.size() - kept);
    m_tail += bytes;
    if (m_tail.size() > 4 * kept)
        m_tail.erase(0, m_tail.size() - kept);
}

std::string BoundedLog::leftOut() const
{
    const auto bytes = m_bytes - m_head.size() - m_tail.size();
    return bytes > 0 ? "\n(... " + std::to_string(bytes) + " bytes are left out here)\n" : "";
}

void BoundedLog::finish()
{
    if (m_tail.size() > kept)
        m_tail.erase(0, m_tail.size() - kept);
    writeAll(m_file.get(), leftOut() + m_tail);
    m_file.reset();
}

std::string BoundedLog::text() const
{
    return validUtf8(m_head + leftOut() + m_tail);
}

} // namespace gridhelm::data
