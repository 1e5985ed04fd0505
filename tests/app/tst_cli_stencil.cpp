// SPDX-License-Identifier: GPL-3.0-or-later
//
// gridhelm-cli solve stencil, and the folders of gridhelm-cli generate, which build by themselves.
#include "core/solvers/vti_file.h"
#include "tests/app/cli_folder.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QStandardPaths>
#include <QTest>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::test;

namespace {

const QByteArray heat = "points = [40, 30]\n"
                        "neighbours = [[-1, 0, 0.25], [1, 0, 0.25], [0, -1, 0.25], [0, 1, 0.25]]\n"
                        "[source]\nfactor = 0.25\nspike = [0.5, 0.5]\n";

/// Runs another program; its output, and whether it ended well.
std::pair<bool, QByteArray> ran(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    const bool ended = process.waitForFinished(300000);
    return {ended && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
            process.readAll()};
}

} // namespace

class TestCliStencil : public QObject, private CliFolder
{
    Q_OBJECT

private slots:
    void initTestCase();
    void codeAndLiteralLoopGiveTheSameField();
    void withoutCompilerItIsSaid();
    void aFileForGpusIsSolvedWhereThereIsNone();
    void devicesThatAreNotThereAreRefused();
    void severalDevicesShareIt();
    void divergingStencilWarnsAndRuns();
    void aStopWhileItIsCompiledLeavesNothing();
    void helpHasAnExample();
    void badInputIsOneSentence_data();
    void badInputIsOneSentence();
    void folderBuildsByItselfAndPassesItsCheck_data();
    void folderBuildsByItselfAndPassesItsCheck();
    void folderIsAsClangFormatWants();
    void folderForGpuCompiles();
    void folderThatIsNotEmptyIsLeftAlone();
    void ratesAreSetBesideACopy();
    void foldersForSeveralGpusAreWhole();
    void tuningWritesTheFastestVariant();

private:
    QString place(const QString &name) const { return m_folder.filePath(name); }
    QString written(const QString &name, const QByteArray &text)
    {
        QFile file(place(name));
        const bool isWritten = file.open(QFile::WriteOnly) && file.write(text) == text.size();
        return isWritten ? file.fileName() : QString();
    }
    std::vector<double> valuesIn(const QString &name)
    {
        const auto image = solvers::readVti(path(name));
        return std::get<std::vector<double>>(image.arrays.front().values);
    }
};

void TestCliStencil::initTestCase()
{
    qputenv("XDG_CACHE_HOME", place("cache").toUtf8());
    QVERIFY(!written("heat.toml", heat).isEmpty());
}

void TestCliStencil::codeAndLiteralLoopGiveTheSameField()
{
    const auto file = place("heat.toml");
    const auto first = runCli(QStringList{"solve", "stencil", file, "--iterations", "100", "--json",
                                          "--save", place("code.vti")});
    const auto literal = runCli(QStringList{"solve", "stencil", file, "--iterations", "100",
                                            "--literal", "--json", "--save", place("literal.vti")});
    QVERIFY2(first.exitCode == 0, first.err);
    QVERIFY2(literal.exitCode == 0, literal.err);
    QCOMPARE(jsonOf(literal)["method"].toString(), QString("literal"));
    QCOMPARE(jsonOf(first)["report"].toObject()["iterations"].toInt(), 100);
    const auto values = valuesIn("code.vti"), expected = valuesIn("literal.vti");
    QCOMPARE(values.size(), std::size_t(1200));
    for (std::size_t i = 0; i < values.size(); ++i)
        QVERIFY(std::abs(values[i] - expected[i]) < 1e-15);
    if (jsonOf(first)["method"].toString() != "generated")
        QSKIP("there is no C++ compiler");
    const auto second =
        runCli(QStringList{"solve", "stencil", file, "--iterations", "5", "--json"});
    QCOMPARE(jsonOf(second)["settings"].toObject()["code"].toString(), QString("from the cache"));
    const auto text = runCli(QStringList{"solve", "stencil", file, "--until", "residual=1e-3",
                                         "--at", "20:source factor=0.5"});
    QVERIFY2(text.exitCode == 0 && text.out.contains("residual"), text.err);
}

void TestCliStencil::withoutCompilerItIsSaid()
{
    const auto before = qgetenv("PATH");
    qputenv("PATH", "/nonexistent");
    const auto outcome =
        runCli(QStringList{"solve", "stencil", place("heat.toml"), "--iterations", "10", "--json"});
    qputenv("PATH", before);
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY2(outcome.err.startsWith("The literal loop computes") && outcome.err.count('\n') == 1,
             outcome.err);
    QCOMPARE(jsonOf(outcome)["method"].toString(), QString("literal"));
}

void TestCliStencil::aStopWhileItIsCompiledLeavesNothing()
{
    QVERIFY(QDir().mkpath(place("slow")));
    const auto compiler = written("slow/c++", "#!/bin/sh\nexec sleep 300\n");
    QVERIFY(
        QFile::setPermissions(compiler, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const auto other = written("other.toml", QByteArray(heat)
                                                 .replace("0.5, 0.5", "0.25, 0.5")
                                                 .replace("factor = 0.25", "factor = 0.125")
                                                 .replace("[1, 0, 0.25]", "[1, 0, 0.2421875]"));
    const QDir kept(place("cache") + "/gridhelm/stencils");
    const auto left = [&] { return kept.entryList({"*.cpp", "*.log", "*.part"}, QDir::Files); };
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PATH", place("slow") + ":" + environment.value("PATH"));
    process.setProcessEnvironment(environment);
    process.start(QString(paths::cli), {"solve", "stencil", other, "--iterations", "5"});
    QTRY_VERIFY_WITH_TIMEOUT(!left().filter(".log").isEmpty(), 120000);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(120000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    QVERIFY(process.readAllStandardOutput().isEmpty());
    QCOMPARE(left(), QStringList());
}

void TestCliStencil::divergingStencilWarnsAndRuns()
{
    auto text = heat;
    const auto file = written("hot.toml", text.replace("[1, 0, 0.25]", "[1, 0, 0.26]"));
    const auto outcome =
        runCli(QStringList{"solve", "stencil", file, "--iterations", "10", "--literal"});
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY2(outcome.err.contains("1.01") && outcome.err.contains("diverge"), outcome.err);
    // Where it has, it is the weights that are to blame.
    const auto grown = runCli(
        QStringList{"solve", "stencil", file, "--iterations", "1000000", "--every", "100000"});
    QVERIFY2(grown.exitCode == 1 && grown.err.contains("smaller weights"), grown.err);
}

void TestCliStencil::helpHasAnExample()
{
    for (const QString command : {"solve stencil", "generate"}) {
        const auto outcome = runCli(command + " --help");
        QCOMPARE(outcome.exitCode, 0);
        QVERIFY(outcome.out.contains("gridhelm-cli " + command.toUtf8() + " stencil.toml"));
    }
}

/// Or by the GPU, where there is one.
void TestCliStencil::aFileForGpusIsSolvedWhereThereIsNone()
{
    const auto file = written("for-gpu.toml", heat + "[target]\non = \"gpu\"\n");
    const auto outcome = runCli(QStringList{"solve", "stencil", file, "--iterations", "100",
                                            "--json", "--save", place("for-gpu.vti")});
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    const auto literal = runCli(QStringList{"solve", "stencil", file, "--iterations", "100",
                                            "--literal", "--save", place("literal-gpu.vti")});
    QVERIFY2(literal.exitCode == 0, literal.err);
    const auto values = valuesIn("for-gpu.vti"), expected = valuesIn("literal-gpu.vti");
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY(std::abs(values[i] - expected[i]) < 1e-14);
    const auto document = jsonOf(outcome);
    const auto events = document["execution"].toObject()["events"].toArray();
    if (document["execution"].toObject()["computed_on"].toArray() != QJsonArray{"cpu"})
        return;
    QCOMPARE(events.size(), 1);
    QVERIFY(events[0].toString().contains("CPU") || events[0].toString().contains("omp"));
    // Whoever names the CPU is told nothing.
    const auto onCpu = runCli(
        QStringList{"--devices", "cpu", "solve", "stencil", file, "--iterations", "5", "--json"});
    QVERIFY(jsonOf(onCpu)["execution"].toObject()["events"].toArray().isEmpty());
}

void TestCliStencil::devicesThatAreNotThereAreRefused()
{
    const auto run = [&](const QStringList &where) {
        return runCli(where
                      + QStringList{"solve", "stencil", place("heat.toml"), "--iterations", "3"});
    };
    QVERIFY(isOneSentence(run({"--devices", "gpu:63"}), "GPU"));
    QVERIFY(isOneSentence(run({"--devices", "tpu"}), "tpu"));
    QVERIFY(isOneSentence(run({"--devices", "cpu/2", "--backend", "cuda"}), "cuda"));
}

void TestCliStencil::severalDevicesShareIt()
{
    const auto solved = [&](const QStringList &where, const QString &to) {
        return runCli(where
                      + QStringList{"solve", "stencil", place("heat.toml"), "--iterations", "30",
                                    "--save", place(to), "--json"});
    };
    const auto one = jsonOf(solved({"--devices", "cpu"}, "one.vti"));
    const auto two = jsonOf(solved({"--devices", "cpu/2", "--threads", "2"}, "two.vti"));
    QCOMPARE(valuesIn("two.vti"), valuesIn("one.vti"));
    const auto shares = two["shares"].toArray();
    QCOMPARE(shares.size(), 2);
    QCOMPARE(shares[0].toObject()["end"], shares[1].toObject()["begin"]);
    QVERIFY(one["shares"].isUndefined());
}

void TestCliStencil::badInputIsOneSentence_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("no neighbours") << QByteArray("points = [9, 9]\n") << "neighbours";
    QTest::newRow("radius") << QByteArray("points = [9, 9]\nneighbours = [[5, 0, 1]]\n")
                            << "line 2, column 16";
    QTest::newRow("formula") << QByteArray(heat).replace("spike = [0.5, 0.5]", "f = \"2*(x\"")
                             << "line 5, column 10";
    QTest::newRow("no TOML") << QByteArray("points = [9, 9\n") << "line";
    QTest::newRow("control characters") << QByteArray("\033[31m = 1\n") << "line 1";
    QTest::newRow("not finite") << QByteArray(heat).replace("spike = [0.5, 0.5]", "f = \"log(-x)\"")
                                << "not finite";
    QTest::newRow("memory") << QByteArray(heat).replace("40, 30", "1000000, 1000000") << "memory";
}

void TestCliStencil::badInputIsOneSentence()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    const auto file = written("bad.toml", text);
    const auto outcome = runCli(QStringList{"solve", "stencil", file, "--iterations", "3"});
    QVERIFY2(isOneSentence(outcome, says), outcome.err);
    if (QString(QTest::currentDataTag()) == "not finite") {
        const auto generated = runCli(QStringList{"generate", file, "--into", place("no code")});
        QVERIFY2(isOneSentence(generated, says), generated.err);
        QVERIFY(!QFileInfo::exists(place("no code")));
    }
    QVERIFY(isOneSentence(runCli(QStringList{"generate", place("heat.toml"), "--into", ""}),
                          "names no folder"));
    QVERIFY(isOneSentence(runCli(QStringList{"generate", place("none.toml")}), "no file"));
}

void TestCliStencil::folderBuildsByItselfAndPassesItsCheck_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("plain") << heat;
    QTest::newRow("three iterations a pass, all there is")
        << QByteArray("points = [50, 40, 30]\nprecision = \"float\"\n"
                      "start = \"sin(pi*x)*y^2 + min(z, 0.5)\"\n"
                      "neighbours = [[0, 0, 0, \"1 - 2*k - 0.2\"], [1, 0, 0, \"k\"],\n"
                      "  [-1, 0, 0, \"k\"], [0, 1, 0, 0.1], [0, 0, -1, 0.1]]\n"
                      "[coefficients]\nk = \"0.2 + x/10\"\n"
                      "[source]\nfactor = 0.01\nf = {file = \"f.f64\"}\n"
                      "[boundary]\nx = \"periodic\"\ny = {slope = 0.5}\nz_high = 2\n"
                      "[target]\niterations = 3\n");
}

void TestCliStencil::folderBuildsByItselfAndPassesItsCheck()
{
    QFETCH(QByteArray, text);
    const auto cmake = QStandardPaths::findExecutable("cmake");
    if (cmake.isEmpty() || QStandardPaths::findExecutable("c++").isEmpty())
        QSKIP("there is no cmake, or no C++ compiler");
    QVERIFY(!written("f.f64", QByteArray(50 * 40 * 30 * 8, '\0')).isEmpty());
    const auto file = written("made.toml", text);
    const QString name = QTest::currentDataTag();
    const auto folder = place("code " + name.left(5));
    const auto outcome = runCli(QStringList{"generate", file, "--into", folder, "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    QCOMPARE(jsonOf(outcome)["folder"].toString(), folder);
    const auto configured = ran(
        cmake, {"-S", folder, "-B", folder + "/build", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror"});
    QVERIFY2(configured.first, configured.second);
    const auto built = ran(cmake, {"--build", folder + "/build"});
    QVERIFY2(built.first, built.second);
    const auto checked = ran(folder + "/build/stencil", {"--check"});
    QVERIFY2(checked.first && checked.second.startsWith("check  passed"), checked.second);
    // A weight that is not the one that was checked fails the check.
    QFile code(folder + "/stencil.cpp");
    QVERIFY(code.open(QFile::ReadOnly));
    auto wrong = code.readAll();
    code.close();
    QVERIFY(wrong.contains("value = "));
    wrong.replace("value = ", "value = Value(1.01) * ");
    QVERIFY(code.open(QFile::WriteOnly) && code.write(wrong) == wrong.size());
    code.close();
    QVERIFY(ran(cmake, {"--build", folder + "/build"}).first);
    QVERIFY(!ran(folder + "/build/stencil", {"--check"}).first);
}

void TestCliStencil::folderIsAsClangFormatWants()
{
    const auto format = QStandardPaths::findExecutable("clang-format");
    if (format.isEmpty())
        QSKIP("there is no clang-format");
    const auto version = ran(format, {"--version"});
    if (!version.second.contains("version 14"))
        QSKIP("clang-format is not version 14");
    // Of many neighbours in 3D, several layers are computed together.
    QByteArrayList neighbours;
    for (int i = 0; i < 27; ++i)
        neighbours << QString("[%1, %2, %3, 0.03]")
                          .arg(i % 3 - 1)
                          .arg(i / 3 % 3 - 1)
                          .arg(i / 9 - 1)
                          .toLatin1();
    QVERIFY(!written("box.toml",
                     "points = [64, 64, 64]\nneighbours = [" + neighbours.join(", ") + "]\n")
                 .isEmpty());
    for (const QString stencil : {"heat", "box"}) {
        const auto folder = place("formatted " + stencil);
        QCOMPARE(
            runCli(QStringList{"generate", place(stencil + ".toml"), "--into", folder}).exitCode,
            0);
        for (const QString name : {"stencil.h", "stencil.cpp", "main.cpp"}) {
            const auto checked = ran(format, {"--dry-run", "-Werror", folder + "/" + name});
            QVERIFY2(checked.first, checked.second);
        }
    }
}

void TestCliStencil::folderForGpuCompiles()
{
    auto nvcc = QStandardPaths::findExecutable("nvcc");
    if (nvcc.isEmpty())
        nvcc = QStandardPaths::findExecutable("nvcc", {"/usr/local/cuda/bin"});
    if (nvcc.isEmpty())
        QSKIP("there is no nvcc");
    const auto file = written("gpu.toml", heat + "[target]\non = \"gpu\"\n");
    const auto folder = place("gpu");
    QCOMPARE(runCli(QStringList{"generate", file, "--into", folder}).exitCode, 0);
    const auto compiled =
        ran(nvcc, {"-std=c++17", "-arch=sm_80", "-Xcompiler", "-fopenmp", "-DLISTS=\".\"", "-o",
                   folder + "/program", folder + "/main.cpp", folder + "/stencil.cu"});
    QVERIFY2(compiled.first, compiled.second);
    const auto several = written("gpu4.toml", heat + "[target]\non = \"gpu\"\niterations = 4\n");
    QCOMPARE(runCli(QStringList{"generate", several, "--into", place("gpu4")}).exitCode, 0);
    const auto passes = ran(nvcc, {"-std=c++17", "-arch=sm_80", "-c", "-o", place("passes.o"),
                                   place("gpu4") + "/stencil.cu"});
    QVERIFY2(passes.first, passes.second);
    const auto refused = written("gpu2.toml", heat + "[target]\non = \"gpu\"\niterations = 9\n");
    QVERIFY(
        isOneSentence(runCli(QStringList{"generate", refused, "--into", place("gpu2")}), "radius"));
    QVERIFY(!QFileInfo::exists(place("gpu2")));
}

void TestCliStencil::ratesAreSetBesideACopy()
{
    const auto document = jsonOf(runCli(
        {"bench", "stencils", "5-point", "--side", "64", "--quick", "--json", "--threads", "1"}));
    QVERIFY(document["copy_bytes_per_second"].toDouble() > 0);
    const auto stencils = document["stencils"].toArray();
    QCOMPARE(stencils.size(), 1);
    QStringList codes;
    for (const auto &rate : stencils[0].toObject()["rates"].toArray()) {
        codes << rate.toObject()["code"].toString();
        QVERIFY(rate.toObject()["updates_per_second"].toDouble() > 0);
    }
    QVERIFY(codes.contains("generated") && codes.contains("tuned") && codes.contains("temporal"));
    QVERIFY(isOneSentence(runCli({"bench", "stencils", "6-point"}), "13-point"));
    QVERIFY(isOneSentence(runCli({"bench", "tuning", "nothing"}), "nothing"));
}

/// And what nvcc takes, if it is there.
void TestCliStencil::foldersForSeveralGpusAreWhole()
{
    const auto several = written("several.toml", heat + "[target]\non = \"several\"\n");
    QCOMPARE(runCli(QStringList{"generate", several, "--into", place("several")}).exitCode, 0);
    const auto noPart = written("nopart.toml", heat + "[target]\non = \"both\"\n");
    QVERIFY(isOneSentence(runCli(QStringList{"generate", noPart, "--into", place("nopart")}),
                          "partition"));
    const auto both =
        written("both.toml", heat + "[target]\non = \"both\"\npartition = 0.75\niterations = 4\n");
    QCOMPARE(runCli(QStringList{"generate", both, "--into", place("both")}).exitCode, 0);
    QVERIFY(QFileInfo::exists(place("both") + "/stencil.cpp"));
    auto nvcc = QStandardPaths::findExecutable("nvcc");
    if (nvcc.isEmpty())
        nvcc = QStandardPaths::findExecutable("nvcc", {"/usr/local/cuda/bin"});
    if (nvcc.isEmpty())
        QSKIP("there is no nvcc");
    for (const QString name : {"several", "both"}) {
        const auto folder = place(name);
        QStringList files{folder + "/main.cpp", folder + "/stencil.cu"};
        if (name == "both")
            files << folder + "/stencil.cpp";
        const auto compiled =
            ran(nvcc, QStringList{"-std=c++17", "-arch=sm_80", "-Xcompiler", "-fopenmp",
                                  "-DLISTS=\".\"", "-o", folder + "/program"}
                          + files);
        QVERIFY2(compiled.first, compiled.second);
    }
}

void TestCliStencil::folderThatIsNotEmptyIsLeftAlone()
{
    const auto folder = place("full");
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(!written("full/mine.txt", "mine").isEmpty());
    QVERIFY(isOneSentence(runCli(QStringList{"generate", place("heat.toml"), "--into", folder}),
                          "not empty"));
    // Before variants are compiled and timed.
    const auto libraries = [&] {
        return QDir(place("cache") + "/gridhelm/stencils").entryList({"*.so"}, QDir::Files).size();
    };
    const auto before = libraries();
    const auto slow =
        written("slow.toml", heat + "[target]\nthreads = 1\n" + QByteArray("iterations = 5\n"));
    QVERIFY(isOneSentence(
        runCli(QStringList{"generate", slow, "--into", folder, "--tune", "--json"}), "not empty"));
    QVERIFY(isOneSentence(
        runCli(QStringList{"generate", slow, "--into", folder + "/mine.txt/code", "--tune"}),
        "is no folder"));
    QCOMPARE(libraries(), before);
    QCOMPARE(QDir(folder).entryList(QDir::Files | QDir::Hidden), QStringList{"mine.txt"});
}

void TestCliStencil::tuningWritesTheFastestVariant()
{
    if (QStandardPaths::findExecutable("c++").isEmpty())
        QSKIP("there is no C++ compiler");
    const auto folder = place("tuned");
    const auto outcome =
        runCli(QStringList{"generate", place("heat.toml"), "--into", folder, "--tune", "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.err);
    const auto tuning = jsonOf(outcome)["tuning"].toObject();
    const auto best = tuning["best"].toObject();
    QVERIFY(tuning["tried"].toArray().size() >= 4);
    for (const auto &variant : tuning["tried"].toArray())
        QVERIFY(variant.toObject()["updates_per_second"].toDouble()
                <= best["updates_per_second"].toDouble());
    QFile header(folder + "/stencil.h");
    QVERIFY(header.open(QFile::ReadOnly));
    QVERIFY(header.readAll().contains(
        QString("iterationsPerPass = %1;").arg(best["iterations"].toInt()).toUtf8()));
}

GRIDHELM_TEST(TestCliStencil)
#include "tst_cli_stencil.moc"
