// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/close_question.h"

#include <QAbstractButton>
#include <QMessageBox>

namespace gridhelm::ui {

QDialog *askToClose(QWidget &window)
{
    auto *question =
        new QMessageBox(QMessageBox::Question, "Close the window?",
                        "A study is open. Close the window? The next start can go on from here.",
                        QMessageBox::Close | QMessageBox::Cancel, &window);
    question->setObjectName("closeQuestion");
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setDefaultButton(QMessageBox::Cancel);
    QObject::connect(question->button(QMessageBox::Close), &QAbstractButton::clicked, question,
                     &QDialog::accept);
    question->open();
    return question;
}

} // namespace gridhelm::ui
