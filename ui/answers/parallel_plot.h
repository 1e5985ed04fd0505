// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_style.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::ui {

/// Parallel coordinates [Inselberg1985]: an axis for each number, a line for each state. Dragging
/// along an axis chooses a part of it, and lines that leave what is chosen stand back; a click on
/// an axis, or Escape, takes that back. A click on a line takes it.
class ParallelPlot : public Plot
{
    Q_OBJECT

public:
    struct Axis
    {
        QString name;
        double low = 0, high = 1; ///< its ends
        bool isLogarithmic = false;
    };
    struct Line
    {
        std::vector<double> values; ///< at the axes; NaN: not known, and not drawn there
        bool stands = false;        ///< out from the others, in a colour of its own
    };

    /// `csv`: what is saved as numbers.
    explicit ParallelPlot(std::function<std::string()> csv, QWidget *parent = nullptr);

    /// With other axes, all of each is chosen.
    void show(std::vector<Axis> axes, std::vector<Line> lines);
    void setLine(std::size_t line, Line now);
    void setTaken(std::optional<std::size_t> line);
    /// Whether a line of these values passes each axis within what is chosen of it.
    bool isChosen(const std::vector<double> &values) const;
    /// Shares of an axis, the lower one first; nothing: all of it.
    void choose(std::size_t axis, const std::optional<std::pair<double, double>> &shares);

    QSize sizeHint() const override { return {260, 190}; }
    QSize minimumSizeHint() const override { return {160, 150}; }

signals:
    void picked(std::size_t line);
    void chosenChanged();
    void news(const QString &sentence);
    void failed(const QString &sentence);

protected:
    void restyle() override;
    void showAll() override {}
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *) override {}
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override; ///< scrolls what it is in
    void showEvent(QShowEvent *event) override;

private:
    using Part = std::optional<std::pair<double, double>>;

    double shareOf(std::size_t axis, double value) const;
    void addTo(QCPCurve &curve, const Line &line) const;
    void drawAxes();
    void drawLines();
    void drawStanding();
    void replotStanding();
    void drawChosen();
    std::optional<std::size_t> axisAt(const QPointF &at) const;
    std::optional<std::size_t> lineAt(const QPointF &at) const;

    std::vector<Axis> m_axes;
    std::vector<Line> m_lines;
    std::vector<Part> m_chosen; ///< of each axis
    std::optional<std::size_t> m_taken;
    std::optional<std::size_t> m_dragged; ///< axis
    double m_from = 0;                    ///< share, where the dragging began
    QPointF m_pressed;
    QCPCurve *m_back, *m_front, *m_mark;
    std::vector<QCPCurve *> m_standing;
    std::vector<QCPAbstractItem *> m_items; ///< of the axes
    std::vector<QCPItemRect *> m_parts;
};

} // namespace gridhelm::ui
