// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QStringList>

#include <memory>

class QPlainTextEdit;

namespace gridhelm::ui {

/// Version, licence, libraries and what computes and draws here, as a text to be copied into a
/// report; behind it, to report a problem, what has been said.
class AboutDialog : public QDialog
{
    Q_OBJECT

public:
    /// `gpus`: their names, or why there is none. `log`: empty unless a problem is reported.
    AboutDialog(const QStringList &gpus, const QString &log, QWidget *parent = nullptr);

    QString text() const;

private:
    QPlainTextEdit *m_text;
    std::shared_ptr<const void> m_asked; ///< what says the renderer
};

} // namespace gridhelm::ui
