// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QString>
#include <QWidget>

namespace gridhelm::ui {

/// The path of a file, or of a folder: typed, or chosen.
class PathField : public QWidget
{
    Q_OBJECT

public:
    enum class Purpose { open, make, folder };

    /// `what` is for the reader of the screen and the dialog's title: "Table of parameters".
    /// `filter` as QFileDialog has it.
    PathField(Purpose purpose, const QString &what, const QString &filter,
              QWidget *parent = nullptr);

    QString path() const { return m_text->text().trimmed(); }
    void setPath(const QString &path) { m_text->setText(path); }
    QLineEdit *field() const { return m_text; }

signals:
    void changed();

private:
    void choose();

    Purpose m_purpose;
    QString m_what, m_filter;
    QLineEdit *m_text;
};

} // namespace gridhelm::ui
