// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/probe/curves_page.h"

#include "ui/controls/plain_text.h"
#include "ui/plot/save_menu.h"
#include "ui/probe/probe_csv.h"
#include "ui/scene/colour/shown_values.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScopeGuard>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr int columnWidth = 300; ///< a second column of plots needs twice as much

std::optional<ValueRange> rangeOfCurve(const ProbeCurve &curve)
{
    return rangeOf(curve.values, Scale::linear);
}

ValueRange withRoom(const std::optional<ValueRange> &range)
{
    return range ? roundedOutward(*range, Scale::linear) : ValueRange{0, 1};
}

} // namespace

CurvesPage::CurvesPage(SteeringModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_title(new PlainLabel(this))
    , m_sameScale(new QCheckBox("Same scale", this))
    , m_save(new QToolButton(this))
    , m_list(new QWidget)
    , m_grid(new QGridLayout(m_list))
{
    m_title->setWordWrap(true);
    m_sameScale->setChecked(true);
    m_sameScale->setToolTip("All curves over the same range of values, so that it can be seen on "
                            "which parameter the value depends most");
    connect(m_sameScale, &QCheckBox::toggled, this, &CurvesPage::showAnswer);
    m_save->setText("Save");
    m_save->setAccessibleName("Save the curves");
    m_save->setToolTip("All curves as a picture or as a table");
    m_save->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new SaveMenu({"curves",
                               [this](const auto &use) {
                                   withTitle({m_plots.begin(), m_plots.end()}, use);
                               },
                               [this] {
                                   std::vector<std::size_t> all(m_plots.size());
                                   std::iota(all.begin(), all.end(), std::size_t{0});
                                   return curvesCsv(*m_answer, all);
                               }},
                              m_save);
    connect(menu, &SaveMenu::news, this, &CurvesPage::news);
    connect(menu, &SaveMenu::failed, this, &CurvesPage::failed);
    m_save->setMenu(menu);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(4);
    auto *scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_list);
    auto *row = new QHBoxLayout;
    row->addWidget(m_title, 1);
    row->addWidget(m_sameScale);
    row->addWidget(m_save);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addLayout(row);
    layout->addWidget(scroll, 1);
    connect(&model, &SteeringModel::changed, this, [this](const Steering &before) {
        const auto &now = m_model.now().parameters;
        for (std::size_t t = 0; m_answer && t < std::min(now.size(), m_plots.size()); ++t) {
            if (now[t] != before.parameters[t])
                m_plots[t]->setPresent(now[t]);
        }
    });
    show(nullptr);
}

void CurvesPage::setStudy()
{
    for (auto *plot : m_plots)
        delete plot;
    m_plots.clear();
    const auto &study = *m_model.study();
    for (std::size_t t = 0; t < study.parameters.parameters().size(); ++t) {
        auto *plot = new CurvePlot(study.parameters[t], study.marks.at(t), m_list);
        connect(plot, &CurvePlot::moved, this, [this, t](double value, bool isMoving) {
            emit moved();
            m_model.setParameter(t, value, isMoving);
        });
        m_plots.push_back(plot);
        addSaveActions(t);
    }
    m_columns = 0;
    arrange();
    show(nullptr);
}

void CurvesPage::addSaveActions(std::size_t t)
{
    auto *plot = m_plots[t];
    const auto name = QString::fromStdString(m_model.study()->parameters[t].name);
    auto *menu =
        new SaveMenu({"curve-" + name, [this, plot](const auto &use) { withTitle({plot}, use); },
                      [this, t] { return curvesCsv(*m_answer, {t}); }},
                     plot);
    connect(menu, &SaveMenu::news, this, &CurvesPage::news);
    connect(menu, &SaveMenu::failed, this, &CurvesPage::failed);
    menu->openOn(*plot, [this] { return m_answer != nullptr; });
}

/// The name of what is shown, which here stands above all of them, goes with each.
void CurvesPage::withTitle(const QList<QCustomPlot *> &plots,
                           const std::function<void(const QList<QCustomPlot *> &plots)> &use) const
{
    const auto label = [&](const QString &text) {
        for (auto *plot : plots)
            plot->yAxis->setLabel(text);
    };
    const auto unlabel = qScopeGuard([&] { label({}); });
    label(m_title->text());
    use(plots);
}

void CurvesPage::show(std::shared_ptr<const ProbeAnswer> answer)
{
    m_answer = answer && !answer->curves.empty() ? std::move(answer) : nullptr;
    m_save->setEnabled(m_answer != nullptr);
    showAnswer();
}

void CurvesPage::showAnswer()
{
    if (!m_answer) {
        m_title->setText("Click a point of the view");
        for (auto *plot : m_plots)
            plot->clear();
        return;
    }
    const auto &question = m_answer->question;
    m_title->setText(QString::fromStdString(
        titleOf(question.study->fields.at(question.field), question.component)));
    std::optional<ValueRange> all;
    for (const auto &curve : m_answer->curves) {
        const auto range = rangeOfCurve(curve);
        if (range)
            all = all ? ValueRange{std::min(all->low, range->low), std::max(all->high, range->high)}
                      : *range;
    }
    for (std::size_t t = 0; t < m_plots.size(); ++t) {
        const auto &curve = m_answer->curves.at(t);
        m_plots[t]->show(curve, question.parameters[t], static_cast<double>(m_answer->value),
                         withRoom(m_sameScale->isChecked() ? all : rangeOfCurve(curve)));
    }
}

void CurvesPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void CurvesPage::arrange()
{
    const int most = std::max<int>(1, static_cast<int>(m_plots.size()));
    const int columns = std::clamp(width() / columnWidth, 1, most);
    if (columns == m_columns)
        return;
    m_columns = columns;
    for (std::size_t t = 0; t < m_plots.size(); ++t)
        m_grid->addWidget(m_plots[t], static_cast<int>(t) / columns, static_cast<int>(t) % columns);
}

} // namespace gridhelm::ui
