// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/plan_text_editor.h"

#include "ui/controls/theme.h"

#include <QFontDatabase>
#include <QPaintEvent>
#include <QPainter>
#include <QTextBlock>

#include <algorithm>

namespace gridhelm::ui {

class PlanTextEditor::Numbers : public QWidget
{
public:
    explicit Numbers(PlanTextEditor *editor)
        : QWidget(editor)
        , m_editor(editor)
    {
    }

protected:
    void paintEvent(QPaintEvent *event) override { m_editor->paintNumbers(event); }

private:
    PlanTextEditor *m_editor;
};

PlanTextEditor::PlanTextEditor(QWidget *parent)
    : QPlainTextEdit(parent)
    , m_numbers(new Numbers(this))
{
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setLineWrapMode(NoWrap);
    setTabChangesFocus(true);
    setAccessibleName("Text of the plan");
    setToolTip("The whole plan, as a TOML file has it");
    connect(this, &QPlainTextEdit::blockCountChanged, this, &PlanTextEditor::placeNumbers);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect &area, int dy) {
        if (dy != 0)
            m_numbers->scroll(0, dy);
        else
            m_numbers->update(0, area.y(), m_numbers->width(), area.height());
    });
    placeNumbers();
}

void PlanTextEditor::changeTo(const QString &text)
{
    const auto before = toPlainText();
    if (before == text)
        return;
    qsizetype begin = 0;
    const auto shorter = std::min(before.size(), text.size());
    while (begin < shorter && before[begin] == text[begin])
        ++begin;
    qsizetype same = 0; // at the end
    while (same < shorter - begin
           && before[before.size() - 1 - same] == text[text.size() - 1 - same])
        ++same;
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    cursor.setPosition(static_cast<int>(begin));
    cursor.setPosition(static_cast<int>(before.size() - same), QTextCursor::KeepAnchor);
    cursor.insertText(text.mid(begin, text.size() - same - begin));
    cursor.endEditBlock();
}

void PlanTextEditor::markLine(int line)
{
    if (line == m_markedLine)
        return;
    m_markedLine = line;
    highlight();
    m_numbers->update();
}

void PlanTextEditor::highlight()
{
    QList<QTextEdit::ExtraSelection> selections;
    const auto block = document()->findBlockByNumber(m_markedLine - 1);
    if (m_markedLine > 0 && block.isValid()) {
        QTextEdit::ExtraSelection selection;
        auto colour = errorColour(palette());
        colour.setAlpha(45);
        selection.format.setBackground(colour);
        selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        selection.cursor = QTextCursor(block);
        selections << selection;
    }
    setExtraSelections(selections);
}

int PlanTextEditor::numbersWidth() const
{
    const auto digits = QString::number(std::max(blockCount(), 10)).size();
    return fontMetrics().horizontalAdvance('9') * static_cast<int>(digits) + 14;
}

void PlanTextEditor::placeNumbers()
{
    const int width = numbersWidth();
    setViewportMargins(width, 0, 0, 0);
    const auto area = contentsRect();
    m_numbers->setGeometry(area.left(), area.top(), width, area.height());
}

void PlanTextEditor::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    placeNumbers();
}

void PlanTextEditor::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        highlight();
    if (event->type() == QEvent::FontChange)
        placeNumbers();
}

void PlanTextEditor::paintNumbers(QPaintEvent *event)
{
    QPainter painter(m_numbers);
    painter.setFont(font());
    painter.fillRect(event->rect(), palette().color(QPalette::AlternateBase));
    auto block = firstVisibleBlock();
    auto top = blockBoundingGeometry(block).translated(contentOffset()).top();
    while (block.isValid() && top <= event->rect().bottom()) {
        const auto height = blockBoundingRect(block).height();
        const int number = block.blockNumber() + 1;
        painter.setPen(number == m_markedLine ? errorColour(palette())
                                              : quietTextColour(palette()));
        painter.drawText(QRectF(0, top, m_numbers->width() - 7, fontMetrics().height()),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(number));
        block = block.next();
        top += height;
    }
}

} // namespace gridhelm::ui
