// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/probe/probe_answer.h"
#include "ui/viewer/scene_widget.h"

#include <QPointF>
#include <QWidget>

#include <optional>
#include <vector>

namespace gridhelm::ui {

/// Where the probe is, drawn over a view: a cross, the edges of a cell, a line. Also the hand that
/// sets them: a click picks a place, a drag with Alt (or while it takes lines) a line; all other
/// drags are the view's.
class ProbeOverlay : public QWidget
{
    Q_OBJECT

public:
    /// Covers the view and becomes its child.
    explicit ProbeOverlay(SceneWidget &view);

    /// In the coordinates of the picture: a relief is above its mesh. `cell`: the edges of what is
    /// marked, if they are to be drawn.
    void setMark(std::optional<MeshPlace> place, std::vector<data::MeshEdge> cell = {});
    const std::optional<MeshPlace> &mark() const { return m_mark; }
    const std::vector<data::MeshEdge> &cell() const { return m_cell; }
    void setLine(std::optional<ProbeLine> line);
    /// Whether every drag is a line, without Alt.
    void setTakesLines(bool takesLines) { m_takesLines = takesLines; }

    /// In pixels of the view; none if there is no mark, or it is not in the picture.
    std::optional<QPointF> markAt() const;

signals:
    void placePicked(const gridhelm::ui::MeshPlace &place);
    void linePicked(const gridhelm::ui::ProbeLine &line);
    /// Why there is no line, as a sentence.
    void refused(const QString &sentence);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    bool handleMouse(const QMouseEvent &event);
    void endLine(QPointF at);
    void pickLine(QPointF begin, QPointF at);

    SceneWidget &m_view;
    std::optional<MeshPlace> m_mark;
    std::vector<data::MeshEdge> m_cell;
    std::optional<ProbeLine> m_line;
    bool m_takesLines = false;
    std::optional<QPointF> m_dragFrom; ///< while a line is being drawn
    QPointF m_dragTo;
};

} // namespace gridhelm::ui
