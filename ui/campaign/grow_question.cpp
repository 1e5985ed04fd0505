// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/grow_question.h"

#include <QPushButton>

namespace gridhelm::ui {

GrowQuestion::GrowQuestion(int level, const QString &added, QWidget *parent)
    : QMessageBox(parent)
{
    setObjectName("growQuestion");
    setIcon(Question);
    setWindowTitle("Grow the grid?");
    setTextFormat(Qt::PlainText);
    setText(QString("Grow the study to level %1?").arg(level));
    setInformativeText("This adds " + added
                       + ". Nothing is run yet, and nothing that is there is computed again. The "
                         "level cannot be lowered afterwards: copy the study's file first if you "
                         "may want it back as it is.");
    auto *grow = addButton("Grow", AcceptRole);
    grow->setObjectName("growAnyway");
    auto *leave = addButton("Leave as it is", RejectRole);
    leave->setObjectName("doNotGrow");
    setDefaultButton(leave);
    setEscapeButton(leave);
}

} // namespace gridhelm::ui
