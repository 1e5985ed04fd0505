// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_style.h"

#include <optional>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// One number over another: dots, of which one is taken by a click or by the arrow keys.
class ScatterPlot : public Plot
{
    Q_OBJECT

public:
    struct Dot
    {
        double first = 0, second = 0;
    };

    enum class Line {
        none,
        through,  ///< all dots, in their order
        diagonal, ///< where both numbers are the same; the axes have one range
        zero,     ///< where the second one is 0
    };

    /// `name`: of files that are proposed.
    explicit ScatterPlot(const QString &name, QWidget *parent = nullptr);

    /// In the order in which the arrow keys go through them; none is taken.
    void show(std::vector<Dot> dots, const QString &firstAxis, const QString &secondAxis,
              Line line);
    void clear() { show({}, {}, {}, Line::none); }
    const std::vector<Dot> &dots() const { return m_dots; }
    const std::optional<std::size_t> &taken() const { return m_taken; }
    std::string csv() const;

    QSize sizeHint() const override { return {260, 190}; }
    QSize minimumSizeHint() const override { return {160, 140}; }

signals:
    void picked(std::size_t dot);
    void news(const QString &sentence);
    void failed(const QString &sentence);

protected:
    void restyle() override;
    void showAll() override {}
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override; ///< scrolls what it is in

private:
    void take(std::size_t dot);

    std::vector<Dot> m_dots;
    std::optional<std::size_t> m_taken;
    QCPCurve *m_line, *m_curve, *m_mark;
};

} // namespace gridhelm::ui
