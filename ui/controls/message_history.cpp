// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/message_history.h"

namespace gridhelm::ui {

QString nameOf(MessageKind kind)
{
    switch (kind) {
    case MessageKind::news:
        return "News";
    case MessageKind::warning:
        return "Warning";
    case MessageKind::error:
        break;
    }
    return "Error";
}

void MessageHistory::add(MessageKind kind, const QString &sentence)
{
    if (m_entries.size() == most)
        m_entries.pop_front();
    m_entries.push_back({QDateTime::currentDateTime(), kind, sentence});
    emit changed();
}

void MessageHistory::clear()
{
    m_entries.clear();
    emit changed();
}

QString MessageHistory::text() const
{
    QString all;
    for (const auto &entry : m_entries)
        all += entry.time.toString("yyyy-MM-dd HH:mm:ss") + '\t' + nameOf(entry.kind) + '\t'
               + entry.sentence + '\n';
    return all;
}

} // namespace gridhelm::ui
