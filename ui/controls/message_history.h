// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>

#include <deque>

namespace gridhelm::ui {

enum class MessageKind {
    news,
    warning,
    error,
};

/// "News", "Warning", "Error".
QString nameOf(MessageKind kind);

/// All that was said since the program began, the oldest first; of very many the last ones.
class MessageHistory : public QObject
{
    Q_OBJECT

public:
    struct Entry
    {
        QDateTime time;
        MessageKind kind;
        QString sentence;
    };
    static constexpr std::size_t most = 1000;

    using QObject::QObject;

    void add(MessageKind kind, const QString &sentence);
    void clear();
    const std::deque<Entry> &entries() const { return m_entries; }
    /// A line for each: time, kind and sentence, with tabs between them.
    QString text() const;

signals:
    void changed();

private:
    std::deque<Entry> m_entries;
};

} // namespace gridhelm::ui
