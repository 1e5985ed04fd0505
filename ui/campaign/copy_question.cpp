// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/copy_question.h"

#include <QPushButton>

namespace gridhelm::ui {

CopyQuestion::CopyQuestion(const QString &sentence, QWidget *parent)
    : QMessageBox(parent)
{
    setObjectName("copyQuestion");
    setIcon(Question);
    setWindowTitle("Take up runs of another copy?");
    setTextFormat(Qt::PlainText); // a file may have any name
    setText("Take up what another copy of this study has submitted?");
    setInformativeText(sentence + ".");
    auto *take = addButton("Take up", AcceptRole);
    take->setObjectName("takeUp");
    auto *leave = addButton("Run nothing", RejectRole);
    leave->setObjectName("runNothing");
    setDefaultButton(leave);
    setEscapeButton(leave);
}

} // namespace gridhelm::ui
