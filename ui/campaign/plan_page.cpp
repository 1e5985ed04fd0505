// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/plan_page.h"

#include "core/support/bytes_text.h"
#include "data/campaign/built_in_samples.h"
#include "data/campaign/campaign_text.h"
#include "data/campaign/fill_step.h"
#include "ui/campaign/choice_delegate.h"
#include "ui/campaign/grid_picture.h"
#include "ui/campaign/parameter_model.h"
#include "ui/campaign/path_field.h"
#include "ui/campaign/plan_beginnings.h"
#include "ui/campaign/plan_draft.h"
#include "ui/campaign/plan_text_editor.h"
#include "ui/campaign/program_page.h"
#include "ui/controls/theme.h"
#include "ui/controls/toned_label.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QSettings>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gridhelm::ui {
namespace {

QLabel *number(const QString &what, QWidget *parent)
{
    auto *label = new QLabel("–", parent);
    auto font = label->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.25);
    label->setFont(font);
    label->setAccessibleName(what);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

PlanPage::PlanPage(data::MeshFiles files, QWidget *parent)
    : QWidget(parent)
    , m_draft(new PlanDraft(this))
    , m_model(new ParameterModel(*m_draft, this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(m_splitter);
    m_splitter->addWidget(makeEditors(std::move(files)));
    m_splitter->addWidget(makeSummary());
    m_picture = new GridPicture(this);
    m_picture->setObjectName("planPicture");
    m_splitter->addWidget(m_picture);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 5);
    m_splitter->setStretchFactor(1, 0);
    m_splitter->setStretchFactor(2, 3);
    m_splitter->setSizes({660, 260, 350});

    connect(m_draft, &PlanDraft::changed, this, &PlanPage::follow);
    connect(m_model, &ParameterModel::refused, this, &PlanPage::refused);
    connect(m_picture, &GridPicture::axesChanged, this, &PlanPage::followPicture);
    startFrom("cavity");
}

PlanPage::~PlanPage() = default;

QWidget *PlanPage::makeEditors(data::MeshFiles files)
{
    auto *all = new QWidget(this);
    auto *layout = new QVBoxLayout(all);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(makeFileRow(all));
    m_tabs = new QTabWidget(all);
    m_tabs->setObjectName("planTabs");
    m_tabs->addTab(makeTablePage(), "Parameters");
    m_program = new ProgramPage(*m_draft, std::move(files), m_tabs);
    connect(m_program, &ProgramPage::refused, this, &PlanPage::refused);
    m_tabs->addTab(m_program, "Program");
    m_editor = new PlanTextEditor(m_tabs);
    m_editor->setObjectName("planText");
    connect(m_editor, &QPlainTextEdit::textChanged, this,
            [this] { m_draft->setText(m_editor->toPlainText()); });
    m_tabs->addTab(m_editor, "Text");
    layout->addWidget(m_tabs, 1);

    m_problem = new TonedLabel(errorColour, all);
    m_problem->setObjectName("planProblem");
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->hide();
    layout->addWidget(m_problem);
    return all;
}

/// To begin with another plan, and to keep this one.
QLayout *PlanPage::makeFileRow(QWidget *all)
{
    auto *row = new QHBoxLayout;
    m_start = new QComboBox(all);
    m_start->setObjectName("startFrom");
    m_start->setPlaceholderText("Start from …");
    for (const auto &sample : data::builtInSamples())
        m_start->addItem(QString("Start from %1").arg(sample.name), QString(sample.name));
    m_start->addItem("Start from any program", "program");
    m_start->addItem("Start from files that exist", "files");
    m_start->setAccessibleName("What to start the plan from");
    m_start->setToolTip("Replaces the plan by one to begin with (undo in the text brings it back)");
    connect(m_start, &QComboBox::activated, this,
            [this] { startFrom(m_start->currentData().toString()); });
    auto *openButton = new QPushButton("Open…", all);
    openButton->setToolTip("Open a plan, a TOML file");
    openButton->setAccessibleName("Open a plan");
    connect(openButton, &QPushButton::clicked, this, &PlanPage::openFile);
    auto *saveButton = new QPushButton("Save as…", all);
    saveButton->setToolTip("Save the plan's text as a TOML file");
    saveButton->setAccessibleName("Save the plan");
    connect(saveButton, &QPushButton::clicked, this, &PlanPage::saveFile);
    row->addWidget(m_start);
    row->addWidget(openButton);
    row->addWidget(saveButton);
    row->addStretch(1);
    return row;
}

QWidget *PlanPage::makeTablePage()
{
    auto *tablePage = new QWidget(m_tabs);
    auto *tableLayout = new QVBoxLayout(tablePage);
    tableLayout->setContentsMargins(4, 4, 4, 4);
    m_table = new QTableView(tablePage);
    m_table->setObjectName("parameterTable");
    m_table->setModel(m_model);
    m_table->setItemDelegate(new ChoiceDelegate(m_table));
    m_table->setAccessibleName("Parameters");
    m_table->setToolTip("Name, unit, ends and scale of each parameter; a double click changes one");
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed
                             | QAbstractItemView::AnyKeyPressed
                             | QAbstractItemView::SelectedClicked);
    m_table->setAlternatingRowColors(true);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_table->horizontalHeader()->setStretchLastSection(true);
    const int widths[] = {82, 48, 66, 66, 88, 76, 138, 40};
    for (int column = 0; column < static_cast<int>(std::size(widths)); ++column)
        m_table->setColumnWidth(column, widths[column]);
    tableLayout->addWidget(m_table, 1);
    auto *tableRow = new QHBoxLayout;
    m_add = new QPushButton("Add parameter", tablePage);
    m_add->setObjectName("addParameter");
    m_add->setToolTip("Of a built-in simulation: the next one that is not varied yet");
    m_remove = new QPushButton("Remove", tablePage);
    m_remove->setObjectName("removeParameter");
    m_remove->setToolTip("The selected parameter");
    m_remove->setAccessibleName("Remove the selected parameter");
    connect(m_add, &QPushButton::clicked, this, [this] { refuseIf(m_draft->addParameter()); });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        const auto current = m_table->currentIndex();
        if (!current.isValid())
            emit refused("No parameter is selected: select the one to remove");
        else
            refuseIf(m_draft->removeParameter(static_cast<std::size_t>(current.row())));
    });
    tableRow->addWidget(m_add);
    tableRow->addWidget(m_remove);
    tableRow->addStretch(1);
    tableLayout->addLayout(tableRow);
    return tablePage;
}

QWidget *PlanPage::makeSummary()
{
    auto *all = new QWidget(this);
    auto *layout = new QVBoxLayout(all);
    layout->setContentsMargins(6, 0, 6, 0);
    auto *form = new QFormLayout;
    form->setLabelAlignment(Qt::AlignRight);
    m_title = new QLineEdit(all);
    m_title->setObjectName("planTitle");
    m_title->setAccessibleName("Title of the study");
    m_title->setToolTip("What the study is called");
    connect(m_title, &QLineEdit::editingFinished, this, [this] {
        if (m_draft->plan()
            && m_title->text() != QString::fromStdString(m_draft->plan()->description.title))
            refuseIf(m_draft->setTitle(m_title->text()));
        follow();
    });
    m_level = new QSpinBox(all);
    m_level->setObjectName("planLevel");
    m_level->setRange(1, sparse::maximumLevel);
    m_level->setAccessibleName("Refinement level");
    m_level->setToolTip("Refinement level of the sparse grid: each one more halves the distance of "
                        "the points, or adds one where the boundary basis is leja");
    connect(m_level, &QSpinBox::valueChanged, this, &PlanPage::changeLevel);
    form->addRow("Title", m_title);
    form->addRow("Level", m_level);
    layout->addLayout(form);

    layout->addLayout(makeCounts(all));
    m_more = new TonedLabel(quietTextColour, all);
    m_more->setObjectName("planMore");
    m_more->setToolTip("What one level more would cost");
    layout->addWidget(m_more);
    layout->addStretch(1);

    m_study = new PathField(PathField::Purpose::make, "Study file to make",
                            "Studies (*.gridhelm);;All files (*)", all);
    m_study->setObjectName("planStudy");
    auto *studyLabel = new QLabel("Study file", all);
    studyLabel->setBuddy(m_study->field());
    layout->addWidget(studyLabel);
    layout->addWidget(m_study);
    m_make = new QPushButton("Create study", all);
    m_make->setObjectName("createStudy");
    m_make->setToolTip("Makes the study's file with its points and jobs; then they can be run");
    connect(m_make, &QPushButton::clicked, this, &PlanPage::makeStudy);
    layout->addWidget(m_make);
    return all;
}

/// What the plan would cost.
QLayout *PlanPage::makeCounts(QWidget *all)
{
    auto *counts = new QGridLayout;
    counts->setHorizontalSpacing(14);
    const auto column = [&](int at, const char *what, const char *name, const char *tip) {
        auto *value = number(what, all);
        value->setObjectName(name);
        value->setToolTip(tip);
        auto *title = new TonedLabel(quietTextColour, all);
        title->setText(what);
        title->setToolTip(tip);
        counts->addWidget(title, 0, at);
        counts->addWidget(value, 1, at);
        return value;
    };
    m_points = column(0, "Points", "planPoints", "Points of the sparse grid");
    m_jobs = column(1, "Jobs", "planJobs",
                    "Runs of the simulation: points that differ in time or space alone are one");
    m_bytes = column(2, "Size", "planBytes",
                     "Bytes of the raw snapshots and coefficients; compressed on the disk it is "
                     "less. Known before the first run for built-in simulations");
    counts->setColumnStretch(3, 1);
    return counts;
}

void PlanPage::startFrom(const QString &sample)
{
    if (const int index = m_start->findData(sample); index >= 0)
        m_start->setCurrentIndex(index);
    m_draft->begin(planToBeginWith(sample), m_draft->folder());
    suggestStudy();
}

void PlanPage::begin()
{
    m_title->setFocus(Qt::ShortcutFocusReason);
    m_title->selectAll();
}

void PlanPage::open(const QString &path)
{
    const auto problem = m_draft->load(path);
    if (!problem.isEmpty()) {
        emit refused(problem);
        return;
    }
    m_start->setCurrentIndex(-1);
    const QFileInfo info(path);
    m_suggested = info.absoluteDir().filePath(info.completeBaseName() + ".gridhelm");
    m_study->setPath(m_suggested);
    if (!m_draft->isGood())
        m_tabs->setCurrentWidget(m_editor);
}

void PlanPage::suggestStudy()
{
    if (m_study->path() != m_suggested)
        return;
    const auto sample = m_start->currentData().toString();
    const auto name = sample == "program" || sample == "files" ? QString("mine") : sample;
    const QDir here(QFileInfo(QDir::currentPath()).isWritable() ? QDir::currentPath()
                                                                : QDir::homePath());
    const QDir folder(m_suggested.isEmpty() ? here : QFileInfo(m_suggested).absoluteDir());
    auto path = folder.filePath(name + ".gridhelm");
    for (int n = 2; QFileInfo::exists(path) && n < 1000; ++n)
        path = folder.filePath(QString("%1-%2.gridhelm").arg(name).arg(n));
    m_suggested = path;
    m_study->setPath(path);
}

void PlanPage::setBusy(bool busy)
{
    m_isBusy = busy;
    if (!busy && QFileInfo::exists(m_study->path()))
        suggestStudy();
    follow();
}

void PlanPage::refuseIf(const QString &sentence)
{
    if (!sentence.isEmpty())
        emit refused(sentence);
}

void PlanPage::follow()
{
    m_editor->changeTo(m_draft->text());
    m_editor->markLine(m_draft->problemLine());
    const bool isGood = m_draft->isGood();
    m_problem->setVisible(!isGood);
    m_problem->setText(m_draft->problem());
    m_tabs->setTabText(m_tabs->indexOf(m_editor), isGood ? "Text" : "Text (to be corrected)");
    m_add->setEnabled(isGood);
    m_remove->setEnabled(isGood);
    m_title->setEnabled(isGood);
    m_level->setEnabled(isGood && m_draft->plan() && m_draft->plan()->runs == 0);
    m_make->setEnabled(isGood && !m_isBusy);
    if (m_draft->plan()) {
        const QSignalBlocker quiet(m_level);
        m_level->setMaximum(m_draft->plan()->description.space.highestLevel());
        m_level->setValue(m_draft->plan()->description.level);
        if (!m_title->isModified() || !m_title->hasFocus())
            m_title->setText(QString::fromStdString(m_draft->plan()->description.title));
    }
    followCost();
    if (m_draft->plan()) {
        m_picture->setSpace(m_draft->plan()->description.space);
        followPicture();
    }
}

void PlanPage::followCost()
{
    const int level = m_draft->plan() ? m_draft->plan()->description.level : 0;
    const auto cost = m_draft->isGood() ? m_draft->cost(level) : std::nullopt;
    m_points->setText(cost ? QString::number(cost->points) : "–");
    m_jobs->setText(cost ? QString::number(cost->jobs) : "–");
    m_bytes->setText(!cost             ? "–"
                     : cost->bytes > 0 ? QString::fromStdString(bytesText(cost->bytes))
                                       : "not known yet");
    if (cost && cost->isScattered) {
        m_more->setText("No grid, but a space-filling design; its number of runs is in the text");
        return;
    }
    if (!cost || level >= m_draft->plan()->description.space.highestLevel()) {
        m_more->clear();
        return;
    }
    const auto more = m_draft->cost(level + 1);
    m_more->setText(QString("Level %1 would be %2")
                        .arg(level + 1)
                        .arg(more ? QString::fromStdString(data::costText(*more))
                                  : QString("more than can be counted")));
}

void PlanPage::followPicture()
{
    if (!m_draft->plan())
        return;
    const auto &description = m_draft->plan()->description;
    if (const auto runs = m_draft->plan()->runs; runs > 0) {
        constexpr std::size_t mostShown = 200; // while somebody types
        auto places = data::firstPlaces(description.space, std::min(runs, mostShown));
        for (auto &place : places)
            place = description.space.toUnit(place);
        auto projection = projectRuns(places, {}, m_picture->across(), m_picture->up());
        projection.isWhole = runs <= mostShown;
        m_picture->dots()->setProjection(projection);
        return;
    }
    m_picture->dots()->setProjection(
        projectPlan(description.space, description.level, m_picture->across(), m_picture->up()));
}

void PlanPage::changeLevel(int level)
{
    refuseIf(m_draft->setLevel(level));
    follow(); // also what was refused goes back
}

void PlanPage::openFile()
{
    const auto path = QFileDialog::getOpenFileName(this, "Open a plan", m_draft->folder(),
                                                   "Plans (*.toml);;All files (*)");
    if (!path.isEmpty())
        open(path);
}

void PlanPage::saveFile()
{
    const auto path = QFileDialog::getSaveFileName(this, "Save the plan", m_draft->folder(),
                                                   "Plans (*.toml);;All files (*)");
    if (path.isEmpty())
        return;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(m_draft->text().toUtf8()) < 0
        || !file.commit())
        emit refused(QString("%1 cannot be written (%2); choose another folder")
                         .arg(path, file.errorString()));
    else
        emit news(QString("Saved the plan as %1").arg(path));
}

void PlanPage::makeStudy()
{
    auto path = m_study->path();
    if (path.isEmpty()) {
        emit refused("The study needs a file: type its name, or choose one");
        return;
    }
    if (!m_draft->isGood()) {
        emit refused(m_draft->problem());
        return;
    }
    if (QFileInfo(path).suffix().isEmpty())
        path += ".gridhelm";
    emit studyWanted(QFileInfo(path).absoluteFilePath(), *m_draft->plan());
}

void PlanPage::saveState(QSettings &settings) const
{
    settings.setValue("splitter", m_splitter->saveState());
    settings.setValue("text", m_draft->text());
    settings.setValue("folder", m_draft->folder());
    settings.setValue("isFromFile", m_draft->isFromFile());
    settings.setValue("study", m_study->path());
    settings.setValue("tab", m_tabs->currentIndex());
    settings.setValue("across", m_picture->acrossName());
    settings.setValue("up", m_picture->upName());
}

void PlanPage::restoreState(QSettings &settings)
{
    m_splitter->restoreState(settings.value("splitter").toByteArray());
    if (const auto plan = settings.value("text").toString(); !plan.isEmpty()) {
        const auto isSample = [&](int index) {
            return plan == planToBeginWith(m_start->itemData(index).toString());
        };
        int index = m_start->count() - 1;
        while (index >= 0 && !isSample(index))
            --index;
        m_start->setCurrentIndex(index);
        m_draft->begin(plan, settings.value("folder", m_draft->folder()).toString(),
                       settings.value("isFromFile", true).toBool());
    }
    if (const auto path = settings.value("study").toString(); !path.isEmpty())
        m_study->setPath(path);
    m_tabs->setCurrentIndex(settings.value("tab", 0).toInt());
    m_picture->choose(settings.value("across").toString(), settings.value("up").toString());
}

} // namespace gridhelm::ui
