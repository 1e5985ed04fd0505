// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QToolButton>

#include <functional>
#include <vector>

namespace gridhelm::ui {

/// What a command may have in braces.
struct Placeholder
{
    QString name;    ///< without braces
    QString meaning; ///< "value of speed"
};

/// Offers placeholders, to be written where the cursor is.
class PlaceholderMenu : public QToolButton
{
    Q_OBJECT

public:
    /// `what` is for the reader of the screen: "Insert a placeholder into the command". The list is
    /// asked for whenever the menu opens.
    PlaceholderMenu(const QString &what, std::function<std::vector<Placeholder>()> list,
                    QWidget *parent = nullptr);

signals:
    /// With braces.
    void chosen(const QString &placeholder);
};

} // namespace gridhelm::ui
