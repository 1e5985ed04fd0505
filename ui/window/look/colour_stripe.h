// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/custom_colour_map.h"

#include <QWidget>

#include <cstddef>
#include <optional>

namespace gridhelm::ui {

/// A colour map from left to right, with a handle below each of its nodes. A click or the arrow
/// keys choose one, a drag moves it between its neighbours (the first and the last stay), a double
/// click beside all of them wants another one there.
class ColourStripe : public QWidget
{
    Q_OBJECT

public:
    explicit ColourStripe(QWidget *parent = nullptr);

    void setColours(SharedColourMap map);
    void setChosen(std::size_t node);
    std::size_t chosen() const { return m_chosen; }
    /// Of a place in [0, 1], in pixels of the widget.
    double xOf(double place) const;

    QSize sizeHint() const override;

signals:
    void nodeChosen(std::size_t node);
    void nodeMoved(std::size_t node, double place);
    void nodeWanted(double place);
    void removalWanted();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    std::optional<std::size_t> nodeAt(double x) const;
    double placeAt(double x) const;
    void choose(std::size_t node);

    SharedColourMap m_map;
    std::size_t m_chosen = 0;
    bool m_isDragging = false;
};

} // namespace gridhelm::ui
