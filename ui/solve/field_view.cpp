// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/field_view.h"

#include "core/solvers/field_layers.h"
#include "ui/controls/theme.h"
#include "ui/solve/solver_worker.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
namespace {

/// Of the image, in each direction: no view has more, and a picture shall not take long.
constexpr std::size_t maxPixels = 1024;
constexpr int colourCount = 1024;
constexpr QRgb notFinite = 0xff808080;
constexpr int barWidth = 14;
constexpr int gap = 6;
constexpr int tickLength = 4;
constexpr double markerReach = 14; ///< pixels from which the marker is caught

constexpr const char *axisNames = "xyz";

QString shortNumber(double value)
{
    return QString::fromStdString(fmt::format("{:.6g}", value));
}

} // namespace

FieldView::FieldView(QWidget *parent)
    : QWidget(parent)
    , m_hint("No field yet")
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName("Field");
    setAccessibleDescription("Arrow keys move the cross that reads values; with Ctrl they move the "
                             "source");
    setColourMap(m_map);
}

void FieldView::setFrame(std::shared_ptr<const SliceFrame> frame)
{
    m_frame = std::move(frame);
    if (!m_frame)
        m_cross.reset();
    makeImage();
}

void FieldView::setQuantity(const QString &name)
{
    m_quantity = name;
    update();
}

void FieldView::setHint(const QString &text)
{
    m_hint = text;
    update();
}

void FieldView::setColourMap(ColourMap map)
{
    m_map = map;
    m_colours.resize(colourCount);
    for (int i = 0; i < colourCount; ++i) {
        const auto colour = colourOf(map, i / static_cast<double>(colourCount - 1));
        m_colours[static_cast<std::size_t>(i)] = qRgb(colour[0], colour[1], colour[2]);
    }
    makeImage();
}

void FieldView::setFixedRange(std::optional<ValueRange> range)
{
    m_fixedRange = range;
    makeImage();
}

void FieldView::setBands(std::optional<int> bands)
{
    m_bands = bands;
    makeImage();
}

void FieldView::setMarker(std::optional<QPointF> place)
{
    if (m_isDragging) // the hand knows better than what the solver has come to
        return;
    m_marker = place;
    update();
}

ValueRange FieldView::range() const
{
    if (m_fixedRange)
        return *m_fixedRange;
    ValueRange range{0, 1};
    if (m_frame && m_bands)
        range.high = std::max(m_frame->wholeHighest, m_frame->highest);
    else if (m_frame)
        range = {m_frame->lowest, m_frame->highest};
    if (!(range.low < range.high)) {
        const double room = range.low == 0 ? 1 : std::abs(range.low) * 1e-3;
        range = {range.low - room, range.low + room};
    }
    return range;
}

/// Every other band is darker, so that its shape can be seen.
QRgb FieldView::colourAt(double value, const ValueRange &range) const
{
    if (!std::isfinite(value))
        return notFinite;
    const double place =
        std::clamp((value - range.low) / (range.high - range.low), 0.0, 1.0) * (colourCount - 1);
    const QRgb colour = m_colours[static_cast<std::size_t>(place + 0.5)];
    if (m_bands && solvers::layerOf(value, range.high, *m_bands) % 2 == 1)
        return QColor(colour).darker(160).rgb();
    return colour;
}

void FieldView::makeImage()
{
    update();
    if (!m_frame) {
        m_image = {};
        return;
    }
    const auto &slice = m_frame->slice;
    const QSize size(static_cast<int>(std::min(slice.width, maxPixels)),
                     static_cast<int>(std::min(slice.height, maxPixels)));
    if (m_image.size() != size)
        m_image = QImage(size, QImage::Format_RGB32);
    const auto width = static_cast<std::size_t>(size.width());
    const auto height = static_cast<std::size_t>(size.height());
    const auto inTheMiddle = [](std::size_t pixel, std::size_t pixels, std::size_t values) {
        return (2 * pixel + 1) * values / (2 * pixels);
    };
    const auto colours = range();
    const double scale = (colourCount - 1) / (colours.high - colours.low);
    for (std::size_t row = 0; row < height; ++row) {
        const double *values =
            slice.values.data() + inTheMiddle(row, height, slice.height) * slice.width;
        auto *pixels =
            reinterpret_cast<QRgb *>(m_image.scanLine(static_cast<int>(height - 1 - row)));
        for (std::size_t i = 0; i < width; ++i) {
            const double value = values[inTheMiddle(i, width, slice.width)];
            if (m_bands) {
                pixels[i] = colourAt(value, colours);
                continue;
            }
            const double place = (value - colours.low) * scale + 0.5;
            if (place >= 0 && place < colourCount)
                pixels[i] = m_colours[static_cast<std::size_t>(place)];
            else
                pixels[i] = colourAt(value, colours);
        }
    }
}

/// Columns and rows.
QSize FieldView::values() const
{
    return m_frame ? QSize(static_cast<int>(m_frame->slice.width),
                           static_cast<int>(m_frame->slice.height))
                   : QSize();
}

// ---- where things are ------------------------------------------------------------------------

QRectF FieldView::plotArea() const
{
    const auto metrics = fontMetrics();
    const double left = metrics.horizontalAdvance("-0.000") + tickLength + gap;
    const double bottom = 2 * metrics.height() + tickLength + gap;
    int numbers = metrics.horizontalAdvance("0.000");
    if (m_frame) { // what is there now, in steps: the picture must not tremble with its numbers
        constexpr int step = 24;
        for (const auto &text : tickTexts(roundValuesIn(range(), 8)))
            numbers = std::max(numbers, metrics.horizontalAdvance(QString::fromStdString(text)));
        numbers = (numbers + step - 1) / step * step;
    }
    const double right = barWidth + 3 * gap + tickLength + numbers;
    const double top = metrics.height() + gap;
    return QRectF(rect()).adjusted(left, top, -right, -bottom);
}

QRectF FieldView::imageRect() const
{
    const auto area = plotArea();
    if (m_image.isNull() || area.width() < 1 || area.height() < 1)
        return {};
    const double scale =
        std::min(area.width() / values().width(), area.height() / values().height());
    const QSizeF size(std::max(scale * values().width(), 2.0),
                      std::max(scale * values().height(), 2.0));
    return {area.left() + (area.width() - size.width()) / 2,
            area.top() + (area.height() - size.height()) / 2, size.width(), size.height()};
}

QPointF FieldView::placeAt(const QPointF &position) const
{
    const auto image = imageRect();
    return {std::clamp((position.x() - image.left()) / image.width(), 0.0, 1.0),
            std::clamp((image.bottom() - position.y()) / image.height(), 0.0, 1.0)};
}

std::optional<QPoint> FieldView::cellAt(const QPointF &position) const
{
    if (!m_frame || !imageRect().contains(position))
        return std::nullopt;
    const auto place = placeAt(position);
    return QPoint(std::min(static_cast<int>(place.x() * values().width()), values().width() - 1),
                  std::min(static_cast<int>(place.y() * values().height()), values().height() - 1));
}

QString FieldView::readout() const
{
    if (!m_frame || !m_cross)
        return {};
    const auto &slice = m_frame->slice;
    const auto column = static_cast<std::size_t>(m_cross->x());
    const auto row = static_cast<std::size_t>(m_cross->y());
    if (column >= slice.width || row >= slice.height)
        return {};
    const double value = slice.values[row * slice.width + column];
    const auto at = [&](std::size_t axis, std::size_t cell) {
        return QString("%1 = %2").arg(
            QChar(axisNames[slice.axes[axis]]),
            shortNumber(slice.origin[axis] + slice.spacing * static_cast<double>(cell)));
    };
    return QString("%1, %2: %3 = %4")
        .arg(at(0, column), at(1, row), m_quantity,
             std::isfinite(value) ? shortNumber(value) : QString("not reached"));
}

// ---- painting --------------------------------------------------------------------------------

void FieldView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const auto colours = palette();
    painter.fillRect(rect(), colours.color(QPalette::Base));
    painter.setPen(colours.color(QPalette::Text));
    if (!m_frame) {
        painter.setPen(quietTextColour(colours));
        painter.drawText(rect().adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap,
                         m_hint);
    } else {
        const auto image = imageRect();
        if (image.isEmpty())
            return;
        // Large pixels stay sharp; where several share one of the screen, a mean would cost time.
        painter.drawImage(image, m_image);
        drawAxes(painter);
        drawBar(painter);
        drawMarks(painter);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(accentColour(colours));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void FieldView::drawAxes(QPainter &painter) const
{
    const auto &slice = m_frame->slice;
    const auto image = imageRect();
    const auto metrics = fontMetrics();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(image);
    painter.setPen(palette().color(QPalette::Text));
    for (const std::size_t axis : {0U, 1U}) {
        const bool isX = axis == 0;
        const auto count = static_cast<double>(isX ? slice.width : slice.height);
        const double low = slice.origin[axis] - slice.spacing / 2;
        const double high = low + slice.spacing * count;
        const double pixels = isX ? image.width() : image.height();
        const int most = std::max(1, static_cast<int>(pixels / (isX ? 60 : 36)));
        const auto ticks = roundValuesIn({low, high}, most);
        const auto texts = tickTexts(ticks);
        for (std::size_t i = 0; i < ticks.size(); ++i) {
            const double part = (ticks[i] - low) / (high - low);
            const auto text = QString::fromStdString(texts[i]);
            if (isX) {
                const double x = image.left() + part * pixels;
                painter.drawLine(QPointF(x, image.bottom()),
                                 QPointF(x, image.bottom() + tickLength));
                painter.drawText(QRectF(x - 40, image.bottom() + tickLength, 80, metrics.height()),
                                 Qt::AlignCenter, text);
            } else {
                const double y = image.bottom() - part * pixels;
                painter.drawLine(QPointF(image.left() - tickLength, y), QPointF(image.left(), y));
                painter.drawText(QRectF(image.left() - tickLength - 82, y - metrics.height() / 2.0,
                                        80, metrics.height()),
                                 Qt::AlignRight | Qt::AlignVCenter, text);
            }
        }
    }
    painter.drawText(QRectF(image.right() - 30, image.bottom() + tickLength + metrics.height(), 30,
                            metrics.height()),
                     Qt::AlignRight, QString(QChar(axisNames[slice.axes[0]])));
    painter.drawText(
        QRectF(image.left() - 24, image.top() - metrics.height() - 2, 20, metrics.height()),
        Qt::AlignRight, QString(QChar(axisNames[slice.axes[1]])));
    const bool is3D = m_frame->points[2] > 1;
    QString title = m_quantity;
    if (is3D)
        title += QString(" at %1 = %2")
                     .arg(QChar(axisNames[slice.normal]))
                     .arg(shortNumber(slice.place));
    painter.drawText(QRectF(image.center().x() - width() / 2.0, image.top() - metrics.height() - 2,
                            width(), metrics.height()),
                     Qt::AlignHCenter, title);
    painter.setPen(quietTextColour(palette()));
    const auto said = readout();
    painter.drawText(
        QRectF(4, height() - metrics.height() - 2, width() - 40, metrics.height()), Qt::AlignLeft,
        said.isEmpty() ? QString("%1 x %2 values").arg(values().width()).arg(values().height())
                       : said);
}

void FieldView::drawBar(QPainter &painter) const
{
    const auto image = imageRect();
    const auto metrics = fontMetrics();
    const auto colours = range();
    const QRectF bar(image.right() + 2 * gap, image.top(), barWidth, image.height());
    const int steps = std::max(1, static_cast<int>(bar.height()));
    for (int i = 0; i < steps; ++i) {
        const double part = (i + 0.5) / steps;
        const double value = colours.high - part * (colours.high - colours.low);
        painter.fillRect(QRectF(bar.left(), bar.top() + i, bar.width(), 1.5),
                         QColor(colourAt(value, colours)));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(bar);
    painter.setPen(palette().color(QPalette::Text));
    const int most = std::max(2, static_cast<int>(bar.height() / (2.2 * metrics.height())));
    const auto ticks = roundValuesIn(colours, most);
    const auto texts = tickTexts(ticks);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        const double part = (ticks[i] - colours.low) / (colours.high - colours.low);
        const double y = bar.bottom() - part * bar.height();
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + tickLength, y));
        painter.drawText(
            QRectF(bar.right() + tickLength + 3, y - metrics.height() / 2.0, 100, metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter, QString::fromStdString(texts[i]));
    }
}

void FieldView::drawMarks(QPainter &painter) const
{
    const auto image = imageRect();
    if (m_cross) {
        const double x = image.left() + (m_cross->x() + 0.5) / values().width() * image.width();
        const double y = image.bottom() - (m_cross->y() + 0.5) / values().height() * image.height();
        // Light on dark, so that it is seen on every colour.
        for (const auto &[colour, width] :
             {std::pair{QColor(0, 0, 0, 110), 3}, {QColor(255, 255, 255, 200), 1}}) {
            painter.setPen(QPen(colour, width));
            painter.drawLine(QPointF(x, image.top()), QPointF(x, image.bottom()));
            painter.drawLine(QPointF(image.left(), y), QPointF(image.right(), y));
        }
    }
    if (m_marker) {
        const QPointF centre(image.left() + m_marker->x() * image.width(),
                             image.bottom() - m_marker->y() * image.height());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(Qt::black, 4));
        painter.drawEllipse(centre, 8, 8);
        painter.setPen(QPen(m_isDragging ? accentColour(palette()) : QColor(Qt::white), 2));
        painter.drawEllipse(centre, 8, 8);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

// ---- mouse and keyboard ----------------------------------------------------------------------

bool FieldView::isAtMarker(const QPointF &position) const
{
    if (!m_marker || !m_frame)
        return false;
    const auto image = imageRect();
    return std::hypot(image.left() + m_marker->x() * image.width() - position.x(),
                      image.bottom() - m_marker->y() * image.height() - position.y())
           < markerReach;
}

void FieldView::moveMarker(const QPointF &place)
{
    m_marker = place;
    update();
    emit markerMoved(place);
}

void FieldView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !isAtMarker(event->position()))
        return;
    m_isDragging = true;
    setCursor(Qt::ClosedHandCursor);
    moveMarker(placeAt(event->position()));
}

void FieldView::mouseMoveEvent(QMouseEvent *event)
{
    if (m_isDragging) {
        m_cross.reset();
        moveMarker(placeAt(event->position()));
        return;
    }
    m_cross = cellAt(event->position());
    setCursor(isAtMarker(event->position()) ? Qt::OpenHandCursor
              : m_cross                     ? Qt::CrossCursor
                                            : Qt::ArrowCursor);
    update();
}

void FieldView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && m_marker && cellAt(event->position()))
        moveMarker(placeAt(event->position()));
}

void FieldView::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_isDragging)
        return;
    m_isDragging = false;
    setCursor(Qt::CrossCursor);
    update();
}

void FieldView::leaveEvent(QEvent *)
{
    if (hasFocus())
        return;
    m_cross.reset();
    update();
}

void FieldView::focusOutEvent(QFocusEvent *event)
{
    m_cross.reset();
    QWidget::focusOutEvent(event);
}

void FieldView::keyPressEvent(QKeyEvent *event)
{
    const int dx = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    const int dy = event->key() == Qt::Key_Down ? -1 : event->key() == Qt::Key_Up ? 1 : 0;
    if (!m_frame || (dx == 0 && dy == 0)) {
        QWidget::keyPressEvent(event);
        return;
    }
    if ((event->modifiers() & Qt::ControlModifier) && m_marker) {
        constexpr double step = 0.02;
        const auto moved = [](double from,
                              int direction) { // by whole steps: no digits of round-off
            return std::clamp((std::round(from / step) + direction) * step, 0.0, 1.0);
        };
        moveMarker({dx != 0 ? moved(m_marker->x(), dx) : m_marker->x(),
                    dy != 0 ? moved(m_marker->y(), dy) : m_marker->y()});
        return;
    }
    const int stride = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    const QPoint from = m_cross.value_or(QPoint(values().width() / 2, values().height() / 2));
    m_cross = QPoint(std::clamp(from.x() + stride * dx, 0, values().width() - 1),
                     std::clamp(from.y() + stride * dy, 0, values().height() - 1));
    update();
}

} // namespace gridhelm::ui
