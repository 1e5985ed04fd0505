// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/campaign/grid_projection.h"

#include <QString>
#include <QWidget>

class QComboBox;

namespace gridhelm::ui {

/// The dots of a projection. Larger is coarser; without states the colour says so as well, with
/// states each dot shows how much of its points is missing, has snapshots or coefficients.
class GridDots : public QWidget
{
    Q_OBJECT

public:
    explicit GridDots(QWidget *parent = nullptr);

    void setProjection(GridProjection projection);
    const GridProjection &projection() const { return m_projection; }
    /// Names and ends of the ranges, below and beside the picture.
    void setAxes(const Parameter &across, const Parameter &up);

    QSize sizeHint() const override { return {320, 240}; }
    QSize minimumSizeHint() const override { return {170, 130}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    QRectF frame() const;
    QPointF positionOf(const GridPlace &place) const;
    double radiusOf(const GridPlace &place) const;
    void drawLegend(QPainter &painter) const;

    GridProjection m_projection;
    Parameter m_across, m_up;
};

/// The dots, with a choice of the two parameters.
class GridPicture : public QWidget
{
    Q_OBJECT

public:
    explicit GridPicture(QWidget *parent = nullptr);

    /// Keeps the choice where parameters of these names are still there.
    void setSpace(const ParameterSpace &space);
    void clear();
    std::size_t across() const;
    std::size_t up() const;
    /// By name; what is not there is ignored.
    void choose(const QString &across, const QString &up);
    QString acrossName() const;
    QString upName() const;

    GridDots *dots() const { return m_dots; }

signals:
    void axesChanged(std::size_t across, std::size_t up);

private:
    void showAxes();

    std::vector<Parameter> m_parameters;
    QComboBox *m_across;
    QComboBox *m_up;
    GridDots *m_dots;
};

} // namespace gridhelm::ui
