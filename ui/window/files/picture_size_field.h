// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QWidget>

#include <functional>

class QComboBox;
class QSpinBox;

namespace gridhelm::ui {

/// The size of pictures, in pixels: as in the window, a multiple of that, one that films have, or
/// any.
class PictureSizeField : public QWidget
{
    Q_OBJECT

public:
    /// `inWindow`: of a picture as it is there.
    explicit PictureSizeField(std::function<QSize()> inWindow, QWidget *parent = nullptr);

    /// Empty: as in the window.
    QSize size() const;

protected:
    void showEvent(QShowEvent *event) override;

private:
    void showSize();

    std::function<QSize()> m_inWindow;
    QComboBox *m_choice;
    QSpinBox *m_width, *m_height;
};

} // namespace gridhelm::ui
