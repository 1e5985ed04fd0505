// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/colour_map.h"
#include "ui/scene/colour/value_axis.h"

#include <QImage>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace gridhelm::ui {

struct SliceFrame;

/// A plane of a field on a regular grid: one coloured cell for each value, a bar of colours, axes,
/// and the value under the mouse (or under the cross that the arrow keys move). A marker, if there
/// is one, can be dragged, brought by a double click, or moved by Ctrl and the arrow keys.
class FieldView : public QWidget
{
    Q_OBJECT

public:
    explicit FieldView(QWidget *parent = nullptr);

    /// Null: nothing to show yet.
    void setFrame(std::shared_ptr<const SliceFrame> frame);
    const std::shared_ptr<const SliceFrame> &frame() const { return m_frame; }
    /// Of the values, e.g. "u" or "arrival time".
    void setQuantity(const QString &name);
    /// Shown while there is no frame.
    void setHint(const QString &text);

    void setColourMap(ColourMap map);
    ColourMap colourMap() const { return m_map; }
    /// Nothing: the range follows the frame.
    void setFixedRange(std::optional<ValueRange> range);
    const std::optional<ValueRange> &fixedRange() const { return m_fixedRange; }
    ValueRange range() const;
    /// Values from 0 on as so many bands of equal height.
    void setBands(std::optional<int> bands);

    /// In units of the plane's sides, 0 .. 1, upwards; outside [0, 1]: none.
    void setMarker(std::optional<QPointF> place);
    const std::optional<QPointF> &marker() const { return m_marker; }

    /// A pixel for each value, the first row at the bottom; where there are very many, for evenly
    /// chosen ones.
    const QImage &image() const { return m_image; }
    /// Where that image is drawn, in pixels of the widget.
    QRectF imageRect() const;
    /// What is said of the value under the cross; empty without one.
    QString readout() const;

    QSize sizeHint() const override { return {420, 320}; }
    QSize minimumSizeHint() const override { return {220, 160}; }

signals:
    /// By mouse or keyboard, for every step of a movement.
    void markerMoved(const QPointF &place);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void makeImage();
    QSize values() const;
    QRgb colourAt(double value, const ValueRange &range) const;
    void drawBar(QPainter &painter) const;
    void drawAxes(QPainter &painter) const;
    void drawMarks(QPainter &painter) const;
    QRectF plotArea() const;
    std::optional<QPoint> cellAt(const QPointF &position) const;
    QPointF placeAt(const QPointF &position) const;
    bool isAtMarker(const QPointF &position) const;
    void moveMarker(const QPointF &place);

    std::shared_ptr<const SliceFrame> m_frame;
    QString m_quantity{"u"};
    QString m_hint;
    ColourMap m_map = ColourMap::viridis;
    std::optional<ValueRange> m_fixedRange;
    std::optional<int> m_bands;
    std::optional<QPointF> m_marker;
    QImage m_image;
    std::vector<QRgb> m_colours;   ///< evenly along the colour map
    std::optional<QPoint> m_cross; ///< column and row
    bool m_isDragging = false;
};

} // namespace gridhelm::ui
