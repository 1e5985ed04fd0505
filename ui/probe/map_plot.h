// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/colour_map.h"
#include "ui/plot/plot_style.h"
#include "ui/probe/parameter_axis.h"
#include "ui/probe/probe_answer.h"

#include <memory>
#include <optional>

namespace gridhelm::ui {

/// The probed value (or a norm) over two parameters as colours, with where the sliders stand as a
/// cross, and where simulations were made as dots. A click, a drag or the arrow keys move both.
class MapPlot : public Plot
{
    Q_OBJECT

public:
    explicit MapPlot(QWidget *parent = nullptr);

    /// With a map; null: none.
    void show(std::shared_ptr<const ProbeAnswer> answer, const ColourScheme &colours);
    /// The cross alone, ahead of the next map.
    void setPresent(std::array<double, 2> values);

    const std::optional<ProbeMap> &map() const { return m_map; }
    /// Where values of both parameters are, in pixels of the plot.
    QPoint placeOf(std::array<double, 2> values) const;
    /// What the picture shows there.
    double shownAt(std::array<double, 2> values) const;

signals:
    /// By the user; more will follow if isMoving.
    void moved(std::array<double, 2> values, bool isMoving);

protected:
    void restyle() override;
    void showAll() override {}
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void setAxes(const StudyFacts &study, std::array<std::size_t, 2> parameters);
    void setColours(const ColourScheme &colours);
    void moveTo(QPointF pixel, bool isMoving);

    std::optional<ProbeMap> m_map;
    std::shared_ptr<const StudyFacts> m_study; ///< whose parameters the axes are
    std::array<std::size_t, 2> m_parameters{};
    std::vector<ParameterAxis> m_axes; ///< two, or none
    std::array<double, 2> m_present{};
    std::optional<ColourScheme> m_colours;
    QCPColorMap *m_image;
    QCPColorScale *m_bar;
    QCPGraph *m_dots, *m_crossBack, *m_cross;
};

} // namespace gridhelm::ui
