// SPDX-License-Identifier: GPL-3.0-or-later
//
// Texts that may be other people's (titles, units, fields, paths, reasons) are letters, not markup:
// Qt takes what looks like HTML for HTML, and loads the pictures that it names.
#pragma once

#include <QLabel>
#include <QString>

namespace gridhelm::ui {

class PlainLabel : public QLabel
{
public:
    explicit PlainLabel(QWidget *parent = nullptr);
    explicit PlainLabel(const QString &text, QWidget *parent = nullptr);
};

/// As a tool tip, which cannot be told that it is plain.
QString plainTip(const QString &text);

/// Without what would command a terminal or turn letters round (core/support/clean_text.h).
QString cleanLine(const QString &text);

/// On a button, or in a menu, where "&" marks a letter.
QString plainName(QString text);

} // namespace gridhelm::ui
