// SPDX-License-Identifier: GPL-3.0-or-later
//
// The campaign panel, worked by keys and clicks: plans, grids, imports, what is said of them, and
// what is kept.
#include "core/support/bytes_text.h"
#include "data/campaign/campaign_text.h"
#include "data/campaign/plan_cost.h"
#include "data/campaign/study_plan.h"
#include "tests/data/text_files.h"
#include "tests/ui/campaign_case.h"
#include "tests/ui/widget_test.h"
#include "ui/campaign/error_curve_plot.h"
#include "ui/campaign/grid_picture.h"
#include "ui/campaign/parameter_model.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>
#include <QTest>

#include <optional>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class TestCampaignPanel : public QObject
{
    Q_OBJECT

private slots:
    void countsFollowLevelAndCaps()
    {
        UsersPanel panel;
        panel.writePlan(smallPlate);
        const auto compare = [&](int level, std::optional<int> cap) {
            auto text = smallPlate;
            text.replace("level = 4", QString("level = %1").arg(level));
            text.replace("cap = 2\n", cap ? QString("cap = %1\n").arg(*cap) : QString());
            const auto plan = parsePlan(text.toStdString(), "plan", "/");
            const auto cost = costOf(plan, plan.description.space, level);
            const auto more = costOf(plan, plan.description.space, level + 1);
            QCOMPARE(panel.text("planPoints"), QString::number(cost.points));
            QCOMPARE(panel.text("planJobs"), QString::number(cost.jobs));
            QCOMPARE(panel.text("planBytes"), QString::fromStdString(bytesText(cost.bytes)));
            QVERIFY(panel.text("planMore").contains(QString::fromStdString(costText(more))));
            QVERIFY(panel.find<QPlainTextEdit>("planText")->toPlainText() == text);
        };
        compare(4, 2);
        QTest::keyClick(panel.find<QSpinBox>("planLevel"), Qt::Key_Up);
        compare(5, 2);
        panel.typeCell(2, ParameterModel::cap, "3");
        compare(5, 3);
        panel.typeCell(2, ParameterModel::cap, " ");
        compare(5, std::nullopt);
        QTest::keyClick(panel.find<QSpinBox>("planLevel"), Qt::Key_Down);
        compare(4, std::nullopt);
        const auto *dots = panel.find<GridPicture>("planPicture")->dots();
        QCOMPARE(dots->projection().places.size(), std::size_t{49}); // x, y at level 4
    }

    void badValuesAreRefusedWithASentence()
    {
        UsersPanel panel;
        panel.writePlan(smallPlate);
        QSignalSpy failed(&panel, &CampaignPanel::failed);
        panel.typeCell(0, 2, "wide");
        panel.typeCell(0, 2, "7");
        panel.typeCell(2, ParameterModel::cap, "31");
        QCOMPARE(failed.size(), 3);
        QCOMPARE(panel.messages().size(), 3);
        QVERIFY(panel.messages()[0].contains("cannot be \"wide\": type a number"));
        QVERIFY2(panel.messages()[1].contains("lower one first"), qPrintable(panel.messages()[1]));
        QVERIFY(panel.messages()[2].contains("whole number from 1 to 30"));
        QCOMPARE(panel.find<QPlainTextEdit>("planText")->toPlainText(), smallPlate);

        panel.writePlan(QString(smallPlate).replace("resolution = 33", "resolution = 1"));
        QVERIFY(panel.text("planProblem").contains("line 13: "));
        QVERIFY(!panel.canPress("createStudy"));
        panel.writePlan(smallPlate);
        QVERIFY(panel.canPress("createStudy"));
        UsersPanel::type(panel.path("planStudy"), "/nowhere/at/all/x.gridhelm");
        panel.press("createStudy");
        QVERIFY(panel.waitForEnd());
        QVERIFY2(failed.last()[0].toString().contains("/nowhere/at/all"),
                 qPrintable(failed.last()[0].toString()));
    }

    void growingAddsPoints()
    {
        const test::Folder folder;
        const auto path = folder / "plate.gridhelm";
        makeStudy(path, QString(smallPlate).replace("level = 4", "level = 2"));
        UsersPanel panel;
        panel.open(path);
        QCOMPARE(panel.jobs()->model()->rowCount(), 7);
        auto *level = panel.find<QSpinBox>("growLevel");
        QTest::keyClick(level, Qt::Key_Up);
        QCOMPARE(level->value(), 4);
        QVERIFY2(panel.text("growth").contains("76 points, 76 jobs"),
                 qPrintable(panel.text("growth")));
        const auto answer = [&](const char *button) {
            panel.press("grow");
            auto *question = panel.find<QDialog>("growQuestion");
            QTest::mouseClick(question->findChild<QAbstractButton *>(button), Qt::LeftButton);
        };
        answer("doNotGrow");
        QVERIFY(!panel.isRunning());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        answer("growAnyway");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobs()->model()->rowCount(), 83, campaignPatience);
        QCOMPARE(Study::open(path).description().level, 4);
        QTRY_COMPARE_WITH_TIMEOUT(level->value(), 5, campaignPatience);
    }

    void theSurrogateIsChosen()
    {
        const test::Folder folder;
        const auto path = folder / "plate.gridhelm";
        makeStudy(path, smallPlate);
        UsersPanel panel;
        panel.open(path);
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        panel.find<QSpinBox>("holdOuts")->setValue(0);
        QVERIFY(!panel.find<QComboBox>("degree")->isEnabled()); // modified has no other
        const auto compressBy = [&](const QString &surrogate) {
            panel.find<QComboBox>("surrogate")->setCurrentText(surrogate);
            QTRY_VERIFY_WITH_TIMEOUT(panel.canPress("compress"), campaignPatience);
            panel.press("compress");
            QVERIFY(panel.waitForEnd());
        };
        compressBy("Kriging");
        QVERIFY(Study::open(path).kriging(0));
        compressBy("Surrogate as it is");
        QVERIFY(Study::open(path).kriging(0));
        compressBy("Sparse grid, POD modes");
        QVERIFY(!Study::open(path).kriging(0));
        QVERIFY(Study::open(path).modeSet(0));
        compressBy("Sparse grid");
        QVERIFY(!Study::open(path).modeSet(0));
        // What stood there before was chosen, too: by hand.
        QTRY_VERIFY_WITH_TIMEOUT(!panel.text("surrogates").contains("chosen"), campaignPatience);
        compressBy("Choose by error");
        QVERIFY(!Study::open(path).comparisons().empty());
        QTRY_VERIFY_WITH_TIMEOUT(panel.text("surrogates").contains("chosen: "), campaignPatience);
    }

    void fieldsAreStoredInFewBits()
    {
        const test::Folder folder;
        const auto path = folder / "plate.gridhelm";
        makeStudy(path, smallPlate);
        UsersPanel panel;
        panel.open(path);
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        panel.find<QSpinBox>("holdOuts")->setValue(0);
        auto *slider = panel.find<QSlider>("addedError");
        const auto compressAt = [&](const QString &text) {
            for (int stop = 0; stop <= slider->maximum(); ++stop) {
                slider->setValue(stop);
                if (panel.text("addedErrorText").contains(text))
                    break;
            }
            QVERIFY(panel.text("addedErrorText").contains(text));
            QTRY_VERIFY_WITH_TIMEOUT(panel.canPress("compress"), campaignPatience);
            panel.press("compress");
            QVERIFY(panel.waitForEnd());
        };
        // Modes or coefficients, whichever a picture reads less of; 0: neither.
        const auto allowed = [&] {
            const auto study = Study::open(path);
            if (const auto rows = study.quantisedCoefficients(0))
                return rows->bits.allowed;
            const auto modes = study.modeSet(0);
            return modes && modes->quantised ? modes->quantised->allowed : 0;
        };
        QCOMPARE(allowed(), 0.0);
        compressAt("up to 1 %");
        QCOMPARE(allowed(), 0.01);
        QTRY_VERIFY_WITH_TIMEOUT(panel.text("surrogates").contains("for a picture"), campaignPatience);
        compressAt("as it is");
        QCOMPARE(allowed(), 0.01);
        compressAt("Exact");
        QCOMPARE(allowed(), 0.0);
    }

    void unusedSpaceGoesBackToTheDisk()
    {
        const test::Folder folder;
        const auto path = folder / "plate.gridhelm";
        makeStudy(path, smallPlate);
        UsersPanel panel;
        QVERIFY(!panel.canPress("compact"));
        panel.open(path);
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        panel.find<QSpinBox>("holdOuts")->setValue(0);
        QTRY_VERIFY_WITH_TIMEOUT(panel.canPress("compress"), campaignPatience);
        panel.press("compress");
        QVERIFY(panel.waitForEnd());
        auto writer = StudyWriter::open(path);
        QVERIFY(writer.dropSnapshots() > 0);
        writer.close();
        const auto before = std::filesystem::file_size(path);
        QSignalSpy said(&panel, &CampaignPanel::news);
        QTRY_VERIFY_WITH_TIMEOUT(panel.canPress("compact"), campaignPatience);
        panel.press("compact");
        QVERIFY(panel.waitForEnd());
        const auto after = std::filesystem::file_size(path);
        QVERIFY(after < before);
        const auto sizes =
            QString::fromStdString(bytesText(static_cast<double>(after)) + " instead of "
                                   + bytesText(static_cast<double>(before)));
        QCOMPARE(said.last().first().toString(), "Compacted: " + sizes);
        QCOMPARE(panel.messages(), QStringList());

        writer = StudyWriter::open(path); // as another program does
        panel.press("compact");
        QVERIFY(panel.waitForEnd());
        QVERIFY(panel.messages().join(' ').contains("is being written"));
    }

    void aGrowthIsUndoneUntilItHasResults()
    {
        const test::Folder folder;
        const auto path = folder / "plate.gridhelm";
        makeStudy(path, QString(smallPlate).replace("level = 4", "level = 2"));
        UsersPanel panel;
        panel.open(path);
        auto *undo = panel.find<QPushButton>("undoGrowth");
        QVERIFY(!undo->isVisibleTo(undo->parentWidget()));
        const auto grow = [&] {
            auto writer = StudyWriter::open(path);
            writer.growGrid(3, std::vector{3, 3, 3});
            writer.close();
        };
        grow();
        QTRY_VERIFY_WITH_TIMEOUT(panel.canPress("undoGrowth"), campaignPatience);
        const int grown = panel.jobs()->model()->rowCount();
        QVERIFY(grown > 7);
        QVERIFY2(undo->text().contains("level 2"), qPrintable(undo->text()));
        panel.press("undoGrowth");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobs()->model()->rowCount(), 7, campaignPatience);
        QVERIFY(!undo->isVisibleTo(undo->parentWidget()));
        QCOMPARE(panel.find<QSpinBox>("growLevel")->value(), 3);

        grow();
        QTRY_VERIFY_WITH_TIMEOUT(panel.canPress("undoGrowth"), campaignPatience);
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        QTRY_VERIFY_WITH_TIMEOUT(
            undo->toolTip().startsWith("What was added last cannot be taken away"),
            campaignPatience);
        QVERIFY(!panel.canPress("undoGrowth"));
        QCOMPARE(panel.jobs()->model()->rowCount(), grown);
    }

    void runsAreAddedWhereTheErrorIs()
    {
        const test::Folder folder;
        const auto path = folder / "plate.gridhelm";
        makeStudy(path, QString(smallPlate).replace("level = 4", "level = 2"));
        UsersPanel panel;
        panel.open(path);
        auto *curve = panel.find<ErrorCurvePlot>("errorCurve");
        QCOMPARE(curve->graphCount(), 0);
        QTRY_VERIFY_WITH_TIMEOUT(panel.canPress("refine"), campaignPatience);
        auto *runs = panel.find<QSpinBox>("refineRuns");
        runs->setValue(30);
        panel.press("refine");
        QVERIFY(panel.waitForEnd());
        const auto study = Study::open(path);
        QVERIFY(study.jobs().size() > 7 && study.jobs().size() <= 30);
        QVERIFY(!study.refinements().empty());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobs()->model()->rowCount(),
                                  static_cast<int>(study.jobs().size()), campaignPatience);
        // The estimate, and one point of runs left out, of each field.
        QTRY_COMPARE_WITH_TIMEOUT(curve->graphCount(), 2 * static_cast<int>(study.fields().size()),
                                  campaignPatience);
        QVERIFY(curve->graph(0)->dataCount() > 1);
        // Where the sliders are, if there are any.
        QVERIFY(!panel.canPress("refineHere"));
        panel.setPlace({0.3, 0.6, 120});
        QTRY_VERIFY_WITH_TIMEOUT(panel.canPress("refineHere"), campaignPatience);
        panel.find<QCheckBox>("refineHere")->setChecked(true);
        runs->setValue(3);
        panel.press("refine");
        QVERIFY(panel.waitForEnd());
        QTRY_VERIFY_WITH_TIMEOUT(panel.canPress("refine"), campaignPatience);
        panel.find<QCheckBox>("refineHere")->setChecked(false);
        runs->setValue(30);
        // An error that is reached at once, and confirmed.
        QTRY_VERIFY_WITH_TIMEOUT(panel.canPress("refine"), campaignPatience);
        panel.find<QDoubleSpinBox>("refineUntil")->setValue(50);
        panel.press("refine");
        QVERIFY(panel.waitForEnd());
        QVERIFY(!Study::open(path).holdOuts().empty());

        const auto files = folder / "files.gridhelm";
        makeStudy(files, "[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 4\n[grid]\nlevel = 2\n");
        panel.open(files);
        QTRY_VERIFY_WITH_TIMEOUT(!panel.canPress("refine"), campaignPatience);
    }

    void importsSayWhatIsMissing()
    {
        const test::Folder folder;
        const auto path = folder / "files.gridhelm";
        makeStudy(path, "[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 4\n[grid]\nlevel = 2\n");
        writeText(folder / "2.txt", "2.5");
        writeText(folder / "off.txt", "7");
        writeText(folder / "table.csv", "a,file\n2,2.txt\n1.5,off.txt\n");
        writeText(folder / "bad.csv", "a,file\n2,2.txt\n1.5,gone.txt\n");
        UsersPanel panel;
        QSignalSpy failed(&panel, &CampaignPanel::failed);
        panel.open(path);
        QVERIFY(!panel.canPress("run"));
        panel.find<QTabWidget>("details")->setCurrentIndex(3);
        panel.press("importFiles");
        QCOMPARE(failed.size(), 1); // no table yet
        auto *table = panel.path("importTable");
        UsersPanel::type(table, QString::fromStdString((folder / "bad.csv").string()));
        QTest::keyClick(table, Qt::Key_Return);
        QVERIFY(panel.waitForEnd());
        QCOMPARE(failed.size(), 2);
        QVERIFY2(failed[1][0].toString().contains("line 3: there is no file"),
                 qPrintable(failed[1][0].toString()));
        UsersPanel::type(table, QString::fromStdString((folder / "table.csv").string()));
        QTest::keyClick(table, Qt::Key_Return);
        QVERIFY(panel.waitForEnd());
        QCOMPARE(panel.find<QPlainTextEdit>("importMissing")->toPlainText(), QString("a\n1\n3\n"));
        QVERIFY2(panel.text("importResult").contains("Still missing: 2 grid points"),
                 qPrintable(panel.text("importResult")));
        const auto study = Study::open(path);
        QCOMPARE(study.missingPoints(0), std::uint64_t{2});
        QCOMPARE(study.holdOuts().size(), std::size_t{1});
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("done"), 1, campaignPatience);

        panel.find<QCheckBox>("allowMissing")->click();
        panel.press("compress");
        QVERIFY(panel.waitForEnd());
        QTRY_VERIFY_WITH_TIMEOUT(panel.errors().contains("MISSING"), campaignPatience);
    }

    void damagedAndMissingStudiesAreSaid()
    {
        const test::Folder folder;
        writeText(folder / "text.gridhelm", std::string(5000, 'x'));
        UsersPanel panel;
        QSignalSpy failed(&panel, &CampaignPanel::failed);
        panel.setStudy(QString::fromStdString((folder / "text.gridhelm").string()));
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, campaignPatience);
        QVERIFY(failed[0][0].toString().contains("is not a Gridhelm study"));
        panel.setStudy(QString::fromStdString((folder / "none.gridhelm").string()));
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 2, campaignPatience);
        QVERIFY(failed[1][0].toString().contains("there is no file"));
        panel.clearStudy();
        QVERIFY(!panel.canPress("run"));
    }

    void stateIsKept()
    {
        const test::Folder folder;
        QSettings settings(QString::fromStdString((folder / "state.ini").string()),
                           QSettings::IniFormat);
        const auto changed = QString(smallPlate).replace("level = 4", "level = 3 # mine");
        {
            UsersPanel panel;
            panel.writePlan(changed);
            panel.find<QSpinBox>("holdOuts")->setValue(33);
            panel.find<GridPicture>("planPicture")->choose("strength", "x");
            panel.find<QTabWidget>("pages")->setCurrentIndex(1);
            panel.saveState(settings);
        }
        UsersPanel panel;
        panel.restoreState(settings);
        QCOMPARE(panel.find<QPlainTextEdit>("planText")->toPlainText(), changed);
        QCOMPARE(panel.find<QSpinBox>("holdOuts")->value(), 33);
        QCOMPARE(panel.find<GridPicture>("planPicture")->acrossName(), QString("strength"));
        QCOMPARE(panel.find<GridPicture>("planPicture")->upName(), QString("x"));
        QCOMPARE(panel.find<QTabWidget>("pages")->currentIndex(), 1);
    }

    void everyControlIsReachedByTheTabKeyAndHasAName()
    {
        const test::Folder folder;
        const auto path = folder / "command.gridhelm";
        makeStudy(path, commandPlanText("exit 1"));
        UsersPanel panel;
        panel.open(path);
        panel.press("run");
        QVERIFY(panel.waitForEnd());
        QTRY_COMPARE_WITH_TIMEOUT(panel.jobsIn("failed"), 3, campaignPatience);
        auto *pages = panel.find<QTabWidget>("pages");
        auto *details = panel.find<QTabWidget>("details");
        auto *planTabs = panel.find<QTabWidget>("planTabs");
        const auto walk = [&](const QString &where) {
            panel.activateWindow();
            pages->tabBar()->setFocus();
            QSet<const QWidget *> reached{pages->tabBar()};
            for (int i = 0; i < 200; ++i) {
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
                reached << QApplication::focusWidget();
            }
            for (const auto *widget : panel.findChildren<QWidget *>()) {
                const bool isControl = qobject_cast<const QAbstractButton *>(widget)
                                       || qobject_cast<const QLineEdit *>(widget)
                                       || qobject_cast<const QAbstractSpinBox *>(widget)
                                       || qobject_cast<const QComboBox *>(widget)
                                       || qobject_cast<const QAbstractItemView *>(widget)
                                       || qobject_cast<const QPlainTextEdit *>(widget)
                                       || qobject_cast<const QTabBar *>(widget);
                const bool isPart = widget->objectName().startsWith("qt_")
                                    || qobject_cast<const QAbstractSpinBox *>(widget->parent())
                                    || qobject_cast<const QTabBar *>(widget->parent())
                                    || qobject_cast<const QAbstractItemView *>(widget->parent())
                                    || qobject_cast<const MessageBar *>(widget->parent());
                if (!isControl || isPart || !widget->isVisible() || !widget->isEnabled())
                    continue;
                const auto name = where + ": " + widget->metaObject()->className() + " "
                                  + widget->objectName() + " " + widget->accessibleName();
                const auto *button = qobject_cast<const QAbstractButton *>(widget);
                if (button && button->group() && !button->isChecked())
                    continue; // by the arrow keys, from the one that is pressed
                QVERIFY2(reached.contains(widget), qPrintable(name));
                if (!qobject_cast<const QTabBar *>(widget))
                    QVERIFY2(!widget->accessibleName().isEmpty()
                                 || (button && button->text().size() > 2),
                             qPrintable(name));
                if (!qobject_cast<const QTabBar *>(widget)
                    && !qobject_cast<const QAbstractItemView *>(widget)
                    && widget->objectName() != "log" && widget->objectName() != "importMissing")
                    QVERIFY2(!widget->toolTip().isEmpty(), qPrintable("no tip: " + name));
            }
        };
        pages->setCurrentIndex(0);
        panel.writePlan(commandPlanText("cat {a}"));
        for (int tab = 0; tab < planTabs->count(); ++tab) {
            planTabs->setCurrentIndex(tab);
            walk(QString("plan, %1").arg(planTabs->tabText(tab)));
        }
        pages->setCurrentIndex(1);
        for (int tab = 0; tab < details->count(); ++tab) {
            details->setCurrentIndex(tab);
            walk(details->tabText(tab));
        }
    }
};

GRIDHELM_WIDGET_TEST(TestCampaignPanel)
#include "tst_campaign_panel.moc"
