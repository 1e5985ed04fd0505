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
                       + ". Nothing is run yet, and nothing that is there is computed again. Undo "
                         "growth takes the new points away again as long as none of them has "
                         "results; afterwards the level cannot be lowered.");
    auto *grow = addButton("Grow", AcceptRole);
    grow->setObjectName("growAnyway");
    auto *leave = addButton("Leave as it is", RejectRole);
    leave->setObjectName("doNotGrow");
    setDefaultButton(leave);
    setEscapeButton(leave);
}

} // namespace gridhelm::ui
