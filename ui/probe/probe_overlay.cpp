// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/probe/probe_overlay.h"

#include "ui/controls/theme.h"

#include <QLineF>
#include <QMouseEvent>
#include <QPainter>
#include <QVector>

#include <utility>

namespace gridhelm::ui {
namespace {

constexpr double arm = 9, gap = 3; ///< of the cross, in pixels
constexpr double clickPixels = 4;  ///< less of a movement is a click

/// Can be seen on every colour: dark within light.
template <typename Draw>
void drawTwice(QPainter &painter, const Draw &draw)
{
    painter.setBrush(Qt::NoBrush);
    // So wide that beside the dark line a whole pixel is light, wherever between pixels it lies.
    painter.setPen(QPen(QColor(255, 255, 255, 220), 5, Qt::SolidLine, Qt::RoundCap));
    draw();
    painter.setPen(QPen(QColor(20, 20, 20), 1.6, Qt::SolidLine, Qt::RoundCap));
    draw();
}

} // namespace

ProbeOverlay::ProbeOverlay(SceneWidget &view)
    : QWidget(&view)
    , m_view(view)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setAccessibleName("Mark of the probe");
    setGeometry(view.rect());
    view.installEventFilter(this);
    connect(&view, &SceneWidget::clicked, this, [this](QPointF at) {
        if (const auto place = m_view.pick(at))
            emit placePicked(*place);
    });
    show();
}

void ProbeOverlay::setMark(std::optional<MeshPlace> place, std::vector<data::MeshEdge> cell)
{
    if (place == m_mark && cell == m_cell)
        return;
    m_mark = place;
    m_cell = std::move(cell);
    update();
}

void ProbeOverlay::setLine(std::optional<ProbeLine> line)
{
    if (line == m_line)
        return;
    m_line = line;
    update();
}

std::optional<QPointF> ProbeOverlay::markAt() const
{
    const auto at = m_mark ? m_view.placeOf(*m_mark) : std::nullopt;
    return at && m_view.fieldArea().contains(*at) ? at : std::nullopt;
}

bool ProbeOverlay::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::Resize:
        setGeometry(m_view.rect());
        break;
    case QEvent::MouseButtonPress:
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease:
        if (handleMouse(static_cast<const QMouseEvent &>(*event)))
            return true;
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

/// True if it belongs to a line.
bool ProbeOverlay::handleMouse(const QMouseEvent &event)
{
    if (event.type() == QEvent::MouseButtonPress) {
        const bool isLine = event.button() == Qt::LeftButton
                            && (m_takesLines || event.modifiers() & Qt::AltModifier);
        if (!isLine)
            return m_dragFrom.has_value();
        m_dragFrom = m_dragTo = event.position();
        return true;
    }
    if (!m_dragFrom)
        return false;
    m_dragTo = event.position();
    if (event.type() == QEvent::MouseButtonRelease && event.button() == Qt::LeftButton)
        endLine(m_dragTo);
    update();
    return true;
}

void ProbeOverlay::endLine(QPointF at)
{
    const auto begin = *std::exchange(m_dragFrom, std::nullopt);
    m_view.whenIdle([this, begin, at] { pickLine(begin, at); });
}

void ProbeOverlay::pickLine(QPointF begin, QPointF at)
{
    const auto from = m_view.pick(begin);
    if ((at - begin).manhattanLength() < clickPixels) {
        if (from)
            emit placePicked(*from);
        return;
    }
    const auto to = m_view.pick(at);
    if (from && to)
        emit linePicked({*from, *to});
    else
        emit refused(QString("The line %1 beside the mesh: draw it from a point of the field to "
                             "another one")
                         .arg(from ? "ends" : "begins"));
}

void ProbeOverlay::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(m_view.fieldArea());
    const auto drawLine = [&](QPointF from, QPointF to) {
        drawTwice(painter, [&] {
            painter.drawLine(from, to);
            painter.drawEllipse(from, 3, 3);
        });
    };
    if (m_dragFrom) {
        drawLine(*m_dragFrom, m_dragTo);
    } else if (m_line) {
        const auto from = m_view.placeOf(m_line->from), to = m_view.placeOf(m_line->to);
        if (from && to)
            drawLine(*from, *to);
    }
    QVector<QLineF> edges;
    for (const auto &[from, to] : m_cell) {
        const auto begin = m_view.placeOf(from), end = m_view.placeOf(to);
        if (begin && end)
            edges << QLineF(*begin, *end);
    }
    if (!edges.isEmpty())
        drawTwice(painter, [&] { painter.drawLines(edges); });
    if (const auto at = markAt()) {
        drawTwice(painter, [&] {
            for (const QPointF direction :
                 {QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1), QPointF(0, -1)})
                painter.drawLine(*at + gap * direction, *at + arm * direction);
        });
    }
}

} // namespace gridhelm::ui
