// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/message_list.h"

#include "ui/controls/message_history.h"
#include "ui/controls/plain_text.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace gridhelm::ui {

MessageList::MessageList(MessageHistory &history, QWidget *parent)
    : QDialog(parent)
    , m_history(history)
    , m_list(new QTreeWidget(this))
{
    setWindowTitle("Message log");
    setObjectName("messages");
    m_list->setAccessibleName("Message log");
    m_list->setToolTip("Message log, the newest first");
    m_list->setHeaderLabels({"Time", "Kind", "Message"});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAlternatingRowColors(true);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto *copyAll = buttons->addButton("Cop&y", QDialogButtonBox::ActionRole);
    copyAll->setToolTip("Copies the lines that are chosen, or all, as text");
    auto *clear = buttons->addButton("C&lear", QDialogButtonBox::ActionRole);
    clear->setToolTip("Empties this list");
    buttons->button(QDialogButtonBox::Close)->setToolTip("Closes this list (Esc)");
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(copyAll, &QPushButton::clicked, this, &MessageList::copy);
    connect(clear, &QPushButton::clicked, &m_history, &MessageHistory::clear);
    connect(&m_history, &MessageHistory::changed, this, &MessageList::refresh);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_list);
    layout->addWidget(buttons);
    resize(760, 360);
    refresh();
}

void MessageList::refresh()
{
    m_list->clear();
    for (const auto &entry : m_history.entries()) {
        auto *item = new QTreeWidgetItem(
            {entry.time.toString("HH:mm:ss"), nameOf(entry.kind), entry.sentence});
        item->setToolTip(2, plainTip(entry.sentence));
        m_list->insertTopLevelItem(0, item);
    }
    m_list->resizeColumnToContents(0);
    m_list->resizeColumnToContents(1);
}

void MessageList::copy()
{
    auto text = m_history.text();
    if (const auto chosen = m_list->selectedItems(); !chosen.isEmpty()) {
        text.clear();
        for (const auto *item : chosen)
            text += item->text(0) + '\t' + item->text(1) + '\t' + item->text(2) + '\n';
    }
    QGuiApplication::clipboard()->setText(text);
}

} // namespace gridhelm::ui
