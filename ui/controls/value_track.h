// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSlider>
#include <QStringList>

#include <vector>

namespace gridhelm::ui {

/// How much to trust the places of a track, in equal parts of it.
struct Tint
{
    std::vector<double> strengths; ///< in [0, 1]; empty: none
    QStringList tips;              ///< what to say of each; empty: nothing
    bool isStale = false;          ///< of a state that is no more: shown paler, and not said
};

/// What a strength looks like.
QColor tintColour(const QPalette &palette, double strength);

/// The slider of a ValueSlider: positions are 0 .. steps, with marks along the way (where something
/// was sampled) and a tint (how much to trust each place). A click goes where it is; Ctrl keeps to
/// the marks, also with the arrow keys. These and the wheel go a hundredth of the way, with Shift
/// ten, with Alt a tenth of one.
class ValueTrack : public QSlider
{
    Q_OBJECT

public:
    static constexpr int steps = 10000;

    explicit ValueTrack(QWidget *parent = nullptr);

    /// Places in [0, 1].
    void setMarks(std::vector<double> marks);
    void setTint(Tint tint);
    const Tint &tint() const { return m_tint; }

    /// Where the handle stands for a place in [0, 1].
    QPointF handleAt(double place) const;

    QSize sizeHint() const override;

signals:
    /// By a double click on the handle: to where it began.
    void resetWanted();

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    QRectF groove() const;
    double placeAt(double x) const;
    void paintTint(QPainter &painter) const;
    void goTo(double x, Qt::KeyboardModifiers modifiers);
    int nearestMark(int position) const;
    int nextMark(int direction) const;
    void step(int direction, Qt::KeyboardModifiers modifiers);

    std::vector<double> m_marks;
    Tint m_tint;
    int m_wheel = 0; ///< turned, but no whole step yet
};

} // namespace gridhelm::ui
