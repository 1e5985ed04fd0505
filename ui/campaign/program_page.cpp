// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/program_page.h"

#include "ui/campaign/command_words.h"
#include "ui/campaign/placeholder_menu.h"
#include "ui/campaign/plan_draft.h"
#include "ui/campaign/trial_box.h"
#include "ui/controls/number_text.h"
#include "ui/controls/plain_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleValidator>
#include <QFileDialog>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace gridhelm::ui {
namespace {

constexpr int leastWidth = 150; ///< of either half; what is wider can be scrolled

/// Kinds of meshes by their names in the plan.
struct MeshChoice
{
    const char *kind;
    const char *text;
};
constexpr MeshChoice meshChoices[] = {{"", "the same in all runs"},
                                      {"resampled", "differ: bring onto the first one's"},
                                      {"moving", "same cells, whose nodes move"},
                                      {"background", "shape changes: bring onto a grid of"}};

std::vector<std::string> commaParts(const QString &text)
{
    std::vector<std::string> parts;
    for (const auto &part : text.split(','))
        if (!part.trimmed().isEmpty())
            parts.push_back(part.trimmed().toStdString());
    return parts;
}

QString commaLine(const std::vector<std::string> &parts)
{
    QStringList texts;
    for (const auto &part : parts)
        texts << QString::fromStdString(part);
    return texts.join(", ");
}

std::vector<int> countsOf(const QString &text)
{
    std::vector<int> counts;
    for (const auto &part : commaParts(text)) {
        bool isNumber = false;
        const int count = QString::fromStdString(part).toInt(&isNumber);
        if (isNumber)
            counts.push_back(count);
    }
    return counts;
}

QString countsLine(const std::vector<int> &counts)
{
    QStringList texts;
    for (const int count : counts)
        texts << QString::number(count);
    return texts.join(", ");
}

/// OMP_NUM_THREADS=1 NAME="two words".
std::map<std::string, std::string> variablesOf(const QString &line)
{
    std::map<std::string, std::string> variables;
    for (const auto &word : wordsOf(line.toStdString())) {
        const auto equals = word.find('=');
        if (equals != std::string::npos && equals > 0)
            variables[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return variables;
}

QString variablesLine(const std::map<std::string, std::string> &variables)
{
    std::vector<std::string> words;
    for (const auto &[name, value] : variables)
        words.push_back(name + "=" + value);
    return QString::fromStdString(lineOf(words));
}

QLineEdit *lineEdit(const char *name, const QString &what, const QString &tip,
                    const QString &example, QWidget *parent)
{
    auto *edit = new QLineEdit(parent);
    edit->setObjectName(name);
    edit->setAccessibleName(what);
    edit->setToolTip(tip);
    edit->setPlaceholderText(example);
    edit->setMinimumWidth(90);
    return edit;
}

/// Beside each other, the first one as wide as it can be.
QLayout *inOneRow(std::initializer_list<QWidget *> widgets)
{
    auto *row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    for (auto *widget : widgets)
        row->addWidget(widget, row->isEmpty() ? 1 : 0, Qt::AlignTop);
    return row;
}

/// In small docks, which must not grow when there is more to say.
QScrollArea *scrollable(QWidget *page)
{
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(page);
    scroll->setMinimumWidth(leastWidth);
    page->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    return scroll;
}

} // namespace

ProgramPage::ProgramPage(PlanDraft &draft, data::MeshFiles files, QWidget *parent)
    : QWidget(parent)
    , m_draft(draft)
    , m_pages(new QStackedWidget(this))
{
    m_offer = makeOffer();
    auto *splitter = new QSplitter(Qt::Horizontal, m_pages);
    splitter->addWidget(scrollable(makeForm()));
    splitter->addWidget(scrollable(new TrialBox(draft, std::move(files))));
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({400, 220});
    m_form = splitter;
    m_pages->addWidget(m_offer);
    m_pages->addWidget(m_form);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addWidget(m_pages);
    connect(&m_draft, &PlanDraft::changed, this, &ProgramPage::follow);
    follow();
}

/// Where the plan has no command.
QWidget *ProgramPage::makeOffer()
{
    auto *all = new QWidget(m_pages);
    m_offerText = new PlainLabel(all);
    m_offerText->setWordWrap(true);
    m_use = new QPushButton("Use a program of your own", all);
    m_use->setObjectName("useProgram");
    m_use->setToolTip("Any program that takes numbers and writes files which VTK reads. The "
                      "parameters stay");
    connect(m_use, &QPushButton::clicked, this, [this] {
        if (const auto problem = m_draft.useCommand(); !problem.isEmpty())
            emit refused(problem);
        else
            m_command->setFocus();
    });
    auto *layout = new QVBoxLayout(all);
    layout->addWidget(m_offerText);
    layout->addWidget(m_use, 0, Qt::AlignLeft);
    layout->addStretch(1);
    return all;
}

QWidget *ProgramPage::makeForm()
{
    auto *all = new QWidget(m_pages);
    auto *form = new QFormLayout(all);
    form->setContentsMargins(2, 2, 8, 2);
    form->setLabelAlignment(Qt::AlignRight);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addCommandRows(*form, all);
    addFileRows(*form, all);
    addFurtherRows(*form, all);
    connect(m_command, &QPlainTextEdit::textChanged, this, &ProgramPage::write);
    connect(m_shell, &QCheckBox::toggled, this, &ProgramPage::write);
    connect(m_mesh, &QComboBox::currentIndexChanged, this, &ProgramPage::write);
    for (auto *edit : {m_result, m_fields, m_timeLimit, m_environment, m_meshPoints})
        connect(edit, &QLineEdit::textChanged, this, &ProgramPage::write);
    return all;
}

void ProgramPage::addCommandRows(QFormLayout &form, QWidget *all)
{
    m_command = new QPlainTextEdit(all);
    m_command->setObjectName("command");
    m_command->setAccessibleName("Command");
    m_command->setTabChangesFocus(true);
    m_command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_command->setFixedHeight(3 * m_command->fontMetrics().lineSpacing() + 12);
    m_command->setPlaceholderText("python3 solve.py {speed} {times}");
    m_command->setToolTip("The program and its arguments, as you would type them. It works in a "
                          "folder of its own for each job; {name} becomes the value of a "
                          "parameter, {times} all wanted times");
    auto *insert = new PlaceholderMenu(
        "Insert a placeholder into the command", [this] { return placeholders(false); }, all);
    insert->setObjectName("insertIntoCommand");
    connect(insert, &PlaceholderMenu::chosen, this, [this](const QString &placeholder) {
        m_command->insertPlainText(placeholder);
        m_command->setFocus();
    });
    m_shell = new QCheckBox("for the shell (&&, |, > and variables work)", all);
    m_shell->setObjectName("shell");
    m_shell->setText(plainName(m_shell->text()));
    m_shell->setToolTip("The whole text goes to /bin/sh; otherwise its words are the program and "
                        "its arguments");
    form.addRow("Command", inOneRow({m_command, insert}));
    form.addRow({}, m_shell);
}

void ProgramPage::addFileRows(QFormLayout &form, QWidget *all)
{
    m_templates = new QListWidget(all);
    m_templates->setObjectName("templates");
    m_templates->setAccessibleName("Files to copy");
    m_templates->setToolTip("Copied to the folder of each job; {name} in them becomes the value of "
                            "a parameter there, too");
    m_templates->setFixedHeight(3 * m_templates->fontMetrics().lineSpacing() + 14);
    m_templates->setTabKeyNavigation(false);
    const auto button = [&](const char *text, const char *name, const char *tip, auto act) {
        auto *made = new QPushButton(text, all);
        made->setAccessibleName(name);
        made->setToolTip(tip);
        connect(made, &QPushButton::clicked, this, act);
        return made;
    };
    auto *files = button("Files…", "Add files to copy", "Input files, scripts", [this] {
        addTemplates(QFileDialog::getOpenFileNames(this, "Files to copy to each job's folder",
                                                   m_draft.folder()));
    });
    auto *folder =
        button("Folder…", "Add a folder to copy", "A folder with all that is in it", [this] {
            addTemplates({QFileDialog::getExistingDirectory(
                this, "Folder to copy to each job's folder", m_draft.folder())});
        });
    auto *remove = button("Remove", "Remove the selected file", "The selected file", [this] {
        delete m_templates->takeItem(m_templates->currentRow());
        write();
    });
    auto *column = new QWidget(all);
    auto *buttons = new QVBoxLayout(column);
    buttons->setContentsMargins(0, 0, 0, 0);
    buttons->setSpacing(2);
    for (auto *one : {files, folder, remove})
        buttons->addWidget(one);
    form.addRow("Files to copy", inOneRow({m_templates, column}));

    m_result = lineEdit("result", "Result",
                        "The file that the command writes, in its folder: one for each time, with "
                        "the time's name in braces, or a series (.pvd, .series); * and ? are "
                        "allowed",
                        "out.vtu", all);
    auto *insert = new PlaceholderMenu(
        "Insert a placeholder into the result's name", [this] { return placeholders(true); }, all);
    connect(insert, &PlaceholderMenu::chosen, this, [this](const QString &placeholder) {
        m_result->insert(placeholder);
        m_result->setFocus();
    });
    form.addRow("Result", inOneRow({m_result, insert}));
}

void ProgramPage::addFurtherRows(QFormLayout &form, QWidget *all)
{
    m_fields = lineEdit("fields", "Fields", "Those to keep, with commas between; empty: all",
                        "all, or: velocity, p", all);
    m_timeLimit = lineEdit("timeLimit", "Time limit",
                           "Seconds after which a run has failed; empty: none", "none", all);
    m_timeLimit->setValidator(new QDoubleValidator(0, 1e9, 6, m_timeLimit));
    m_environment = lineEdit("environment", "Environment",
                             "Variables for the command, as NAME=value with blanks between",
                             "OMP_NUM_THREADS=1", all);
    m_mesh = new QComboBox(all);
    m_mesh->setObjectName("mesh");
    m_mesh->setAccessibleName("Meshes of the runs");
    m_mesh->setToolTip("How the meshes of the runs belong together");
    m_mesh->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_mesh->setMinimumContentsLength(12);
    for (const auto &[kind, text] : meshChoices)
        m_mesh->addItem(text, kind);
    m_meshPoints = lineEdit("meshPoints", "Points of the grid",
                            "Points of the regular grid in each direction, with commas between",
                            "65, 65", all);
    form.addRow("Fields", m_fields);
    form.addRow("Time limit (s)", m_timeLimit);
    form.addRow("Environment", m_environment);
    form.addRow("Meshes", inOneRow({m_mesh, m_meshPoints}));
}

void ProgramPage::addTemplates(const QStringList &paths)
{
    const QDir folder(m_draft.folder());
    for (const auto &path : paths) {
        if (path.isEmpty())
            continue; // nothing was chosen
        const auto relative = folder.relativeFilePath(path);
        const auto name = relative.startsWith("..") ? path : relative;
        if (m_templates->findItems(name, Qt::MatchExactly).isEmpty())
            m_templates->addItem(name);
    }
    write();
}

std::vector<Placeholder> ProgramPage::placeholders(bool isOfResult) const
{
    std::vector<Placeholder> all;
    if (!m_draft.plan())
        return all;
    QString time;
    for (const auto &parameter : m_draft.plan()->description.space.parameters()) {
        const auto name = QString::fromStdString(parameter.name);
        if (parameter.kind == ParameterKind::timeLike)
            time = name;
        else if (parameter.kind == ParameterKind::ordinary)
            all.push_back({name, "value in this run"});
    }
    if (!time.isEmpty() && isOfResult)
        all.push_back({time, "the time that is looked for"});
    if (!time.isEmpty() && !isOfResult)
        all.push_back({"times", "all wanted values of " + time});
    if (!time.isEmpty())
        all.push_back({"last", "the last of them"});
    all.push_back({"job", "name of the job"});
    all.push_back({"dir", "folder of the job"});
    return all;
}

void ProgramPage::follow()
{
    if (const auto keys = data::commandKeysOf(m_draft.text().toStdString())) {
        show(*keys);
        m_pages->setCurrentWidget(m_form);
        return;
    }
    const bool isBuiltIn =
        m_draft.plan() && std::holds_alternative<data::BuiltInPlan>(m_draft.plan()->simulation);
    m_offerText->setText(
        !m_draft.isGood() ? QString("The plan's text has to be corrected first.")
        : isBuiltIn       ? QString("This plan's simulation is the built-in %1.")
                          .arg(QString::fromStdString(
                              std::get<data::BuiltInPlan>(m_draft.plan()->simulation).name))
                    : QString("This plan has no simulation: its results are imported."));
    m_use->setEnabled(m_draft.isGood());
    m_pages->setCurrentWidget(m_offer);
}

/// Fields that mean this already stay as they were typed.
void ProgramPage::show(const data::CommandKeys &keys)
{
    const auto before = shown();
    m_isShowing = true;
    if (keys.shell != before.shell || keys.command != before.command) {
        m_shell->setChecked(keys.shell);
        m_command->setPlainText(
            QString::fromStdString(keys.shell ? keys.command.front() : lineOf(keys.command)));
    }
    if (keys.templates != before.templates) {
        m_templates->clear();
        for (const auto &name : keys.templates)
            m_templates->addItem(QString::fromStdString(name));
    }
    if (keys.result != before.result)
        m_result->setText(QString::fromStdString(keys.result));
    if (keys.fields != before.fields)
        m_fields->setText(commaLine(keys.fields));
    if (keys.environment != before.environment)
        m_environment->setText(variablesLine(keys.environment));
    if (keys.timeLimit != before.timeLimit)
        m_timeLimit->setText(keys.timeLimit ? numberText(*keys.timeLimit) : QString());
    if (keys.mesh != before.mesh) {
        const auto kind = QString::fromStdString(keys.mesh);
        if (m_mesh->findData(kind) < 0)
            m_mesh->addItem(kind, kind); // what only the text can say, right or wrong
        m_mesh->setCurrentIndex(m_mesh->findData(kind));
    }
    if (keys.meshPoints != before.meshPoints)
        m_meshPoints->setText(countsLine(keys.meshPoints));
    m_meshPoints->setVisible(keys.mesh == "background");
    m_isShowing = false;
}

data::CommandKeys ProgramPage::shown() const
{
    data::CommandKeys keys;
    const auto command = m_command->toPlainText().toStdString();
    keys.shell = m_shell->isChecked();
    keys.command = keys.shell ? std::vector{command} : wordsOf(command);
    for (int row = 0; row < m_templates->count(); ++row)
        keys.templates.push_back(m_templates->item(row)->text().toStdString());
    keys.result = m_result->text().trimmed().toStdString();
    keys.fields = commaParts(m_fields->text());
    keys.environment = variablesOf(m_environment->text());
    bool isNumber = false;
    const double seconds = m_timeLimit->text().trimmed().replace(',', '.').toDouble(&isNumber);
    if (isNumber)
        keys.timeLimit = seconds;
    keys.mesh = m_mesh->currentData().toString().toStdString();
    if (keys.mesh == "background")
        keys.meshPoints = countsOf(m_meshPoints->text());
    return keys;
}

void ProgramPage::write()
{
    if (m_isShowing)
        return;
    if (const auto problem = m_draft.setCommand(shown()); !problem.isEmpty())
        emit refused(problem);
}

} // namespace gridhelm::ui
