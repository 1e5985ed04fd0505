// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QVBoxLayout;

namespace gridhelm::ui {

/// Sentences for the user, above what they are about: never in the way, one below the other, each
/// until it is closed, takes its time, or is pushed out by newer ones.
class MessageBar : public QWidget
{
    Q_OBJECT

public:
    enum class Kind {
        news,    ///< goes by itself after a while
        warning, ///< stays
        error,   ///< stays
    };
    static constexpr int maxMessages = 3;

    explicit MessageBar(QWidget *parent = nullptr);

    /// A sentence that is there already is not said twice.
    void say(Kind kind, const QString &sentence);
    /// A sentence that is not true any more; nothing if it is not there.
    void retract(const QString &sentence);
    void clear();
    /// Those that are shown, the oldest first.
    QStringList sentences() const;
    /// Of these, the errors.
    QStringList errors() const;

private:
    QVBoxLayout *m_layout;
};

} // namespace gridhelm::ui
