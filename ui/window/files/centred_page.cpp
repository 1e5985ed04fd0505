// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/centred_page.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

namespace gridhelm::ui {

QVBoxLayout &centredColumn(QWidget &page)
{
    auto *content = new QWidget;
    auto *column = new QVBoxLayout;
    auto *centred = new QGridLayout(content);
    centred->addLayout(column, 1, 1);
    for (const int side : {0, 2})
        centred->setColumnStretch(side, 1);
    centred->setRowStretch(0, 1);
    centred->setRowStretch(2, 2);
    auto *scroll = new QScrollArea(&page);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    auto *all = new QVBoxLayout(&page);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scroll);
    return *column;
}

} // namespace gridhelm::ui
