// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/plain_text.h"

#include "core/support/clean_text.h"

#include <QTextDocument>

namespace gridhelm::ui {

PlainLabel::PlainLabel(QWidget *parent)
    : PlainLabel(QString(), parent)
{
}

PlainLabel::PlainLabel(const QString &text, QWidget *parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setText(text);
}

QString plainTip(const QString &text)
{
    return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text, Qt::WhiteSpacePre) : text;
}

QString cleanLine(const QString &text)
{
    return QString::fromStdString(gridhelm::cleanLine(text.toStdString()));
}

QString plainName(QString text)
{
    return text.replace('&', "&&");
}

} // namespace gridhelm::ui
