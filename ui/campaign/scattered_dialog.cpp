// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/scattered_dialog.h"

#include "ui/campaign/choice_delegate.h"
#include "ui/campaign/path_field.h"
#include "ui/campaign/scattered_column_model.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"
#include "ui/controls/toned_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr auto wanted = "Choose a table: a CSV file with a row for each run, columns of its "
                        "parameters, and either a column with the names of result files or "
                        "columns of numbers that the runs gave.";

/// Beside the table, and not there yet.
QString freeStudyName(const QFileInfo &table)
{
    const auto begin = table.dir().filePath(table.completeBaseName());
    auto path = begin + ".gridhelm";
    for (int number = 2; QFileInfo::exists(path); ++number)
        path = QString("%1-%2.gridhelm").arg(begin).arg(number);
    return path;
}

/// Of a table that can be imported: how it was read, and what is doubtful about its columns as long
/// as their roles are the guessed ones.
QString readingText(const ScatteredFile &file, const std::vector<data::ColumnRole> &roles)
{
    const auto format = QString::fromStdString(file.cells.format());
    auto text = QString("%1 rows%2. Roles can be chosen, and ranges typed.")
                    .arg(file.cells.rows())
                    .arg(format.isEmpty() ? QString() : QString(" (%1)").arg(format));
    if (roles == file.roles)
        for (const auto &note : file.notes)
            text += "\nNote: " + cleanLine(QString::fromStdString(note)) + ".";
    return text;
}

} // namespace

ScatteredDialog::ScatteredDialog(data::MeshFiles files, QWidget *parent)
    : QDialog(parent)
    , m_worker(std::move(files), {})
    , m_model(new ScatteredColumnModel(this))
{
    setObjectName("importRuns");
    setWindowTitle("Import runs");
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(makeForm());
    m_view = new QTableView(this);
    m_view->setObjectName("columns");
    m_view->setAccessibleName("Columns of the table");
    m_view->setModel(m_model);
    m_view->setItemDelegate(new ChoiceDelegate(m_view));
    m_view->setEditTriggers(QAbstractItemView::AllEditTriggers);
    m_view->setTabKeyNavigation(false);
    m_view->setWordWrap(true);
    m_view->verticalHeader()->hide();
    layout->addWidget(m_view, 1);
    layout->addWidget(makeFoot());
    constexpr QSize usual(940, 520);
    resize(usual);

    connect(m_table, &PathField::changed, this, &ScatteredDialog::readTable);
    connect(m_folder, &PathField::changed, this, &ScatteredDialog::check);
    connect(m_study, &PathField::changed, this, &ScatteredDialog::showState);
    connect(m_model, &ScatteredColumnModel::edited, this, &ScatteredDialog::check);
    connect(m_model, &ScatteredColumnModel::refused, this, [this](const QString &sentence) {
        m_trouble = sentence;
        showState();
    });
    connect(&m_inspector, &ScatteredInspector::fileRead, this, &ScatteredDialog::showFile);
    connect(&m_inspector, &ScatteredInspector::unreadable, this,
            [this](const QString &, const QString &sentence) {
                m_trouble = sentence;
                showState();
            });
    connect(&m_inspector, &ScatteredInspector::checked, this, &ScatteredDialog::showProblems);
    connect(m_import, &QPushButton::clicked, this, &ScatteredDialog::import);
    connect(m_cancel, &QPushButton::clicked, this, &ScatteredDialog::reject);
    connect(&m_worker, &CampaignWorker::started, this, &ScatteredDialog::begin);
    connect(&m_worker, &CampaignWorker::progressed, this, [this](const QString &text, double part) {
        m_status->setText(text);
        m_progress->setValue(part < 0 ? 0 : static_cast<int>(std::lround(1000 * part)));
        m_progress->setTextVisible(part >= 0);
    });
    connect(&m_worker, &CampaignWorker::ended, this, &ScatteredDialog::end);
    readTable();
}

ScatteredDialog::~ScatteredDialog() = default;

QWidget *ScatteredDialog::makeForm()
{
    auto *form = new QWidget(this);
    auto *layout = new QFormLayout(form);
    layout->setContentsMargins(0, 0, 0, 0);
    m_offered = new QLabel("Tables in the folder", form);
    m_tables = new QComboBox(form);
    m_tables->setObjectName("tables");
    m_offered->setBuddy(m_tables);
    layout->addRow(m_offered, m_tables);
    m_offered->hide();
    m_tables->hide();
    m_table = new PathField(PathField::Purpose::open, "Table of runs",
                            "Tables (*.csv);;All files (*)", form);
    m_table->setObjectName("table");
    layout->addRow("Table", m_table);
    m_folder = new PathField(PathField::Purpose::folder,
                             "Folder that names of files are relative to", {}, form);
    m_folder->setObjectName("folder");
    layout->addRow("Files are in", m_folder);
    m_study = new PathField(PathField::Purpose::make, "Study that is made",
                            "Studies (*.gridhelm);;All files (*)", form);
    m_study->setObjectName("study");
    layout->addRow("Study", m_study);
    m_resample = new QCheckBox("Resample files on other meshes", form);
    m_resample->setObjectName("resample");
    m_resample->setToolTip("Brings files on other meshes onto that of the first file");
    layout->addRow(QString(), m_resample);
    connect(m_tables, &QComboBox::activated, this, [this](int chosen) {
        if (const auto path = m_tables->itemData(chosen).toString(); !path.isEmpty())
            m_table->setPath(path);
    });
    return form;
}

QWidget *ScatteredDialog::makeFoot()
{
    auto *foot = new QWidget(this);
    auto *layout = new QVBoxLayout(foot);
    layout->setContentsMargins(0, 0, 0, 0);
    m_problem = new TonedLabel(errorColour, foot);
    m_problem->setObjectName("problem");
    m_status = new PlainLabel(foot);
    m_status->setObjectName("status");
    m_status->setWordWrap(true);
    layout->addWidget(m_problem);
    layout->addWidget(m_status);
    m_progress = new QProgressBar(foot);
    m_progress->setObjectName("progress");
    m_progress->setRange(0, 1000);
    m_progress->hide();
    m_import = new QPushButton("Import", foot);
    m_import->setObjectName("import");
    m_import->setDefault(true);
    m_cancel = new QPushButton("Cancel", foot);
    m_cancel->setObjectName("cancel");
    m_cancel->setAutoDefault(false);
    auto *row = new QHBoxLayout;
    row->addWidget(m_progress, 1);
    row->addStretch(0);
    row->addWidget(m_import);
    row->addWidget(m_cancel);
    layout->addLayout(row);
    return foot;
}

void ScatteredDialog::offer(const QStringList &tables)
{
    m_offered->setVisible(tables.size() > 1);
    m_tables->setVisible(tables.size() > 1);
    m_tables->clear();
    m_tables->addItem("Choose one of these");
    for (const auto &table : tables)
        m_tables->addItem(cleanLine(QFileInfo(table).fileName()), table);
    m_table->setPath(tables.size() == 1 ? tables.first() : QString());
}

void ScatteredDialog::readTable()
{
    m_model->setFile(nullptr);
    m_trouble.clear();
    m_problems.clear();
    m_isChecked = false;
    m_inspector.read(m_table->path()); // also of no table, for what was asked before is not wanted
    showState();
}

void ScatteredDialog::showFile(const std::shared_ptr<const ScatteredFile> &file)
{
    const QFileInfo table(file->path);
    m_model->setFile(file);
    for (int row = 0; row < m_model->rowCount(); ++row) // one sees that they can be chosen
        m_view->openPersistentEditor(m_model->index(row, ScatteredColumnModel::columnRole));
    m_folder->setPath(table.absolutePath());
    m_study->setPath(freeStudyName(table));
    check();
}

void ScatteredDialog::check()
{
    m_isChecked = false;
    m_trouble.clear();
    if (m_model->file())
        m_inspector.check(m_model->file(),
                          {m_model->roles(), m_model->ranges(), folder(), m_model->scales()});
    showState();
}

std::filesystem::path ScatteredDialog::folder() const
{
    return m_folder->path().isEmpty()
               ? std::filesystem::path(m_model->file()->path.toStdString()).parent_path()
               : std::filesystem::path(m_folder->path().toStdString());
}

void ScatteredDialog::showProblems(const std::vector<data::ColumnProblem> &problems)
{
    m_isChecked = true;
    m_problems = problems;
    m_model->setProblems(problems);
    m_view->setColumnHidden(ScatteredColumnModel::problem,
                            std::ranges::none_of(problems, [](const data::ColumnProblem &one) {
                                return one.column.has_value();
                            }));
    m_view->resizeColumnsToContents();
    constexpr int widest = 180, sentence = 380;
    for (int column = 0; column < m_model->columnCount(); ++column)
        m_view->setColumnWidth(column, column == ScatteredColumnModel::problem
                                           ? sentence
                                           : std::min(m_view->columnWidth(column), widest));
    m_view->resizeRowsToContents();
    showState();
}

QString ScatteredDialog::problemOfStudy() const
{
    const QFileInfo study(m_study->path());
    if (m_study->path().isEmpty())
        return "The study has no name yet: say which file is to be made";
    if (study.exists())
        return QString("There is a file %1 already: choose another name for the study")
            .arg(cleanLine(m_study->path()));
    if (!study.dir().exists())
        return QString("There is no folder %1: choose another folder for the study")
            .arg(cleanLine(study.absolutePath()));
    return {};
}

void ScatteredDialog::showState()
{
    const bool isRunning = m_worker.isRunning();
    const auto &roles = m_model->roles();
    const bool hasFiles = std::ranges::find(roles, data::ColumnRole::file) != roles.end();
    m_folder->setEnabled(hasFiles);
    m_resample->setEnabled(hasFiles);
    auto problem = m_trouble;
    if (m_table->path().isEmpty())
        problem.clear();
    else if (m_isChecked && problem.isEmpty())
        for (const auto &one : m_problems)
            if (!one.column)
                problem = cleanLine(QString::fromStdString(one.sentence));
    if (m_isChecked && problem.isEmpty() && m_problems.empty())
        problem = problemOfStudy();
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_import->setEnabled(m_isChecked && m_problems.empty() && problemOfStudy().isEmpty()
                         && !isRunning);
    if (isRunning)
        return;
    if (m_table->path().isEmpty())
        m_status->setText(wanted);
    else if (m_isChecked && !m_problems.empty() && problem.isEmpty())
        m_status->setText("Fix highlighted columns, or ignore them.");
    else if (m_isChecked && problem.isEmpty())
        m_status->setText(readingText(*m_model->file(), roles));
    else
        m_status->setText(problem.isEmpty() ? QString("Looking at the table ...") : QString());
}

void ScatteredDialog::import()
{
    data::ScatteredStep step;
    step.table = m_model->file()->path.toStdString();
    step.study = m_study->path().toStdString();
    step.columns = data::choiceOf(m_model->file()->cells, m_model->roles());
    step.ranges = m_model->ranges();
    step.scales = m_model->scales();
    step.folder = folder();
    step.resample = m_resample->isChecked();
    step.howToResample = "(tick Resample)";
    m_trouble.clear();
    m_worker.importRuns(step);
}

void ScatteredDialog::begin()
{
    for (auto *child : {static_cast<QWidget *>(m_view), static_cast<QWidget *>(m_tables),
                        static_cast<QWidget *>(m_table), static_cast<QWidget *>(m_study)})
        child->setEnabled(false);
    showState();
    m_folder->setEnabled(false);
    m_resample->setEnabled(false);
    m_progress->setValue(0);
    m_progress->show();
    m_cancel->setText("Stop");
    m_status->setText("starting");
}

void ScatteredDialog::end(const TaskEnd &end)
{
    if (end.how == TaskEnd::How::finished) {
        emit imported(end);
        accept();
        return;
    }
    for (auto *child : {static_cast<QWidget *>(m_view), static_cast<QWidget *>(m_tables),
                        static_cast<QWidget *>(m_table), static_cast<QWidget *>(m_study)})
        child->setEnabled(true);
    m_progress->hide();
    m_cancel->setText("Cancel");
    m_cancel->setEnabled(true);
    m_trouble = cleanLine(end.sentence);
    showState();
}

void ScatteredDialog::reject()
{
    if (m_worker.isRunning()) {
        m_worker.cancel();
        m_cancel->setEnabled(false);
        m_status->setText("stopping ...");
        return;
    }
    QDialog::reject();
}

} // namespace gridhelm::ui
