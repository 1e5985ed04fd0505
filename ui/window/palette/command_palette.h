// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/palette/command.h"

#include <QFrame>

#include <functional>
#include <vector>

class QLineEdit;
class QTreeWidget;

namespace gridhelm::ui {

/// One field for everything that can be done: what is typed filters the commands, the arrow keys
/// choose one, Enter does it, Escape and a click elsewhere close it.
class CommandPalette : public QFrame
{
    Q_OBJECT

public:
    /// Further commands that what was typed makes sense of: "Re = 100". They come first.
    using Understand = std::function<std::vector<Command>(const QString &typed)>;

    CommandPalette(std::vector<Command> commands, Understand understand, QWidget *window);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void filter(const QString &typed);
    void add(const Command &command);
    void runCurrent();

    const std::vector<Command> m_commands;
    const Understand m_understand;
    std::vector<Command> m_shown; ///< row by row
    QIcon m_noIcon;               ///< takes the place of one
    QLineEdit *m_field;
    QTreeWidget *m_list;
};

} // namespace gridhelm::ui
