// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/grow_question.h"

#include <QPushButton>

namespace gridhelm::ui {

GrowQuestion::GrowQuestion(int level, const QString &added, QWidget *parent)
    : QMessageBox(parent)
{
    setObjectName("growQuestion");
    setIcon(Question);
    setWindowTitle("Add level?");
    setTextFormat(Qt::PlainText);
    setText(QString("Extend the grid to level %1?").arg(level));
    setInformativeText("This adds " + added
                       + ". Nothing is run yet, and nothing that is there is computed again. Undo "
                         "added level takes the new points away again as long as none of them has "
                         "results; afterwards the level cannot be lowered.");
    auto *grow = addButton("Add level", AcceptRole);
    grow->setObjectName("growAnyway");
    auto *leave = addButton("Leave as it is", RejectRole);
    leave->setObjectName("doNotGrow");
    setDefaultButton(leave);
    setEscapeButton(leave);
}

} // namespace gridhelm::ui
