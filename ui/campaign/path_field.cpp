// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/path_field.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QToolButton>

namespace gridhelm::ui {

PathField::PathField(Purpose purpose, const QString &what, const QString &filter, QWidget *parent)
    : QWidget(parent)
    , m_purpose(purpose)
    , m_what(what)
    , m_filter(filter)
    , m_text(new QLineEdit(this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    auto *button = new QToolButton(this);
    button->setText("…");
    button->setFocusPolicy(Qt::StrongFocus);
    button->setToolTip("Choose: " + what);
    button->setAccessibleName("Choose: " + what);
    m_text->setAccessibleName(what);
    m_text->setToolTip(what);
    m_text->setMinimumWidth(90);
    layout->addWidget(m_text, 1);
    layout->addWidget(button);
    setFocusProxy(m_text);
    connect(m_text, &QLineEdit::textChanged, this, &PathField::changed);
    connect(button, &QToolButton::clicked, this, &PathField::choose);
}

void PathField::choose()
{
    const auto path =
        m_purpose == Purpose::folder ? QFileDialog::getExistingDirectory(this, m_what, this->path())
        : m_purpose == Purpose::open
            ? QFileDialog::getOpenFileName(this, m_what, this->path(), m_filter)
            : QFileDialog::getSaveFileName(this, m_what, this->path(), m_filter, nullptr,
                                           QFileDialog::DontConfirmOverwrite);
    if (!path.isEmpty())
        setPath(path);
}

} // namespace gridhelm::ui
