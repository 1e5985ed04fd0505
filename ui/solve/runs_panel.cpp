// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/runs_panel.h"

#include "core/support/error.h"
#include "core/support/output_file.h"
#include "ui/controls/table_copying.h"
#include "ui/plot/plot_files.h"
#include "ui/plot/save_menu.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr int checkAndSwatch = 60; ///< pixels beside a run's name

QString figureTip(solvers::Quantity figure, const QString &lines)
{
    return QString("%1: %2 (%3 lines)")
        .arg(QString::fromUtf8(nameOf(figure)), QString::fromUtf8(meaningOf(figure)), lines);
}

} // namespace

RunsPanel::RunsPanel(QWidget *parent)
    : QWidget(parent)
    , m_model(new RunTableModel(this))
    , m_plot(new ConvergencePlot(this))
    , m_table(new QTableView(this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_residual(new QCheckBox("Residual", this))
    , m_change(new QCheckBox("Change", this))
    , m_error(new QCheckBox("Error", this))
    , m_abscissa(new QComboBox(this))
    , m_remove(new QToolButton(this))
{
    m_plot->setObjectName("curves");
    m_residual->setToolTip(figureTip(solvers::Quantity::residual, "solid"));
    m_change->setToolTip(figureTip(solvers::Quantity::change, "dashed"));
    m_error->setToolTip(figureTip(solvers::Quantity::error, "dotted"));
    for (auto *box : {m_residual, m_change, m_error}) {
        box->setObjectName("show-" + box->text().toLower());
        box->setChecked(true);
        connect(box, &QCheckBox::toggled, this, &RunsPanel::chooseQuantities);
    }
    m_abscissa->setObjectName("abscissa");
    m_abscissa->addItems({"by iteration", "by log iteration", "by time"});
    m_abscissa->setToolTip("The figures over iterations (on a linear or a logarithmic axis), or "
                           "over seconds");
    m_abscissa->setAccessibleName("Horizontal axis");
    connect(m_abscissa, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_plot->setAbscissa(static_cast<ConvergencePlot::Abscissa>(index));
    });

    m_table->setObjectName("runs");
    m_table->setModel(m_model);
    m_table->setAccessibleName("Runs");
    m_table->setToolTip(
        "Runs so far; the box in front of one says whether the plot has its curves");
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->setAlternatingRowColors(true);
    m_table->setTabKeyNavigation(false); // Tab goes on to the next control
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 8);
    m_table->setMinimumHeight(70);
    new TableCopying(*m_table);
    auto *removeRuns = new QAction("Remove", m_table);
    removeRuns->setShortcut(QKeySequence::Delete);
    removeRuns->setShortcutContext(Qt::WidgetShortcut);
    m_table->addAction(removeRuns);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(removeRuns, &QAction::triggered, this, &RunsPanel::removeSelected);
    m_remove->setObjectName("remove-runs");
    m_remove->setText("Remove");
    m_remove->setToolTip("Remove the selected runs from the table and the plot (Del)");
    connect(m_remove, &QToolButton::clicked, this, &RunsPanel::removeSelected);
    auto *exports = new QToolButton(this);
    exports->setObjectName("export");
    exports->setText("Export");
    exports->setToolTip("Write the table, the curves or the plot to a file");
    exports->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(exports);
    makeMenu(menu);
    exports->setMenu(menu);

    auto *controls = new QHBoxLayout;
    controls->setContentsMargins(4, 0, 4, 0);
    controls->addWidget(m_residual);
    controls->addWidget(m_change);
    controls->addWidget(m_error);
    controls->addWidget(m_abscissa);
    controls->addStretch(1);
    controls->addWidget(m_remove);
    controls->addWidget(exports);
    m_splitter->addWidget(m_plot);
    m_splitter->addWidget(m_table);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({420, 160});
    m_splitter->setChildrenCollapsible(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addWidget(m_splitter, 1);
    layout->addLayout(controls);

    connect(m_model, &RunTableModel::curveChanged, this, [this](int id) {
        const auto *record = m_model->record(id);
        m_plot->setShown(id, record->isShown);
        m_plot->rename(id, record->name);
    });
    connect(m_model, &RunTableModel::removed, m_plot, &ConvergencePlot::remove);
}

int RunsPanel::add(const QString &name, const QString &method, const QString &size)
{
    const bool isFirst = m_model->rowCount() == 0;
    const int id = m_model->add(name, method, size);
    m_plot->addRun(id, name, m_model->record(id)->colour);
    if (isFirst)
        m_table->resizeColumnsToContents();
    m_table->scrollToBottom();
    return id;
}

void RunsPanel::update(int id, const RunState &state)
{
    m_model->update(id, state);
    const int row = m_model->rowOf(id);
    for (int column = 0; row >= 0 && column < m_model->columnCount(); ++column) {
        // Columns only grow: no jitter.
        const auto text = m_model->index(row, column).data().toString();
        const int room = column == RunTableModel::nameColumn ? checkAndSwatch : 14;
        const int wanted = std::min(m_table->fontMetrics().horizontalAdvance(text) + room, 220);
        if (wanted > m_table->columnWidth(column))
            m_table->setColumnWidth(column, wanted);
    }
}

void RunsPanel::append(int id, std::span<const solvers::StepReport> points)
{
    m_plot->append(id, points);
}

void RunsPanel::remove(int id)
{
    m_model->remove(id);
}

void RunsPanel::setActive(int id)
{
    m_active = id;
}

void RunsPanel::removeSelected()
{
    std::vector<int> ids;
    for (const auto &index : m_table->selectionModel()->selectedRows())
        ids.push_back(m_model->records()[static_cast<std::size_t>(index.row())].id);
    if (ids.empty())
        emit news("select the runs that are to be removed");
    for (const int id : ids) {
        if (id == m_active)
            emit news("the run that is going on cannot be removed: stop it first, or reset it");
        else
            m_model->remove(id);
    }
}

void RunsPanel::chooseQuantities()
{
    std::set<solvers::Quantity> quantities;
    if (m_residual->isChecked())
        quantities.insert(solvers::Quantity::residual);
    if (m_change->isChecked())
        quantities.insert(solvers::Quantity::change);
    if (m_error->isChecked())
        quantities.insert(solvers::Quantity::error);
    m_plot->setQuantities(quantities);
}

void RunsPanel::makeMenu(QMenu *menu)
{
    addExport(menu, "Table as CSV…", "runs.csv", "Tables (*.csv)", &RunsPanel::exportTable);
    addExport(menu, "Curves as CSV…", "curves.csv", "Tables (*.csv)", &RunsPanel::exportCurves);
    addExport(menu, "Plot as PNG…", "convergence.png", "Pictures (*.png)", &RunsPanel::exportPlot);
    addExport(menu, "Plot as SVG…", "convergence.svg", "Vector graphics (*.svg)",
              &RunsPanel::exportPlot);
    addExport(menu, "Plot as PDF…", "convergence.pdf", "Vector graphics (*.pdf)",
              &RunsPanel::exportPlot);
    auto *ofPlot = new SaveMenu(
        "convergence", {m_plot}, [this] { return m_plot->csv().toStdString(); }, m_plot);
    connect(ofPlot, &SaveMenu::news, this, &RunsPanel::news);
    connect(ofPlot, &SaveMenu::failed, this, &RunsPanel::failed);
    ofPlot->openOn(*m_plot, [] { return true; });
}

void RunsPanel::addExport(QMenu *menu, const QString &text, const QString &name,
                          const QString &filter, void (RunsPanel::*write)(const QString &) const)
{
    connect(menu->addAction(text), &QAction::triggered, this, [=, this] {
        const auto path = QFileDialog::getSaveFileName(this, text, name, filter);
        if (path.isEmpty())
            return;
        try {
            (this->*write)(path);
            emit news(path + " is written");
        } catch (const Error &error) {
            emit failed(error.what());
        }
    });
}

void RunsPanel::exportTable(const QString &path) const
{
    writeTextFile(path.toStdString(), m_model->csv().toStdString());
}

void RunsPanel::exportCurves(const QString &path) const
{
    writeTextFile(path.toStdString(), m_plot->csv().toStdString());
}

void RunsPanel::exportPlot(const QString &path) const
{
    savePlots({m_plot}, path);
}

void RunsPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_table->viewport()->update(); // the colours of the curves are others now
}

void RunsPanel::saveState(QSettings &settings) const
{
    settings.setValue("residual", m_residual->isChecked());
    settings.setValue("change", m_change->isChecked());
    settings.setValue("error", m_error->isChecked());
    settings.setValue("abscissa", m_abscissa->currentText());
    settings.setValue("splitter", m_splitter->saveState());
}

void RunsPanel::restoreState(QSettings &settings)
{
    m_residual->setChecked(settings.value("residual", true).toBool());
    m_change->setChecked(settings.value("change", true).toBool());
    m_error->setChecked(settings.value("error", true).toBool());
    const int abscissa = m_abscissa->findText(settings.value("abscissa").toString());
    m_abscissa->setCurrentIndex(std::max(abscissa, 0));
    m_splitter->restoreState(settings.value("splitter").toByteArray());
}

} // namespace gridhelm::ui
