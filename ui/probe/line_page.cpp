// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/probe/line_page.h"

#include "ui/controls/number_field.h"
#include "ui/controls/plain_text.h"
#include "ui/plot/save_menu.h"
#include "ui/probe/probe_csv.h"
#include "ui/scene/colour/shown_values.h"
#include "ui/scene/colour/value_axis.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace gridhelm::ui {
namespace {

QString placeText(const MeshPlace &place)
{
    return QString("(%1, %2, %3)")
        .arg(place[0], 0, 'g', 4)
        .arg(place[1], 0, 'g', 4)
        .arg(place[2], 0, 'g', 4);
}

} // namespace

LinePlot::LinePlot(QWidget *parent)
    : Plot(parent)
    , m_curve(addGraph())
{
    setAccessibleName("Values along the line");
    setToolTip("The shown field along the line, over its length in the mesh's unit; gaps where it "
               "leaves the mesh. The wheel zooms, a double click shows all of it");
    yAxis->setNumberFormat("gb");
    yAxis->setNumberPrecision(4);
    setMinimumSize(180, 120);
    restyle();
}

void LinePlot::show(std::shared_ptr<const ProbeAnswer> answer)
{
    QVector<double> lengths, values;
    if (answer && answer->line) {
        const auto &line = *answer->line;
        for (std::size_t i = 0; i < line.lengths.size(); ++i) {
            lengths << line.lengths[i];
            values << static_cast<double>(line.values[i]);
        }
        m_length = line.lengths.back();
        const auto unit = answer->question.study->axes.unitOfLength();
        xAxis->setLabel(QString("along the line (%1)")
                            .arg(unit.empty() ? "unit of the mesh" : QString::fromStdString(unit)));
        yAxis->setLabel(QString::fromStdString(
            titleOf(answer->question.study->fields.at(line.field), line.component)));
    }
    m_curve->setData(lengths, values, true);
    if (!isZoomed())
        showAll();
    replot(rpQueuedReplot);
}

void LinePlot::restyle()
{
    Plot::restyle();
    m_curve->setPen(QPen(curveColour(palette(), 0), 1.8));
}

void LinePlot::showAll()
{
    xAxis->setRange(0, m_length);
    bool isAny = false;
    const auto range = m_curve->getValueRange(isAny);
    if (!isAny)
        return;
    const auto rounded = roundedOutward({range.lower, range.upper}, Scale::linear);
    yAxis->setRange(rounded.low, rounded.high);
}

LinePage::LinePage(QWidget *parent)
    : QWidget(parent)
    , m_title(new PlainLabel(this))
    , m_draw(new QToolButton(this))
    , m_save(new QToolButton(this))
    , m_plot(new LinePlot(this))
{
    m_title->setWordWrap(true);
    m_draw->setText("Draw lines");
    m_draw->setCheckable(true);
    m_draw->setToolTip("While this is on, a drag in the view is a line, and does not turn it; "
                       "without it, hold Alt");
    m_save->setText("Save");
    m_save->setAccessibleName("Save the line");
    m_save->setToolTip("The plot as a picture, or its values as a table");
    m_save->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new SaveMenu(
        "line", {m_plot}, [this] { return lineCsv(*m_answer); }, m_save);
    connect(menu, &SaveMenu::news, this, &LinePage::news);
    connect(menu, &SaveMenu::failed, this, &LinePage::failed);
    m_save->setMenu(menu);
    menu->openOn(*m_plot, [this] { return m_answer != nullptr; });
    auto *row = new QHBoxLayout;
    row->addWidget(m_title, 1);
    row->addWidget(m_draw);
    row->addWidget(m_save);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addLayout(row);
    layout->addWidget(m_plot, 1);
    show(nullptr);
}

void LinePage::show(std::shared_ptr<const ProbeAnswer> answer)
{
    m_answer = answer && answer->line ? std::move(answer) : nullptr;
    m_save->setEnabled(m_answer != nullptr);
    m_plot->show(m_answer);
    if (!m_answer) {
        m_title->setText("Drag a line in the view, holding Alt");
        return;
    }
    const auto &line = *m_answer->line;
    m_title->setText(QString("%1 to %2%3")
                         .arg(placeText(line.line.from), placeText(line.line.to),
                              line.isExact ? "" : " (coarse)"));
}

} // namespace gridhelm::ui
