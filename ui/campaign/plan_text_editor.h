// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace gridhelm::ui {

/// A plan's text with line numbers; one line may be marked as wrong.
class PlanTextEditor : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit PlanTextEditor(QWidget *parent = nullptr);

    /// Becomes the text by one change that can be undone; the cursor stays where it is.
    void changeTo(const QString &text);
    /// From 1; 0: none.
    void markLine(int line);
    int markedLine() const { return m_markedLine; }

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    class Numbers;

    int numbersWidth() const;
    void paintNumbers(QPaintEvent *event);
    void placeNumbers();
    void highlight();

    Numbers *m_numbers;
    int m_markedLine = 0;
};

} // namespace gridhelm::ui
