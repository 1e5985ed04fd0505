// SPDX-License-Identifier: GPL-3.0-or-later
//
// The form for one's own program in a plan: a view of the same text, and a test of one job.
#include "core/support/error.h"
#include "tests/data/text_files.h"
#include "tests/ui/campaign_case.h"
#include "tests/ui/widget_test.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QElapsedTimer>
#include <QListWidget>
#include <QMenu>
#include <QSettings>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

const QString doubling = "[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 4\n[grid]\nlevel = 2\n"
                         "[simulation]\ncommand = [\"sh\", \"-c\", \"echo $((2 * $0)) > r; echo "
                         "hello\", \"{a}\"]\nresult = \"r\"\n";

/// With the plan's form in front.
class UsersForm : public UsersPanel
{
public:
    explicit UsersForm(const QString &plan)
    {
        resize(1280, 700);
        if (!plan.isEmpty())
            writePlan(plan);
        auto *tabs = find<QTabWidget>("planTabs");
        tabs->setCurrentIndex(1);
    }

    QString plan() const { return find<QPlainTextEdit>("planText")->toPlainText(); }
    QPlainTextEdit *command() const { return find<QPlainTextEdit>("command"); }
    QString problem() const
    {
        return find<QLabel>("planProblem")->isVisible() ? text("planProblem") : QString();
    }

    void typeCommand(const QString &text) const
    {
        command()->selectAll();
        QTest::keyClicks(command(), text);
    }

    /// Until there is a result, or a problem.
    QString test() const
    {
        press("testJob");
        if (!QTest::qWaitFor([&] { return canPress("testJob"); }, campaignPatience))
            return "The test has not ended.";
        return text("testResult") + text("testProblem");
    }
};

} // namespace

class TestCampaignProgram : public QObject
{
    Q_OBJECT

private slots:
    void theFormAndTheTextAreOnePlan()
    {
        UsersForm form(doubling);
        QCOMPARE(form.command()->toPlainText(),
                 QString("sh -c \"echo $((2 * $0)) > r; echo hello\" {a}"));
        QCOMPARE(form.find<QLineEdit>("result")->text(), QString("r"));

        // Every letter is taken, also while the plan is a bad one; nothing that is typed is lost.
        form.typeCommand("solve --speed {b");
        QCOMPARE(form.problem(), QString());
        QTest::keyClicks(form.command(), "}");
        QVERIFY2(form.problem().contains("{b}"), qPrintable(form.problem()));
        QVERIFY(!form.canPress("createStudy"));
        QCOMPARE(form.command()->toPlainText(), QString("solve --speed {b}"));
        form.typeCommand("solve  '{a}' \"x y");
        QCOMPARE(form.problem(), QString());
        QVERIFY(form.plan().contains("command = [\"solve\", \"{a}\", \"x y\"]"));
        QCOMPARE(form.command()->toPlainText(), QString("solve  '{a}' \"x y"));

        UsersPanel::type(form.find<QLineEdit>("environment"), "OMP_NUM_THREADS=1 B=\"2 3\"");
        UsersPanel::type(form.find<QLineEdit>("fields"), "u, p");
        UsersPanel::type(form.find<QLineEdit>("timeLimit"), "90");
        auto *mesh = form.find<QComboBox>("mesh");
        mesh->setCurrentIndex(mesh->findData("background"));
        QVERIFY(form.problem().contains("points"));
        UsersPanel::type(form.find<QLineEdit>("meshPoints"), "65, 33");
        form.find<QCheckBox>("shell")->click();
        QCOMPARE(form.problem(), QString());
        const auto plan = data::parsePlan(form.plan().toStdString(), "plan", "/");
        const auto &command = std::get<data::CommandPlan>(plan.simulation);
        QVERIFY(command.shell);
        QCOMPARE(command.timeLimit, 90.0);
        QCOMPARE(plan.fields, (std::vector<std::string>{"u", "p"}));
        QCOMPARE(command.environment.size(), std::size_t{2});
        QVERIFY(plan.mesh.kind == data::MeshKind::background);

        // And the other way round.
        form.writePlan(doubling);
        QCOMPARE(form.find<QLineEdit>("timeLimit")->text(), QString());
        QVERIFY(!form.find<QCheckBox>("shell")->isChecked());
        QCOMPARE(mesh->currentIndex(), 0);
        QVERIFY(form.command()->toPlainText().startsWith("sh -c"));
    }

    void placeholdersAreInserted()
    {
        UsersForm form(doubling);
        form.typeCommand("solve ");
        auto *menu = form.find<QToolButton>("insertIntoCommand")->menu();
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().first()->text(), QString("{a}   value in this run"));
        menu->actions().first()->trigger();
        QVERIFY(form.plan().contains("command = [\"solve\", \"{a}\"]"));
    }

    void aBuiltInPlanBecomesOneForAProgram()
    {
        UsersForm form(smallPlate);
        QVERIFY(!form.command()->isVisible());
        form.press("useProgram");
        QVERIFY(form.command()->isVisible());
        QVERIFY(form.problem().contains("command"));
        form.typeCommand("solve {x} {y} {strength}");
        UsersPanel::type(form.find<QLineEdit>("result"), "out.vtu");
        QCOMPARE(form.problem(), QString());
        const auto plan = data::parsePlan(form.plan().toStdString(), "plan", "/");
        QCOMPARE(plan.description.space.parameters().size(), std::size_t{3});
        QVERIFY(form.canPress("createStudy"));
    }

    void aTestRunsTheCommandOnceWithoutAStudy()
    {
        const Folder folder;
        UsersForm form(doubling);
        const auto said = form.test();
        QVERIFY2(said.contains("exit code 0") && said.contains("a = 2")
                     && said.contains("value: 1 values at points, 4 .. 4"),
                 qPrintable(said));
        QVERIFY(form.find<QPlainTextEdit>("testLog")->toPlainText().contains("hello"));
        QVERIFY(!form.isRunning());
    }

    void whatGoesWrongIsSaid_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("problem");
        QTest::newRow("exit code") << "sh -c 'echo oh >&2; exit 3'"
                                   << "exit code 3";
        QTest::newRow("no such program") << "/no/such/program {a}"
                                         << "/no/such/program";
        QTest::newRow("no result") << "true"
                                   << "r";
        QTest::newRow("no number") << "sh -c 'echo x > r'"
                                   << "there is no number";
    }
    void whatGoesWrongIsSaid()
    {
        QFETCH(QString, command);
        QFETCH(QString, problem);
        UsersForm form(doubling);
        form.typeCommand(command);
        const auto said = form.test();
        QVERIFY2(said.startsWith("It does not work yet, at a = 2: ") && said.contains(problem),
                 qPrintable(said));
        QVERIFY(form.text("testResult").isEmpty());
    }

    void aTestCanBeStoppedAndNeverHolds()
    {
        UsersForm form(doubling);
        form.typeCommand("sleep 600");
        form.press("testJob");
        QTest::qWait(300); // it runs, and so does the window
        QVERIFY(!form.canPress("testJob"));
        form.press("stopTest");
        QTRY_VERIFY_WITH_TIMEOUT(form.canPress("testJob"), campaignPatience);
        QVERIFY2(form.text("testProblem").startsWith("Stopped"),
                 qPrintable(form.text("testProblem")));

        auto other = std::make_unique<UsersForm>(doubling);
        other->typeCommand("sleep 600");
        other->press("testJob");
        QTest::qWait(300);
        QElapsedTimer taken;
        taken.start();
        other.reset();
        QVERIFY2(taken.elapsed() < 3000, qPrintable(QString("%1 ms").arg(taken.elapsed())));
    }

    void aPlanFromAFileIsAskedFor()
    {
        const Folder folder;
        const auto ran = folder / "ran";
        const auto file = folder / "sent.toml";
        writeText(file,
                  commandPlanText("touch " + QString::fromStdString(ran.string()) + "; echo {a} > r")
                      .toStdString());
        QSettings settings(QString::fromStdString((folder / "state.ini").string()),
                           QSettings::IniFormat);
        {
            UsersForm before({});
            before.openPlan(QString::fromStdString(file.string()));
            before.saveState(settings); // a restart does not make it the user's own
        }
        UsersForm form({});
        form.restoreState(settings);
        form.find<QTabWidget>("planTabs")->setCurrentIndex(1);
        const auto ask = [&] {
            form.press("testJob");
            QDialog *question = nullptr;
            const auto isAsked = [&] {
                question = form.findChild<QDialog *>("trustQuestion");
                return question && question->isVisible();
            };
            return QTest::qWaitFor(isAsked, campaignPatience) ? question : nullptr;
        };
        auto *question = ask();
        QVERIFY(question);
        QVERIFY(question->findChild<QPlainTextEdit *>()->toPlainText().contains("touch"));
        QTest::keyClick(question, Qt::Key_Return); // the default means no
        QVERIFY(!std::filesystem::exists(ran));
        QVERIFY2(form.text("testProblem").contains("nobody has agreed"),
                 qPrintable(form.text("testProblem")));
        QTRY_VERIFY(!form.findChild<QDialog *>("trustQuestion"));

        question = ask();
        QVERIFY(question);
        QTest::mouseClick(question->findChild<QAbstractButton *>("trustAndRun"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(form.text("testResult").contains("exit code 0"), campaignPatience);
        QVERIFY(std::filesystem::exists(ran));
    }
};

GRIDHELM_WIDGET_TEST(TestCampaignProgram)
#include "tst_campaign_program.moc"
