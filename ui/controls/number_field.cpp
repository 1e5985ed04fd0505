// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/number_field.h"

#include "ui/controls/number_text.h"
#include "ui/controls/theme.h"

#include <QKeyEvent>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace gridhelm::ui {

NumberField::NumberField(const QString &name, QWidget *parent)
    : QLineEdit(parent)
    , m_name(name)
    , m_low(-std::numeric_limits<double>::max())
    , m_high(std::numeric_limits<double>::max())
{
    setAccessibleName(name);
    setAlignment(Qt::AlignRight);
    setText(numberText(m_value));
    connect(this, &QLineEdit::textEdited, this, [this] { markWrong(false); });
}

void NumberField::setValue(double value)
{
    m_value = value;
    if (!isModified() || !hasFocus()) {
        showValue();
        markWrong(false);
    }
}

void NumberField::showValue()
{
    setText(hasFocus() ? numberText(m_value) : fittingText());
    setCursorPosition(0);
}

QString NumberField::fittingText() const
{
    constexpr int frame = 8; // and the margins that a line edit has inside of it
    auto text = numberText(m_value);
    for (int digits = 15; digits > 2; --digits) {
        if (fontMetrics().horizontalAdvance(text) + frame <= width())
            break;
        text = QString::fromStdString(fmt::format("{:.{}g}", m_value, digits));
    }
    return text;
}

void NumberField::setRange(double low, double high)
{
    m_low = low;
    m_high = high;
}

void NumberField::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        enter();
        selectAll();
        return;
    }
    if (event->key() == Qt::Key_Escape && (isModified() || m_isWrong)) {
        setModified(false);
        setValue(m_value);
        selectAll();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void NumberField::focusInEvent(QFocusEvent *event)
{
    if (!isModified() && !m_isWrong)
        setText(numberText(m_value));
    QLineEdit::focusInEvent(event);
}

void NumberField::focusOutEvent(QFocusEvent *event)
{
    QLineEdit::focusOutEvent(event);
    if (isModified() && !m_isWrong)
        enter();
    if (!isModified() && !m_isWrong)
        showValue();
}

void NumberField::resizeEvent(QResizeEvent *event)
{
    QLineEdit::resizeEvent(event);
    if (!hasFocus() && !isModified() && !m_isWrong)
        showValue();
}

void NumberField::enter()
{
    if (!isModified() && !m_isWrong && text() == fittingText())
        return; // nothing was typed, and it may have fewer digits than the value
    auto typed = text().trimmed();
    typed.replace(',', '.');
    bool isNumber = false;
    const double value = typed.toDouble(&isNumber); // the C locale's
    QString problem;
    if (!isNumber || !std::isfinite(value))
        problem = QString("%1 cannot be \"%2\": type a number").arg(m_name, text().trimmed());
    else if (value < m_low || value > m_high)
        problem = QString("%1 = %2 is out of its range: type a number from %3 to %4")
                      .arg(m_name, numberText(value), numberText(m_low), numberText(m_high));
    if (!problem.isEmpty()) {
        markWrong(true);
        emit refused(problem);
        return;
    }
    setModified(false);
    const bool isNew = value != m_value;
    setValue(value);
    if (isNew)
        emit valueEntered(value);
}

void NumberField::markWrong(bool wrong)
{
    if (wrong == m_isWrong)
        return;
    m_isWrong = wrong;
    auto colours = palette();
    if (wrong)
        colours.setColor(QPalette::Text, errorColour(colours));
    setPalette(wrong ? colours : QPalette());
}

} // namespace gridhelm::ui
