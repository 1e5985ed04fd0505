// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stencils in the solve panel, by mouse and keys: examples and files, their weights, mistakes,
// runs.
#include "core/solvers/problem_in_words.h"
#include "core/stencil/stencil_stepper.h"
#include "data/stencil/stencil_examples.h"
#include "data/stencil/stencil_file.h"
#include "tests/ui/solve_case.h"
#include "tests/ui/widget_test.h"

#include <QPlainTextEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

const QByteArray small = "title = \"Warmth <b>here</b>\"\npoints = [40, 30]\n"
                         "neighbours = [[-1, 0, 0.25], [1, 0, 0.25], [0, -1, 0.25], [0, 1, 0.25]]\n"
                         "[source]\nfactor = 0.25\nspike = [0.5, 0.5]\n";

} // namespace

class TestStencilForm : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void everyExampleIsShownAndRead();
    void weightsStandWhereTheNeighboursAre();
    void mistakesHaveLineAndColumn_data();
    void mistakesHaveLineAndColumn();
    void aRunIsTheLiteralLoop();
    void literalLoopAndOtherPrecisionCanBeChosen();
    void theSourceIsLive();
    void aStencilThatGrowsIsWarnedOf();
    void devicesThatAreNotThereAreASentence();
    void theGuideSaysWhatIsSolved();
    void stateSurvivesARestart();

private:
    QString written(const QString &name, const QByteArray &text)
    {
        QFile file(m_folder.filePath(name));
        const bool isWritten = file.open(QFile::WriteOnly) && file.write(text) == text.size();
        return isWritten ? file.fileName() : QString();
    }
    static void openFile(Hands &hands, const QString &path)
    {
        hands.choose("stencil", "from a file");
        hands.option<QLineEdit>("stencil-file")->setText(path);
    }
    static QString about(Hands &hands) { return hands.option<QLabel>("about-stencil")->text(); }
    static QString weights(Hands &hands)
    {
        return hands.option<QPlainTextEdit>("weights")->toPlainText();
    }
    static bool comesToSay(Hands &hands, const QString &text)
    {
        return QTest::qWaitFor([&] { return about(hands).contains(text); }, solvePatience);
    }

    QTemporaryDir m_folder;
};

void TestStencilForm::initTestCase()
{
    qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toUtf8());
}

void TestStencilForm::everyExampleIsShownAndRead()
{
    Hands hands(stencils);
    QVERIFY(comesToSay(hands, "4 neighbours")); // 5-point
    QVERIFY(!hands.option<QLineEdit>("stencil-file")->isVisible());
    QVERIFY(data::stencilExamples().size() > 10);
    for (const auto &example : data::stencilExamples()) {
        const auto stencil = data::parseStencil(example.toml, example.name, {}).stencil;
        hands.choose("stencil", QString::fromStdString(example.name));
        const auto radius = QString("%1 neighbours, radius %2")
                                .arg(stencil.neighbours.size())
                                .arg(radiusOf(stencil));
        QVERIFY2(comesToSay(hands, radius), example.name.c_str());
        QCOMPARE(hands.problem(), QString());
        // A weight for each neighbour, and a dot for each other place.
        const auto side = 2 * radiusOf(stencil) + 1;
        QVERIFY(weights(hands).split('\n').size() >= side + 1);
    }
}

void TestStencilForm::weightsStandWhereTheNeighboursAre()
{
    Hands hands(stencils);
    openFile(hands, written("weights.toml",
                            "points = [20, 20]\nneighbours = [[-1, 0, 0.125], [1, 1, -0.5], "
                            "[0, 0, \"0.5 - 2*(k - m)/k\"]]\n[coefficients]\nk = 3\nm = \"x\"\n"));
    QVERIFY(comesToSay(hands, "3 neighbours"));
    const auto lines = weights(hands).split('\n');
    QCOMPARE(lines.size(), 6); // the last one is empty
    QCOMPARE(lines[0].simplified(), QString("-1 x +1"));
    QCOMPARE(lines[1].simplified(), QString("+1 . . -0.5"));
    QCOMPARE(lines[2].simplified(), QString("y 0.125 w1 ."));
    QCOMPARE(lines[3].simplified(), QString("-1 . . ."));
    QCOMPARE(lines[4], QString("w1 = 0.5 - 2*(c1 - c2)/c1"));
}

void TestStencilForm::mistakesHaveLineAndColumn_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("weight") << QByteArray("points = [20, 20]\nneighbours = [[0, 0, \"k\"]]\n")
                            << "line 2, column";
    QTest::newRow("far") << QByteArray("points = [20, 20]\n\nneighbours = [[9, 0, 1]]\n")
                         << "line 3, column";
    QTest::newRow("no toml") << QByteArray("points = [20, 20\nneighbours") << "line 2";
    QTest::newRow("empty") << QByteArray() << "has no points";
}

void TestStencilForm::mistakesHaveLineAndColumn()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, says);
    Hands hands(stencils);
    openFile(hands, written("bad.toml", text));
    QVERIFY2(QTest::qWaitFor([&] { return hands.problem().contains(says); }, solvePatience),
             qPrintable(hands.problem()));
    QVERIFY(hands.problem().contains("bad.toml"));
    QCOMPARE(weights(hands), QString());
    hands.click("run");
    QVERIFY(hands.comesTo(RunPhase::failed));
    QVERIFY2(hands.problem().contains(says), qPrintable(hands.problem()));
    QCOMPARE(hands.runs()->model()->rowCount(), 0);
    openFile(hands, m_folder.filePath("not there.toml"));
    QVERIFY(QTest::qWaitFor([&] { return hands.problem().contains("not there.toml"); }, solvePatience));
    openFile(hands, "");
    QVERIFY(QTest::qWaitFor([&] { return hands.problem().contains("no file"); }, solvePatience));
    openFile(hands, written("good.toml", small)); // the sentence goes when something is done
    QVERIFY(comesToSay(hands, "4 neighbours"));
    QCOMPARE(hands.problem(), QString());
}

void TestStencilForm::aRunIsTheLiteralLoop()
{
    Hands hands(stencils);
    const auto file = written("small.toml", small);
    openFile(hands, file);
    QVERIFY(comesToSay(hands, "40 x 30 points, double"));
    QVERIFY(about(hands).startsWith("Warmth <b>here</b>")); // text of others is text
    hands.choose("until", "no target");
    hands.type("iterations", "200");
    hands.click("run");
    QVERIFY2(hands.comesTo(RunPhase::finished), qPrintable(hands.problem()));
    QCOMPARE(hands.iterations(), std::uint64_t{200});
    QCOMPARE(QString::fromStdString(hands.panel.run()->state().method), QString("generated"));
    const auto stencil = data::readStencil(file.toStdString()).stencil;
    const auto literal = stencil::makeStencilStepper(stencil, {}, CpuDevice{1});
    literal->advance(200);
    const auto expected = std::get<std::span<const double>>(literal->field().values);
    QTRY_VERIFY_WITH_TIMEOUT(hands.view()->frame() != nullptr, solvePatience);
    const auto largestOf = [](const auto &values) {
        return *std::max_element(values.begin(), values.end());
    };
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(largestOf(hands.shown()) - largestOf(expected)) < 1e-6,
                             solvePatience);
    QCOMPARE(hands.runs()->model()->rowCount(), 1);
    bool isNamed = false;
    for (int column = 0; column < hands.runs()->model()->columnCount(); ++column)
        isNamed |= hands.runs()->model()->index(0, column).data().toString()
                   == "Stencil small.toml, double";
    QVERIFY(isNamed);
    const auto path = m_folder.filePath("field.vti");
    hands.panel.saveField(path);
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(path).size() > 1000, solvePatience);
}

void TestStencilForm::literalLoopAndOtherPrecisionCanBeChosen()
{
    Hands hands(stencils);
    openFile(hands, written("small.toml", small));
    QVERIFY(comesToSay(hands, "4 neighbours"));
    hands.choose("method", "literal");
    hands.choose("precision", "float");
    hands.choose("until", "no target");
    hands.type("iterations", "20");
    hands.click("run");
    QVERIFY2(hands.comesTo(RunPhase::finished), qPrintable(hands.problem()));
    QCOMPARE(QString::fromStdString(hands.panel.run()->state().method), QString("literal"));
    const auto path = m_folder.filePath("float.vti");
    hands.panel.saveField(path);
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(path).size() > 1000, solvePatience);
    QFile saved(path);
    QVERIFY(saved.open(QFile::ReadOnly));
    QVERIFY(saved.readAll().contains("Float32"));
}

void TestStencilForm::theSourceIsLive()
{
    Hands hands(stencils);
    openFile(hands, written("small.toml", small));
    QVERIFY(comesToSay(hands, "4 neighbours"));
    hands.type("tolerance", "1e-3");
    hands.click("run");
    QVERIFY2(hands.comesTo(RunPhase::settled), qPrintable(hands.problem()));
    auto *slider = hands.live("source factor");
    QVERIFY(slider);
    const auto before = hands.iterations();
    QTRY_VERIFY(hands.view()->frame() != nullptr);
    const auto largestOf = [&] { return std::ranges::max(hands.shown()); };
    const double largest = largestOf();
    emit slider->valueEdited(0.5);
    QVERIFY(QTest::qWaitFor([&] { return hands.iterations() > before; }, solvePatience));
    QVERIFY(QTest::qWaitFor([&] { return largestOf() > 1.5 * largest; }, solvePatience));
}

void TestStencilForm::aStencilThatGrowsIsWarnedOf()
{
    Hands hands(stencils);
    openFile(hands, written("grows.toml", "points = [20, 20]\nneighbours = [[0, 0, 1.5]]\n"));
    QVERIFY(comesToSay(hands, "Warning: "));
    QCOMPARE(hands.problem(), QString());
}

void TestStencilForm::devicesThatAreNotThereAreASentence()
{
    SolverDevices devices;
    devices.offers = {{"auto", "auto"}, {"CPU", "cpu"}};
    devices.find = [](const CpuDevice &cpu, const std::string &names) {
        if (names == "cpu/2")
            return ExecutionContext(cpu).withTeam({cpu, cpu});
        if (names != "cpu")
            throw Error("devices: there is no GPU here");
        return ExecutionContext(cpu);
    };
    Hands hands(stencils, devices);
    openFile(hands, written("small.toml", small));
    QVERIFY(comesToSay(hands, "4 neighbours"));
    hands.type("devices", "gpu:7");
    hands.click("run");
    QVERIFY(hands.comesTo(RunPhase::failed));
    QVERIFY2(hands.problem().contains("no GPU"), qPrintable(hands.problem()));
    hands.type("devices", "cpu/2"); // which share the grid
    hands.choose("until", "no target");
    hands.type("iterations", "20");
    hands.click("run");
    QVERIFY2(hands.comesTo(RunPhase::finished), qPrintable(hands.problem()));
}

void TestStencilForm::theGuideSaysWhatIsSolved()
{
    Hands hands(stencils);
    QVERIFY(hands.option<QLabel>("equation")
                ->text()
                .contains(QString::fromUtf8(solvers::stencilInWords.equation)));
    QVERIFY(hands.option<QLabel>("purpose")->isVisible());
}

void TestStencilForm::stateSurvivesARestart()
{
    QSettings settings(m_folder.filePath("settings.ini"), QSettings::IniFormat);
    const auto file = written("small.toml", small);
    {
        Hands hands(stencils);
        openFile(hands, file);
        hands.choose("method", "literal");
        hands.panel.saveState(settings);
    }
    Hands hands(jacobi);
    hands.panel.restoreState(settings);
    QCOMPARE(hands.option<QComboBox>("stencil")->currentText(), QString("from a file"));
    QCOMPARE(hands.option<QComboBox>("method")->currentText(), QString("literal"));
    QVERIFY(comesToSay(hands, "40 x 30 points"));
}

GRIDHELM_WIDGET_TEST(TestStencilForm)
#include "tst_stencil_form.moc"
