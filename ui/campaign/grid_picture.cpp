// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/grid_picture.h"

#include "ui/controls/number_text.h"
#include "ui/controls/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
namespace {

constexpr double largestRadius = 7, smallestRadius = 2;

QColor fainter(const QColor &colour, const QColor &background, double part)
{
    const auto mix = [part](int of, int with) {
        return static_cast<int>(of + (with - of) * part + 0.5);
    };
    return {mix(colour.red(), background.red()), mix(colour.green(), background.green()),
            mix(colour.blue(), background.blue())};
}

QColor colourOfGroup(const QPalette &palette, int group, int groups)
{
    const double part = groups > 1 ? static_cast<double>(group) / (groups - 1) : 0;
    return fainter(accentColour(palette), palette.color(QPalette::Base), 0.62 * part);
}

QColor snapshotColour(const QPalette &palette)
{
    return warningColour(palette);
}

QColor coefficientColour(const QPalette &palette)
{
    return curveColours(palette)[2]; // green
}

QString withUnit(const QString &text, const Parameter &parameter)
{
    return parameter.unit.empty() ? text : text + " " + QString::fromStdString(parameter.unit);
}

QString axisText(const Parameter &parameter)
{
    auto text = QString::fromStdString(parameter.name);
    if (!parameter.unit.empty())
        text += " (" + QString::fromStdString(parameter.unit) + ")";
    if (parameter.scale == ParameterScale::logarithmic)
        text += ", log";
    return text;
}

double valueAt(const Parameter &parameter, double place)
{
    return ParameterSpace({parameter}).fromUnit(std::vector{place}).front();
}

/// A disc whose sectors, from the top, are parts of 1.
void drawDisc(QPainter &painter, const QPointF &centre, double radius, const QColor &rim,
              std::initializer_list<std::pair<double, QColor>> parts)
{
    const QRectF box(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius);
    double from = 0;
    painter.setPen(Qt::NoPen);
    for (const auto &[part, colour] : parts) {
        if (part <= 0)
            continue;
        painter.setBrush(colour);
        if (part >= 1)
            painter.drawEllipse(box);
        else
            painter.drawPie(box, static_cast<int>(16 * (90 - 360 * from)),
                            static_cast<int>(-16 * 360 * part));
        from += part;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(rim, 1));
    painter.drawEllipse(box);
}

} // namespace

GridDots::GridDots(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName("Picture of the grid");
}

void GridDots::setProjection(GridProjection projection)
{
    m_projection = std::move(projection);
    std::uint64_t points = 0, snapshots = 0, coefficients = 0;
    for (const auto &place : m_projection.places) {
        points += place.points;
        snapshots += place.snapshots;
        coefficients += place.coefficients;
    }
    auto text = QString("%1 sample points").arg(m_projection.places.size());
    if (m_projection.hasStates)
        text += QString(", %1 points, %2 with snapshots, %3 with coefficients")
                    .arg(points)
                    .arg(snapshots)
                    .arg(coefficients);
    setAccessibleDescription(text);
    update();
}

void GridDots::setAxes(const Parameter &across, const Parameter &up)
{
    m_across = across;
    m_up = up;
    update();
}

QRectF GridDots::frame() const
{
    const auto line = fontMetrics().height();
    return QRectF(rect()).adjusted(line + 8, 8, -10, -(2 * line + 12));
}

QPointF GridDots::positionOf(const GridPlace &place) const
{
    const auto inside = frame().adjusted(8, 8, -8, -8);
    return {inside.left() + place.across * inside.width(),
            inside.bottom() - place.up * inside.height()};
}

double GridDots::radiusOf(const GridPlace &place) const
{
    const int groups = std::max(m_projection.groups, 2);
    // Of the densest places: half of their distance.
    const auto inside = frame();
    const double finest = std::min(inside.width(), inside.height()) / std::ldexp(2.0, groups - 1);
    const double smallest = std::clamp(finest, 1.2, smallestRadius);
    return smallest
           + (largestRadius - smallest) * (groups - 1 - place.group)
                 / static_cast<double>(groups - 1);
}

void GridDots::drawLegend(QPainter &painter) const
{
    const auto metrics = fontMetrics();
    const double y = height() - metrics.height() / 2.0 - 2;
    double x = frame().left();
    const auto entry = [&](const QString &text, double radius, const QColor &fill,
                           const QColor &rim) {
        drawDisc(painter, {x + radius, y}, radius, rim, {{1.0, fill}});
        x += 2 * radius + 4;
        painter.setPen(quietTextColour(palette()));
        painter.drawText(QPointF(x, y + metrics.ascent() / 2.0 - 1), text);
        x += metrics.horizontalAdvance(text) + 10;
    };
    const auto base = palette().color(QPalette::Base);
    if (m_projection.hasStates) {
        entry("missing", 4, base, quietTextColour(palette()));
        entry("snapshot", 4, snapshotColour(palette()), snapshotColour(palette()));
        entry("coefficient", 4, coefficientColour(palette()), coefficientColour(palette()));
    } else {
        const int groups = m_projection.groups;
        for (int group = 0; group < groups && group < 8; ++group) {
            const auto colour = colourOfGroup(palette(), group, groups);
            const GridPlace place{0, 0, group};
            entry(group == 0 ? "level 1" : QString::number(group + 1),
                  std::min(radiusOf(place), 5.0), colour, colour);
        }
    }
    if (!m_projection.isWhole) {
        painter.setPen(warningColour(palette()));
        painter.drawText(QPointF(x, y + metrics.ascent() / 2.0 - 1), "finer ones not drawn");
    }
}

void GridDots::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto area = frame();
    const auto metrics = fontMetrics();
    const auto quiet = quietTextColour(palette());
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRect(area);
    if (m_projection.places.empty()) {
        painter.setPen(quiet);
        painter.drawText(area, Qt::AlignCenter, "no grid");
        return;
    }
    for (const auto &place : m_projection.places) {
        const auto at = positionOf(place);
        const double radius = radiusOf(place);
        if (!m_projection.hasStates) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(colourOfGroup(palette(), place.group, m_projection.groups));
            painter.drawEllipse(at, radius, radius);
            continue;
        }
        const auto all = static_cast<double>(std::max<std::uint64_t>(place.points, 1));
        const double coefficients = static_cast<double>(place.coefficients) / all;
        const double snapshots = static_cast<double>(place.snapshots - place.coefficients) / all;
        const auto rim = place.coefficients == place.points ? coefficientColour(palette())
                         : place.snapshots == place.points  ? snapshotColour(palette())
                                                            : quiet;
        drawDisc(
            painter, at, radius, rim,
            {{coefficients, coefficientColour(palette())}, {snapshots, snapshotColour(palette())}});
    }
    // Axes: the name in the middle, the range at the ends.
    painter.setPen(quiet);
    const QRectF below(area.left(), area.bottom() + 2, area.width(), metrics.height());
    const auto low = numberText(m_across.low), high = numberText(m_across.high);
    painter.drawText(below, Qt::AlignLeft | Qt::AlignTop, low);
    painter.drawText(below, Qt::AlignRight | Qt::AlignTop, high);
    const double middle =
        below.width()
        - 2.0 * (std::max(metrics.horizontalAdvance(low), metrics.horizontalAdvance(high)) + 6);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(below, Qt::AlignHCenter | Qt::AlignTop,
                     metrics.elidedText(axisText(m_across), Qt::ElideRight,
                                        static_cast<int>(std::max(middle, 0.0))));
    if (m_up.name != m_across.name) {
        painter.save();
        painter.translate(area.left() - metrics.height() - 3, area.bottom());
        painter.rotate(-90);
        const QRectF beside(0, 0, area.height(), metrics.height());
        const auto bottom = numberText(m_up.low), top = numberText(m_up.high);
        painter.setPen(quiet);
        painter.drawText(beside, Qt::AlignLeft | Qt::AlignTop, bottom);
        painter.drawText(beside, Qt::AlignRight | Qt::AlignTop, top);
        const double room =
            beside.width()
            - 2.0
                  * (std::max(metrics.horizontalAdvance(bottom), metrics.horizontalAdvance(top))
                     + 6);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(beside, Qt::AlignHCenter | Qt::AlignTop,
                         metrics.elidedText(axisText(m_up), Qt::ElideRight,
                                            static_cast<int>(std::max(room, 0.0))));
        painter.restore();
    }
    drawLegend(painter);
}

bool GridDots::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const GridPlace *nearest = nullptr;
    double least = 10; // pixels
    for (const auto &place : m_projection.places) {
        const auto away = positionOf(place) - help->pos();
        const double distance = std::hypot(away.x(), away.y());
        if (distance < least) {
            least = distance;
            nearest = &place;
        }
    }
    if (!nearest) {
        QToolTip::hideText();
        event->ignore();
        return true;
    }
    const auto part = [](const Parameter &parameter, double place) {
        return QString::fromStdString(parameter.name) + " = "
               + withUnit(QString::number(valueAt(parameter, place), 'g', 6), parameter);
    };
    auto text = part(m_across, nearest->across);
    if (m_up.name != m_across.name)
        text += ", " + part(m_up, nearest->up);
    text += QString("\nlevel %1").arg(nearest->group + 1);
    if (m_projection.hasStates)
        text += QString("\n%1 points lie here: %2 have snapshots, %3 coefficients")
                    .arg(nearest->points)
                    .arg(nearest->snapshots)
                    .arg(nearest->coefficients);
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

GridPicture::GridPicture(QWidget *parent)
    : QWidget(parent)
    , m_across(new QComboBox(this))
    , m_up(new QComboBox(this))
    , m_dots(new GridDots(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto *choice = new QHBoxLayout;
    choice->addWidget(new QLabel("Across", this));
    choice->addWidget(m_across, 1);
    choice->addWidget(new QLabel("Up", this));
    choice->addWidget(m_up, 1);
    layout->addLayout(choice);
    layout->addWidget(m_dots, 1);
    m_across->setAccessibleName("Parameter across the picture of the grid");
    m_up->setAccessibleName("Parameter up the picture of the grid");
    for (auto *box : {m_across, m_up}) {
        box->setToolTip("The grid is seen along all parameters but these two");
        box->setMinimumContentsLength(4);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        connect(box, &QComboBox::currentIndexChanged, this, [this] {
            showAxes();
            emit axesChanged(across(), up());
        });
    }
}

void GridPicture::setSpace(const ParameterSpace &space)
{
    if (space.parameters() == m_parameters)
        return;
    const auto before = std::pair(acrossName(), upName());
    const bool wasEmpty = m_parameters.empty();
    m_parameters = space.parameters();
    {
        const QSignalBlocker quietAcross(m_across), quietUp(m_up);
        m_across->clear();
        m_up->clear();
        for (const auto &parameter : m_parameters) {
            m_across->addItem(QString::fromStdString(parameter.name));
            m_up->addItem(QString::fromStdString(parameter.name));
        }
        m_up->setCurrentIndex(m_parameters.size() > 1 ? 1 : 0);
        if (!wasEmpty)
            choose(before.first, before.second);
    }
    showAxes();
    emit axesChanged(across(), up());
}

void GridPicture::clear()
{
    m_parameters.clear();
    const QSignalBlocker quietAcross(m_across), quietUp(m_up);
    m_across->clear();
    m_up->clear();
    m_dots->setProjection({});
}

std::size_t GridPicture::across() const
{
    return static_cast<std::size_t>(std::max(m_across->currentIndex(), 0));
}

std::size_t GridPicture::up() const
{
    return static_cast<std::size_t>(std::max(m_up->currentIndex(), 0));
}

void GridPicture::choose(const QString &across, const QString &up)
{
    for (const auto &[box, name] : {std::pair(m_across, across), std::pair(m_up, up)}) {
        if (const int index = box->findText(name); index >= 0)
            box->setCurrentIndex(index);
    }
}

QString GridPicture::acrossName() const
{
    return m_across->currentText();
}

QString GridPicture::upName() const
{
    return m_up->currentText();
}

void GridPicture::showAxes()
{
    if (across() < m_parameters.size() && up() < m_parameters.size())
        m_dots->setAxes(m_parameters[across()], m_parameters[up()]);
}

} // namespace gridhelm::ui
