// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/performance/performance_panel.h"

#include "ui/controls/table_copying.h"
#include "ui/machine/machine_limits.h"
#include "ui/machine/machine_tuner.h"
#include "ui/performance/figure_model.h"
#include "ui/performance/frame_csv.h"
#include "ui/performance/frame_time_plot.h"
#include "ui/performance/pace_plot.h"
#include "ui/performance/roofline_plot.h"
#include "ui/plot/save_menu.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace gridhelm::ui {
namespace {

constexpr int refreshMilliseconds = 100;

} // namespace

PerformancePanel::PerformancePanel(MachineLimits &limits, const ExecutionContext &context,
                                   QWidget *parent)
    : QWidget(parent)
    , m_limits(limits)
    , m_backends(new BackendRow(context, this))
    , m_figures(new FigureModel(this))
    , m_times(new FrameTimePlot(this))
    , m_pace(new PacePlot(this))
    , m_roofline(new RooflinePlot(this))
    , m_shares(new QLabel(this))
    , m_tuner(new MachineTuner(60, this))
{
    m_clock.start();
    m_shares->setObjectName("shares");
    m_shares->setTextFormat(Qt::PlainText);
    m_shares->setWordWrap(true);
    m_shares->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_shares->setToolTip(
        "The subdomain of each device, and so its part of the work; the part of its time in which "
        "it sends values to others (it computes meanwhile), and in which it computes nothing");
    m_shares->hide();
    auto *parts = new QSplitter(Qt::Horizontal, this);
    parts->setChildrenCollapsible(false);
    for (auto *part : std::initializer_list<QWidget *>{makeFigures(), m_times, m_pace, m_roofline})
        parts->addWidget(part);
    parts->setSizes({310, 310, 320, 310});
    for (int i = 0; i < parts->count(); ++i)
        parts->setStretchFactor(i, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(makeTools());
    layout->addWidget(m_shares);
    layout->addWidget(parts, 1);

    m_refresh.setSingleShot(true);
    m_refresh.setInterval(refreshMilliseconds);
    connect(&m_refresh, &QTimer::timeout, this, &PerformancePanel::refresh);
    connect(m_backends, &BackendRow::news, this, &PerformancePanel::news);
    connect(m_backends, &BackendRow::chosen, this, &PerformancePanel::refreshSoon);
    connect(&limits, &MachineLimits::changed, this, &PerformancePanel::refreshSoon);
}

QWidget *PerformancePanel::makeTools()
{
    auto *tools = new QWidget(this);
    m_measure = new QPushButton(tools);
    m_measure->setToolTip(
        "How fast this machine reads memory (GB/s) and computes (GFlop/s), with "
        "as many threads as evaluate: takes about two seconds, or up to 20 where "
        "caches are large, in which evaluations are slower; the figures are kept");
    connect(m_measure, &QPushButton::clicked, this,
            [this] { m_limits.measure(m_backends->context().cpu()); });
    m_count = new QLabel(tools);
    m_count->setToolTip("Frames that are kept, for the plots and the table in a file");
    auto *clear = new QPushButton("C&lear", tools);
    clear->setToolTip("Forgets the frames so far");
    connect(clear, &QPushButton::clicked, this, &PerformancePanel::clear);
    auto *menu = makeSaveMenu("performance", {m_times, m_pace, m_roofline});
    makeSaveMenu("frame-times", {m_times})->openOn(*m_times, [] { return true; });
    makeSaveMenu("pace", {m_pace})->openOn(*m_pace, [] { return true; });
    makeSaveMenu("roofline", {m_roofline})->openOn(*m_roofline, [] { return true; });
    auto *file = new QToolButton(tools);
    file->setText("&File");
    file->setToolTip("Saves the plots or the figures of all frames");
    file->setPopupMode(QToolButton::InstantPopup);
    file->setFocusPolicy(Qt::StrongFocus);
    file->setMenu(menu);
    auto *layout = new QHBoxLayout(tools);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_backends);
    layout->addWidget(m_measure);
    layout->addWidget(makeTuneButton(tools));
    layout->addStretch(1);
    for (auto *widget : std::initializer_list<QWidget *>{m_count, clear, file})
        layout->addWidget(widget);
    return tools;
}

QPushButton *PerformancePanel::makeTuneButton(QWidget *parent)
{
    auto *button = new QPushButton("&" + m_tuner->text(), parent);
    button->setObjectName("tune");
    button->setToolTip(
        "Tries which constants of kernels suit this machine, of the CPU and of the chosen GPUs: "
        "how many points go in "
        "lock-step, iterations in one pass over memory, how large a tile is. They change times, "
        "never values. What is faster by more than the noise is kept; let the machine do little "
        "else meanwhile");
    connect(button, &QPushButton::clicked, this, [this] {
        if (m_tuner->isTuning())
            m_tuner->stop();
        else
            m_tuner->tune(m_backends->context());
    });
    connect(m_tuner, &MachineTuner::changed, button,
            [this, button] { button->setText("&" + m_tuner->text()); });
    connect(m_tuner, &MachineTuner::failed, this, &PerformancePanel::failed);
    connect(m_tuner, &MachineTuner::tuned, this, [this](const QString &sentence) {
        emit tuned();
        emit news(sentence);
    });
    return button;
}

void PerformancePanel::setTuning(
    const std::function<std::vector<tuning::TuningDevice>(const ExecutionContext &)> &further)
{
    m_tuner->setFurther(further);
}

SaveMenu *PerformancePanel::makeSaveMenu(const QString &name, const QList<QCustomPlot *> &plots)
{
    auto *menu = new SaveMenu({.name = name,
                               .show = [plots](const auto &use) { use(plots); },
                               .csv = [this] { return frameCsv(m_history); },
                               .csvTip = "Every frame that is kept, a line for each"},
                              this);
    connect(menu, &SaveMenu::news, this, &PerformancePanel::news);
    connect(menu, &SaveMenu::failed, this, &PerformancePanel::failed);
    return menu;
}

QWidget *PerformancePanel::makeFigures()
{
    auto *table = new QTableView(this);
    table->setModel(m_figures);
    table->setAccessibleName("Figures of the last frames");
    table->setToolTip("Figures of the last frame, and medians of the last hundred");
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 4);
    table->verticalHeader()->setMinimumSectionSize(table->fontMetrics().height() + 2);
    auto &header = *table->horizontalHeader();
    header.setSectionResizeMode(QHeaderView::Stretch); // nothing moves when figures change
    header.setSectionResizeMode(FigureModel::nameColumn, QHeaderView::ResizeToContents);
    header.setSectionResizeMode(FigureModel::unitColumn, QHeaderView::ResizeToContents);
    table->setMinimumWidth(240);
    new TableCopying(*table);
    return table;
}

void PerformancePanel::note(const FieldFrame &frame, double latency, double transfer, double render)
{
    if (frame.request.job != 0)
        return; // read, not evaluated
    m_history.append(sampleOf(frame, 1e-9 * static_cast<double>(m_clock.nsecsElapsed()), latency,
                              transfer, render));
    refreshSoon();
}

void PerformancePanel::clear()
{
    m_history.clear();
    m_clock.restart();
    refreshSoon();
}

void PerformancePanel::showShares(const QString &solver, const std::vector<DeviceShare> &shares)
{
    QStringList parts;
    for (const auto &share : shares)
        parts << QString::fromStdString(describe(share));
    m_shares->setText(solver + " on several devices:  " + parts.join("  ·  "));
    m_shares->setVisible(!parts.isEmpty());
}

void PerformancePanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

void PerformancePanel::refreshSoon()
{
    if (isVisible() && !m_refresh.isActive())
        m_refresh.start();
}

void PerformancePanel::refresh()
{
    m_figures->show(m_history, m_limits);
    m_times->show(m_history);
    m_pace->show(m_history);
    m_roofline->show(m_history, m_limits, m_backends->context().cpu());
    m_measure->setEnabled(!m_limits.isMeasuring());
    m_measure->setText("&" + m_limits.measureText());
    const auto count = m_history.samples().size();
    m_count->setText(QString("%1 frame%2").arg(count).arg(count == 1 ? "" : "s"));
}

} // namespace gridhelm::ui
