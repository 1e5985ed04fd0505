// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewer/picture_form.h"

#include <QDialog>
#include <QImage>
#include <QString>

#include <functional>

class QCheckBox;
class QLabel;
class QPushButton;

namespace gridhelm::ui {

class ComparedViews;
class PathField;
class PictureSizeField;

/// Asks for a picture's size, whether it has a background, and where it is to be; draws and writes
/// it, or copies it to the clipboard. It stays open, and says why, where that cannot be.
class PictureDialog : public QDialog
{
    Q_OBJECT

public:
    explicit PictureDialog(ComparedViews &views, QWidget *parent = nullptr);

signals:
    /// A sentence: where the picture is.
    void news(const QString &sentence);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void save();
    void copy();
    /// Draws, and closes when `keep` has done what it is for.
    void draw(const std::function<QString(const QImage &picture)> &keep);
    void say(const QString &sentence);

    ComparedViews &m_views;
    PictureSizeField *m_size;
    QCheckBox *m_transparent;
    PathField *m_path;
    QLabel *m_says;
    QPushButton *m_save, *m_copy;
    QString m_mayReplace; ///< the user knows that this file is there
};

} // namespace gridhelm::ui
