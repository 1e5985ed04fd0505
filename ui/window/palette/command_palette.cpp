// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/palette/command_palette.h"

#include "ui/controls/icon.h"
#include "ui/controls/plain_text.h"
#include "ui/window/palette/fuzzy_match.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPixmap>
#include <QStyle>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr int paletteWidth = 620, paletteHeight = 380;

} // namespace

CommandPalette::CommandPalette(std::vector<Command> commands, Understand understand,
                               QWidget *window)
    : QFrame(window, Qt::Popup)
    , m_commands(std::move(commands))
    , m_understand(std::move(understand))
    , m_field(new QLineEdit(this))
    , m_list(new QTreeWidget(this))
{
    setObjectName("command palette");
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    m_field->setPlaceholderText("What to do, or a parameter and its value: Re = 100");
    m_field->setAccessibleName("What to do");
    m_field->setToolTip("Letters of what is to be done; the arrow keys choose, Enter does it, "
                        "Escape closes");
    m_field->setClearButtonEnabled(true);
    m_field->addAction(ui::icon("find"), QLineEdit::LeadingPosition);
    m_field->installEventFilter(this);
    const int side = style()->pixelMetric(QStyle::PM_SmallIconSize);
    QPixmap nothing(side, side);
    nothing.fill(Qt::transparent);
    m_noIcon = QIcon(nothing);
    m_list->setAccessibleName("What can be done");
    m_list->setToolTip("A click does it");
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setColumnCount(2);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(m_field);
    layout->addWidget(m_list, 1);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_field, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_list, &QTreeWidget::itemClicked, this, &CommandPalette::runCurrent);
    const QSize size(std::min(paletteWidth, window->width() - 40),
                     std::min(paletteHeight, window->height() - 80));
    resize(size);
    move(window->mapToGlobal(QPoint((window->width() - size.width()) / 2, 40)));
    filter({});
    m_field->setFocus();
}

void CommandPalette::filter(const QString &typed)
{
    m_list->clear();
    m_shown = m_understand(typed);
    std::vector<std::pair<int, const Command *>> found;
    for (const auto &command : m_commands) {
        if (const auto score = fuzzyScore(typed, command.text))
            found.emplace_back(*score, &command);
    }
    if (!typed.trimmed().isEmpty()) // else in the order of the menus
        std::ranges::stable_sort(found, std::ranges::greater{},
                                 &std::pair<int, const Command *>::first);
    for (const auto &[score, command] : found)
        m_shown.push_back(*command);
    for (const auto &command : m_shown)
        add(command);
    m_list->setCurrentItem(m_list->topLevelItem(0));
}

void CommandPalette::add(const Command &command)
{
    auto *item = new QTreeWidgetItem(
        m_list, {command.text, command.reason.isEmpty() ? command.key : command.reason});
    item->setIcon(0, command.icon.isNull() ? m_noIcon : command.icon); // texts stand in a line
    item->setToolTip(0, plainTip(command.text));
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    const auto quiet = palette().color(QPalette::Disabled, QPalette::Text);
    if (!command.reason.isEmpty())
        item->setForeground(0, quiet);
    item->setForeground(1, quiet);
}

void CommandPalette::runCurrent()
{
    const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
    if (row < 0 || !m_shown[static_cast<std::size_t>(row)].reason.isEmpty())
        return;
    const auto command = m_shown[static_cast<std::size_t>(row)];
    if (!command.run) {
        m_field->setText(command.typed);
        return;
    }
    close(); // first: what it does may open a window of its own
    QMetaObject::invokeMethod(parentWidget(), command.run, Qt::QueuedConnection);
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent *>(event)->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
            QApplication::sendEvent(m_list, event);
            return true;
        case Qt::Key_Escape:
            close();
            return true;
        default:
            break;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace gridhelm::ui
