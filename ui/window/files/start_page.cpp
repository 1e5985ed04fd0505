// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/start_page.h"

#include "ui/controls/choice_button.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"
#include "ui/window/files/centred_page.h"
#include "ui/window/files/recent_files.h"
#include "ui/window/preferences/preferences.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPixmap>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr int columnWidth = 430, betweenColumns = 48;

QLabel *heading(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    auto font = label->font();
    font.setPointSizeF(font.pointSizeF() * 1.15);
    font.setBold(true);
    label->setFont(font);
    return label;
}

} // namespace

StartPage::StartPage(QWidget *parent)
    : QWidget(parent)
    , m_recent(new QVBoxLayout)
    , m_columns(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_progress(new QWidget(this))
    , m_progressText(new PlainLabel(m_progress))
    , m_bar(new QProgressBar(m_progress))
    , m_program(QCoreApplication::applicationDirPath() + "/gridhelm-cli")
{
    auto *title = new QLabel("Gridhelm", this);
    auto font = title->font();
    font.setPointSizeF(font.pointSizeF() * 2.6);
    font.setWeight(QFont::Light);
    title->setFont(font);
    auto *about = new QLabel("Open a study, drag a slider, and watch the simulation follow.", this);

    auto *left = new QVBoxLayout;
    left->addWidget(heading("Begin", this));
    addWay(*left, "Open a study", "A .gridhelm file, or a saved view",
           "Chooses a file of a study or of a saved view (Ctrl+O)", &StartPage::chooseWanted);
    addWay(*left, "I have results", "Runs that exist: a table, and their result files",
           "Makes a study of a table of parameters and responses or result files (Ctrl+I)",
           &StartPage::importWanted);
    addWay(*left, "I have a program", "Plan runs over the ranges of its parameters",
           "Plans simulations over the ranges of your parameters (Ctrl+N)", &StartPage::newWanted);
    left->addLayout(m_recent);
    left->addStretch(1);
    auto *dropHint = new QLabel(
        "A study file can also be dropped here, and a folder of runs with its table.", this);
    dropHint->setWordWrap(true);
    left->addWidget(dropHint);

    auto *right = new QVBoxLayout;
    right->addWidget(heading("Sample studies", this));
    addSample(*right, "cavity", "Flow in a box with a moving lid:\nRe, lid speeds, time");
    addSample(*right, "plate", "A plate with one heat source:\nposition, strength, borders");
    addSample(*right, "folds", "Fronts in layered rock, in 3D:\nspeeds and directions");
    auto *stop = new QPushButton("Stop", m_progress);
    stop->setToolTip("Stops making the sample; the next time goes on from there");
    connect(stop, &QPushButton::clicked, this, [this] {
        m_isStopped = true;
        m_maker.terminate();
    });
    auto *progress = new QVBoxLayout(m_progress);
    progress->setContentsMargins(0, 8, 0, 0);
    m_progressText->setWordWrap(true);
    progress->addWidget(m_progressText);
    auto *row = new QHBoxLayout;
    row->addWidget(m_bar, 1);
    row->addWidget(stop);
    progress->addLayout(row);
    m_progress->hide();
    right->addWidget(m_progress);
    right->addStretch(1);

    m_columns->setSpacing(betweenColumns);
    for (auto *column : {left, right}) {
        auto *box = new QWidget(this);
        box->setMaximumWidth(columnWidth);
        column->setContentsMargins(0, 0, 0, 0);
        box->setLayout(column);
        m_columns->addWidget(box);
    }
    layOut({title, about});

    m_maker.setProcessChannelMode(QProcess::MergedChannels);
    connect(&m_maker, &QProcess::readyRead, this, &StartPage::showProgress);
    connect(&m_maker, &QProcess::finished, this, &StartPage::sampleEnded);
    connect(&m_maker, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        m_progress->hide();
        if (QFileInfo::exists(m_made))
            emit openWanted(m_made);
        else
            emit failed("The program gridhelm-cli, which makes sample studies, cannot be started: "
                        + m_maker.errorString() + ". Install it beside this one");
    });
    refresh();
}

/// In the middle, below the `head`; the window may be as small as it likes.
void StartPage::layOut(const QList<QWidget *> &head)
{
    auto &page = centredColumn(*this);
    for (auto *widget : head)
        page.addWidget(widget);
    page.addSpacing(24);
    page.addLayout(m_columns);
}

/// One below the other where there is no room for both beside each other.
void StartPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    constexpr int margins = 40;
    int wanted = margins + betweenColumns;
    for (int i = 0; i < m_columns->count(); ++i)
        wanted += std::min(columnWidth, m_columns->itemAt(i)->widget()->minimumSizeHint().width());
    m_columns->setDirection(width() < wanted ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

StartPage::~StartPage()
{
    disconnect(&m_maker, nullptr, this, nullptr);
    if (m_maker.state() != QProcess::NotRunning) {
        m_maker.terminate(); // it keeps what it has, in order
        if (!m_maker.waitForFinished(2000))
            m_maker.kill();
        m_maker.waitForFinished(1000);
    }
}

void StartPage::refresh()
{
    while (m_recent->count() > 0) {
        auto *item = m_recent->takeAt(0);
        delete item->widget();
        delete item;
    }
    const auto recent = recentFiles().mid(0, 5);
    if (!recent.isEmpty())
        m_recent->addWidget(heading("Recent", this));
    for (const auto &path : recent) {
        const QFileInfo file(path);
        auto *button = new ChoiceButton(file.completeBaseName(),
                                        QDir::toNativeSeparators(file.path()), {}, this);
        button->setToolTip(plainTip("Opens " + path));
        connect(button, &QPushButton::clicked, this, [this, path] { emit openWanted(path); });
        m_recent->addWidget(button);
    }
}

void StartPage::addWay(QVBoxLayout &column, const QString &title, const QString &about,
                       const QString &tip, void (StartPage::*wanted)())
{
    auto *button = new ChoiceButton(title, about, {}, this);
    button->setAccessibleName(title);
    button->setToolTip(tip);
    connect(button, &QPushButton::clicked, this, wanted);
    column.addWidget(button);
}

void StartPage::addSample(QVBoxLayout &column, const QString &name, const QString &about)
{
    QPixmap picture(":/samples/" + name + ".png"); // as this program draws it
    picture.setDevicePixelRatio(2);
    auto *button = new ChoiceButton(name, about, picture, this);
    button->setAccessibleName("Sample study " + name);
    button->setToolTip("Opens this sample study; the first time it is computed here, which takes "
                       "some seconds or a minute");
    connect(button, &QPushButton::clicked, this, [this, name] { make(name); });
    column.addWidget(button);
}

void StartPage::make(const QString &name)
{
    const auto folder = readPreferences().sampleFolder;
    const auto path = folder + "/" + name + ".gridhelm";
    if (m_maker.state() != QProcess::NotRunning)
        return;
    if (!QDir().mkpath(folder)) {
        emit failed("The folder " + folder
                    + " for sample studies cannot be made; look who may write there");
        return;
    }
    m_made = path;
    m_said.clear();
    m_isStopped = false;
    m_progressText->setText("Looking for " + path + " ...");
    m_bar->setRange(0, 0); // until it is known how much there is
    m_progress->show();
    // Makes what is missing of it, and nothing if all is there.
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("GRIDHELM_PROGRESS", "1");
    m_maker.setProcessEnvironment(environment);
    m_maker.start(m_program, {"sample", name, "--out", path});
}

void StartPage::showProgress()
{
    m_said = (m_said + m_maker.readAll()).right(4000);
    auto text = QString::fromLocal8Bit(m_said);
    const auto lines = text.remove("\x1b[K").replace('\r', '\n').split('\n', Qt::SkipEmptyParts);
    if (lines.isEmpty())
        return;
    m_progressText->setText("Making " + m_made + ": " + lines.last().trimmed());
    static const QRegularExpression share("(\\d+) of (\\d+)"); // data::progressText()
    if (const auto found = share.match(lines.last()); found.hasMatch()) {
        m_bar->setRange(0, found.captured(2).toInt());
        m_bar->setValue(found.captured(1).toInt());
    }
}

void StartPage::sampleEnded(int exitCode, QProcess::ExitStatus status)
{
    m_progress->hide();
    if (status == QProcess::NormalExit && exitCode == 0)
        emit openWanted(m_made);
    else if (status == QProcess::NormalExit && !m_isStopped)
        emit failed("The sample study could not be made: "
                    + QString::fromLocal8Bit(m_said).trimmed().section('\n', -1).remove(
                        QStringLiteral("gridhelm-cli: ")));
}

} // namespace gridhelm::ui
