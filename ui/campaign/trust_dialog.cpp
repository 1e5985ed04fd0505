// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/trust_dialog.h"

#include "data/campaign/trust_store.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <exception>

namespace gridhelm::ui {

TrustDialog::TrustDialog(const QString &why, const data::Execution &execution, QWidget *parent)
    : QDialog(parent)
{
    setObjectName("trustQuestion");
    setWindowTitle("Trust this command?");
    auto *question = new QLabel(this);
    question->setTextFormat(Qt::PlainText); // a file may have any name
    question->setWordWrap(true);
    question->setText(why);
    auto *text = new QPlainTextEdit(this);
    text->setObjectName("trustExecution");
    text->setReadOnly(true);
    text->setTabChangesFocus(true);
    text->setLineWrapMode(QPlainTextEdit::WidgetWidth); // nothing hides at the right
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setPlainText(QString::fromStdString(data::executionText(execution)));
    text->setAccessibleName("What would be executed");
    auto *buttons = new QDialogButtonBox(this);
    auto *trust = buttons->addButton("Trust and run", QDialogButtonBox::AcceptRole);
    trust->setObjectName("trustAndRun");
    trust->setToolTip("Remember that you trust exactly this, and run it");
    trust->setAutoDefault(false);
    auto *refuse = buttons->addButton("Do not run", QDialogButtonBox::RejectRole);
    refuse->setObjectName("doNotRun");
    refuse->setToolTip("Nothing is executed; everything stays as it is");
    refuse->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto *layout = new QVBoxLayout(this);
    layout->addWidget(question);
    layout->addWidget(text, 1);
    layout->addWidget(buttons);
    resize(720, 420);
    refuse->setFocus();
}

QString TrustDialog::remember(const data::Execution &execution)
{
    try {
        data::TrustStore().trust(execution.digest());
        return {};
    } catch (const std::exception &error) {
        return QString::fromUtf8(error.what());
    }
}

} // namespace gridhelm::ui
