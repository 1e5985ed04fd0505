// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace gridhelm::ui {

/// A number that is typed: any notation that parses whole ("1e3", "0.5", also "0,5"). What cannot
/// be is refused when Enter is pressed or the field is left: it stays to be mended, in red, and the
/// value is as before; Escape brings the value back. A number with too many digits for the field is
/// shown with fewer, until the field has the focus.
class NumberField : public QLineEdit
{
    Q_OBJECT

public:
    /// `name` is for messages: "Re".
    explicit NumberField(const QString &name, QWidget *parent = nullptr);

    double value() const { return m_value; }
    /// Says nothing.
    void setValue(double value);
    /// Both are possible values.
    void setRange(double low, double high);

signals:
    void valueEntered(double value);
    /// Why the text was not taken, as a sentence.
    void refused(const QString &sentence);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void enter();
    void showValue();
    /// The value, with as many digits as there is room for.
    QString fittingText() const;
    void markWrong(bool wrong);

    QString m_name;
    double m_value = 0;
    double m_low, m_high;
    bool m_isWrong = false;
};

} // namespace gridhelm::ui
