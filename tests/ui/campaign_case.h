// SPDX-License-Identifier: GPL-3.0-or-later
//
// The campaign panel as a user has it, and small studies for it.
#pragma once

#include "data/campaign/study_plan.h"
#include "tests/data/number_files.h"
#include "tests/data/study_cases.h"
#include "ui/campaign/campaign_panel.h"
#include "ui/controls/message_bar.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QTest>

#include <filesystem>
#include <string>

namespace gridhelm::test {

/// Milliseconds; instrumented builds on busy machines are slow.
constexpr int campaignPatience = 150'000;

inline const QString smallPlate =
    "[study]\ntitle = \"Small plate\"\n[[parameter]]\nname = \"x\"\n"
    "[[parameter]]\nname = \"y\"\n[[parameter]]\nname = \"strength\"\n"
    "cap = 2\n[grid]\nlevel = 4\n[simulation]\nbuiltin = \"plate\"\n"
    "resolution = 33\n";

inline QString commandPlanText(const QString &command, int level = 2)
{
    return QString("[study]\ntitle = \"Command\"\n[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 4\n"
                   "[grid]\nlevel = %1\n[simulation]\ncommand = '''%2'''\nresult = \"r\"\n")
        .arg(level)
        .arg(command);
}

inline void makeStudy(const std::filesystem::path &path, const QString &plan)
{
    std::string note;
    data::createStudy(path, data::parsePlan(plan.toStdString(), "plan", path.parent_path()), note);
}

/// The panel as a user has it.
class UsersPanel : public ui::CampaignPanel
{
public:
    UsersPanel()
        : ui::CampaignPanel(numberFiles())
    {
        resize(1280, 700);
        show();
    }

    template <typename Type>
    Type *find(const char *name) const
    {
        auto *found = findChild<Type *>(name);
        if (!found)
            qFatal("there is no %s", name);
        return found;
    }

    void press(const char *button) const
    {
        auto *found = find<QAbstractButton>(button);
        if (!found->isEnabled())
            qFatal("%s cannot be pressed", button);
        QTest::mouseClick(found, Qt::LeftButton);
    }

    bool canPress(const char *button) const { return find<QAbstractButton>(button)->isEnabled(); }

    QLineEdit *path(const char *name) const
    {
        return find<QWidget>(name)->findChild<QLineEdit *>();
    }

    static void type(QLineEdit *field, const QString &text)
    {
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
    }

    void writePlan(const QString &text) const
    {
        auto *tabs = find<QTabWidget>("planTabs");
        auto *editor = find<QPlainTextEdit>("planText");
        tabs->setCurrentWidget(editor);
        QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
        const auto lines = text.split('\n');
        for (qsizetype i = 0; i < lines.size(); ++i) {
            if (i > 0)
                QTest::keyClick(editor, Qt::Key_Return);
            QTest::keyClicks(editor, lines[i]);
        }
        tabs->setCurrentIndex(0);
    }

    /// Types into a cell of the parameters' table.
    void typeCell(int row, int column, const QString &text) const
    {
        auto *table = find<QTableView>("parameterTable");
        table->setCurrentIndex(table->model()->index(row, column));
        QTest::keyClick(table, Qt::Key_F2);
        auto *editor = table->findChild<QLineEdit *>();
        if (!editor)
            qFatal("the cell cannot be edited");
        editor->selectAll();
        QTest::keyClicks(editor, text);
        QTest::keyClick(editor, Qt::Key_Return);
        QCoreApplication::processEvents(); // what was typed is taken after the key
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    QString text(const char *label) const { return find<QLabel>(label)->text(); }
    QString errors() const { return find<QTextBrowser>("errors")->toPlainText(); }
    QStringList messages() const { return findChild<ui::MessageBar *>()->sentences(); }
    QTableView *jobs() const { return find<QTableView>("jobTable"); }

    int jobsIn(const QString &state) const
    {
        const auto *button = find<QToolButton>(("show-" + state).toUtf8().constData());
        return button->text().section(' ', 1).toInt();
    }

    /// Opens a study and waits until its jobs are there.
    void open(const std::filesystem::path &study)
    {
        setStudy(QString::fromStdString(study.string()));
        if (!QTest::qWaitFor([&] { return jobs()->model()->rowCount() > 0; }, campaignPatience))
            qFatal("the study is not shown");
    }

    bool waitForEnd() const
    {
        return QTest::qWaitFor([&] { return !isRunning(); }, campaignPatience);
    }
};

} // namespace gridhelm::test
