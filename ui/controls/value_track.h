// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSlider>

#include <vector>

namespace gridhelm::ui {

/// The slider of a ValueSlider: positions are 0 .. steps, with marks along the way (where something
/// was sampled) and a tint (how much to trust each place). A click goes where it is; Ctrl keeps to
/// the marks, also with the arrow keys.
class ValueTrack : public QSlider
{
    Q_OBJECT

public:
    static constexpr int steps = 10000;

    explicit ValueTrack(QWidget *parent = nullptr);

    /// Places in [0, 1].
    void setMarks(std::vector<double> marks);
    /// Strengths in [0, 1], evenly along the track; empty: none.
    void setTint(std::vector<double> tint);

    /// Where the handle stands for a place in [0, 1].
    QPointF handleAt(double place) const;

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    QRectF groove() const;
    void goTo(double x, Qt::KeyboardModifiers modifiers);
    int nearestMark(int position) const;
    int nextMark(int direction) const;

    std::vector<double> m_marks;
    std::vector<double> m_tint;
};

} // namespace gridhelm::ui
