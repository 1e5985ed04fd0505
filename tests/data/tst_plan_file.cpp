// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans that are wrong say where, and in which key.
#include "core/support/error.h"
#include "data/campaign/plan_file.h"
#include "tests/data/small_campaigns.h"

#include <QtTest>

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

QTEST_GUILESS_MAIN(PlanFileTest)
#include "tst_plan_file.moc"
