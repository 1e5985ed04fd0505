// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans that are wrong say where, and in which key.
#include "core/support/error.h"
#include "data/campaign/campaign_text.h"
#include "data/campaign/plan_cost.h"
#include "data/campaign/plan_file.h"
#include "tests/data/small_campaigns.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

using namespace gridhelm;
using namespace gridhelm::data;

namespace {

const std::string plate =
    "[[parameter]]\nname = \"x\"\n[[parameter]]\nname = \"strength\"\n"
    "cap = 2\n[grid]\nlevel = 3\n"
    "[simulation]\nbuiltin = \"plate\"\nresolution = 9\nfixed = {width = 0.2}\n";

std::string errorOf(const std::string &toml)
{
    try {
        parsePlan(toml, "p.toml", "/");
    } catch (const Error &error) {
        return error.what();
    }
    return {};
}

} // namespace

class PlanFileTest : public QObject
{
    Q_OBJECT

private slots:
    void badPlansNameLineAndKey_data()
    {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QString>("part");
        const auto text = QString::fromStdString(plate);
        QTest::newRow("no TOML") << "a = = 1"
                                 << "line 1, is not valid TOML";
        QTest::newRow("empty") << ""
                               << "has no parameters";
        QTest::newRow("unknown key") << text + "colour = 1\n"
                                     << "colour is unknown";
        QTest::newRow("unknown parameter")
            << QString(text).replace("\"x\"", "\"z\"") << "line 2: [[parameter]] name 'z'";
        QTest::newRow("level") << QString(text).replace("level = 3", "level = 31") << "line 7";
        QTest::newRow("text as number")
            << QString(text).replace("cap = 2", "cap = \"2\"") << "[[parameter]] cap";
        QTest::newRow("simulation") << QString(text).replace("\"plate\"", "\"pan\"") << "builtin";
        QTest::newRow("placeholder") << QString::fromStdString(
            test::commandPlan("command = [\"./a\", \"{b}\"]\nresult = \"r\"\n"))
                                     << "there is no {b}";
        for (const QString name : {"job", "dir", "times", "last"})
            QTest::newRow(("named like {" + name + "}").toUtf8())
                << QString::fromStdString(
                       test::commandPlan("command = [\"./a\"]\nresult = \"r\"\n"))
                       .replace("\"a\"", "\"" + name + "\"")
                << "line 2: [[parameter]] name is '" + name + "'";
        QTest::newRow("times without time") << QString::fromStdString(
            test::commandPlan("command = [\"./a\", \"{times}\"]\nresult = \"r\"\n"))
                                            << "no parameter is time-like";
        QTest::newRow("time in the command")
            << QString::fromStdString(test::commandPlan("command = './a {t}'\nresult = \"r\"\n"))
                   .replace("[grid]", "[[parameter]]\nname = \"t\"\nlow = 0\nhigh = 1\nkind = "
                                      "\"time-like\"\n[grid]")
            << "write {times}";
        QTest::newRow("cannot run")
            << "[[parameter]]\nname = \"F\"\n[[parameter]]\nname = \"psi\"\nlow = 0\nhigh = 3\n"
               "[grid]\nlevel = 3\n[simulation]\nbuiltin = \"folds\"\n"
            << "[simulation] builtin does not do";
        const auto filling = [&](const QString &grid) {
            return QString(text).replace("cap = 2\n", "").replace("level = 3", grid);
        };
        const QString design = "design = \"space-filling\"\n";
        QTest::newRow("unknown design")
            << filling("design = \"random\"\nlevel = 3") << "line 6: [grid] design is 'random'";
        QTest::newRow("runs of a grid") << filling("level = 3\nruns = 40") << "[grid] runs is what";
        QTest::newRow("no runs") << filling(design) << "has no runs; add runs = 20";
        QTest::newRow("level of no grid") << filling(design + "runs = 40\nlevel = 3")
                                          << "line 8: [grid] level is what a grid has";
        for (const QString runs : {"0", "-1", "3", "4001", "5000", "40.0", "\"40\"", "true"})
            QTest::newRow(("runs " + runs).toUtf8())
                << filling(design + "runs = " + runs)
                << "line 7: [grid] runs is not a whole number from 4 to 4000";
        QTest::newRow("unknown key of a design")
            << filling(design + "runs = 40\nseed = 3") << "seed is unknown";
        QTest::newRow("cap of no grid") << QString(text).replace("level = 3", design + "runs = 40")
                                        << "out of the parameter "
                                           "'strength'";
        QTest::newRow("times of a design")
            << QString::fromStdString(
                   test::timePlan("command = [\"./a\", \"{times}\"]\nresult = \"r\"\n"))
                   .replace("level = 2", design + "runs = 40")
            << "with the time-like parameter 't'";
        QTest::newRow("runs of an adaptive grid")
            << filling("design = \"adaptive\"\nruns = 40") << "[grid] runs is what";
        QTest::newRow("scalar adaptive design")
            << "[study]\nkind = \"scalar\"\n[[space]]\nname = \"px\"\n[[space]]\nname = "
               "\"py\"\n"
                   + filling("design = \"adaptive\"")
            << "in a scalar study";
        QTest::newRow("scalar design")
            << "[study]\nkind = \"scalar\"\n[[space]]\nname = \"px\"\n[[space]]\nname = "
               "\"py\"\n"
                   + filling(design + "runs = 40")
            << "in a scalar study";
    }

    void aDesignIsAGridOrANumberOfRuns()
    {
        const auto of = [](const std::string &grid) {
            auto text = plate;
            text.replace(text.find("cap = 2\n"), 8, "");
            text.replace(text.find("level = 3"), 9, grid);
            return parsePlan(text, "p.toml", "/");
        };
        QVERIFY(of("level = 3").description.design == StudyDesign::grid);
        const auto regular = of("design = \"regular\"\nlevel = 3");
        QVERIFY(regular.description.design == StudyDesign::grid);
        QCOMPARE(regular.description.level, 3);
        QCOMPARE(regular.runs, std::size_t{0});
        const auto adaptive = of("design = \"adaptive\"");
        QVERIFY(adaptive.description.design == StudyDesign::grid);
        QCOMPARE(adaptive.description.level, 2);
        for (const auto &parameter : adaptive.description.space.parameters())
            QVERIFY(parameter.usedTreatment() == sparse::BoundaryTreatment::leja);
        QCOMPARE(of("design = \"adaptive\"\nlevel = 4").description.level, 4);
        auto mixed = plate; // one has a treatment, and stays so
        mixed.replace(mixed.find("cap = 2\n"), 8, "treatment = \"boundary\"\n");
        mixed.replace(mixed.find("level = 3"), 9, "design = \"adaptive\"");
        const auto space = parsePlan(mixed, "p.toml", "/").description.space;
        int other = 0;
        for (const auto &parameter : space.parameters())
            other += parameter.usedTreatment() == sparse::BoundaryTreatment::boundary ? 1 : 0;
        QCOMPARE(other, 1);
        for (const int runs : {4, 51, 4000}) {
            const auto plan = of("design = \"space-filling\"\nruns = " + std::to_string(runs));
            QVERIFY(plan.description.design == StudyDesign::scattered);
            QCOMPARE(plan.runs, static_cast<std::size_t>(runs));
            QCOMPARE(plan.description.level, 1);
            const auto cost = costOf(plan, plan.description.space, 1);
            QCOMPARE(cost.jobs, static_cast<std::uint64_t>(runs));
            QVERIFY(cost.bytes > 0);
            QVERIFY(costText(cost).starts_with(std::to_string(runs) + " runs"));
        }
    }

    void badPlansNameLineAndKey()
    {
        QFETCH(QString, toml);
        QFETCH(QString, part);
        const auto error = QString::fromStdString(errorOf(toml.toStdString()));
        QVERIFY2(error.contains(part), qPrintable(error));
    }

    void mutatedPlansAreReadOrRefused()
    {
        std::mt19937 random(7);
        for (int i = 0; i < 500; ++i) {
            auto text = plate;
            for (int k = 0; k < 3; ++k)
                text[random() % text.size()] = static_cast<char>(random() % 256);
            errorOf(text); // anything but gridhelm::Error fails the test
        }
    }
};

GRIDHELM_TEST(PlanFileTest)
#include "tst_plan_file.moc"
