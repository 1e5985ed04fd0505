// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans that anybody may have written: what they can do when they are read, and before their user
// has agreed to what they execute.
#include "core/support/clean_text.h"
#include "data/campaign/execution.h"
#include "data/campaign/runner_registry.h"
#include "data/campaign/trust_store.h"
#include "data/support/isolated_process.h"
#include "data/support/sha256.h"
#include "tests/core/damage.h"
#include "tests/core/watchdog.h"
#include "tests/data/foreign_plans.h"
#include "tests/data/run_one.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <sys/stat.h>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

std::string repeated(const std::string &text, int times)
{
    std::string all;
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

const std::string writesNumber = "command = 'echo {a} > out; touch ../../ran'\nresult = \"out\"\n";

Execution executionOf(const Plan &plan, const std::filesystem::path &study)
{
    return data::executionOf(std::get<CommandPlan>(plan.simulation), plan.run, study);
}

std::string digestOf(const Study &study)
{
    return executionOf(planOf(study), study.path()).digest();
}

unsigned modeOf(const std::filesystem::path &path)
{
    struct stat status = {};
    return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
}

} // namespace

class PlanTrustTest : public QObject
{
    Q_OBJECT

private slots:
    void deeplyNestedTextsAreRefused_data()
    {
        QTest::addColumn<QString>("toml");
        const auto keys = repeated("a.", 50'000);
        const auto row = [](const char *name, const std::string &text) {
            QTest::newRow(name) << QString::fromStdString(text);
        };
        row("header", "[" + keys + "a]\n");
        row("dotted key", keys + "a = 1\n");
        row("quoted parts", repeated("'a' . ", 50'000) + "a = 1\n");
        row("in braces", "a = {" + keys + "a = 1}\n");
        row("brackets", "a = " + repeated("[", 100'000) + repeated("]", 100'000) + "\n");
        row("braces", "a = " + repeated("{a=", 100'000) + "1" + repeated("}", 100'000) + "\n");
        row("behind strings",
            "a = \"\\\"\"\nb = '''x''''\nc = \"\"\"\n\\\"\"\"\"\n# '\n" + keys + "a = 1\n");
    }
    void deeplyNestedTextsAreRefused()
    {
        QFETCH(QString, toml);
        const auto text = toml.toStdString();
        const auto said = errorOf([&] { parsePlan(text, "p.toml", "/"); });
        QVERIFY2(said.find("nested too deeply") != said.npos, said.c_str());
        // Embedded in a study, too.
        auto description = smallDescription(2);
        description.simulation = text;
        QVERIFY(!errorOf([&] { planOf(description, "/"); }).empty());
    }

    void whatStandsInStringsAndCommentsIsNotNested()
    {
        const auto dots = repeated("a.[{", 100);
        const auto plan = parsePlan("# " + dots + "\n"
                                        + commandPlan("command = '''" + dots + "\n" + dots
                                                      + "'''\nresult = \"" + dots + "\"\n"),
                                    "p.toml", "/");
        QCOMPARE(std::get<CommandPlan>(plan.simulation).result, dots);
    }

    void longTextsAreRefused()
    {
        auto description = smallDescription(2);
        description.simulation =
            commandPlan(writesNumber) + "#" + std::string(std::size_t{1} << 20, ' ');
        const auto said = errorOf([&] { planOf(description, "/"); });
        QVERIFY2(said.find("1 MiB") != said.npos, said.c_str());
    }

    void whatCrashesHangsOrTakesAllMemoryHarmsNobody()
    {
        using namespace std::chrono_literals;
        const auto how = [](std::chrono::milliseconds patience, const std::function<void()> &work,
                            const std::stop_token &stop = {}) {
            return tryIsolated("It cannot be tried", std::uint64_t{64} << 20, patience, stop, work);
        };
        QCOMPARE(how(20s, [] {}), Isolated::well);
        QCOMPARE(how(20s, [] { throw Error("a sentence"); }), Isolated::well);
        QCOMPARE(how(20s, [] { std::abort(); }), Isolated::crashed);
        QCOMPARE(how(20s, [] { throw std::bad_alloc(); }), Isolated::crashed);
        const auto forEver = [] {
            for (;;)
                ::usleep(1000);
        };
        QCOMPARE(how(300ms, forEver), Isolated::tooLong);
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(how(20s, forEver, stop.get_token()), Isolated::cancelled);
#ifndef __SANITIZE_ADDRESS__
        QCOMPARE(how(20s, [] { std::vector<char>(std::size_t{1} << 30).at(7) = 1; }),
                 Isolated::crashed);
#endif
    }

    void nothingIsExecutedUnasked()
    {
        const Folder folder;
        auto study = foreignStudy(folder / "a.gridhelm", commandPlan(writesNumber));
        const auto refused = [&](auto step) {
            try {
                step();
                return false;
            } catch (const UntrustedExecution &error) {
                return error.execution()->digest() == digestOf(study);
            }
        };
        QVERIFY(refused([&] { runStep(study, {}, numberControl()); }));
        QVERIFY(refused([&] { holdOutStep(study, {{0.3}}, 1, numberControl()); }));
        QVERIFY(!std::filesystem::exists(folder / "ran"));
        QVERIFY(!std::filesystem::exists(workFolderOf(study.path())));

        TrustStore().trust(digestOf(study));
        QCOMPARE(runStep(study, {}, numberControl()).done, std::size_t(3));
        QCOMPARE(holdOutStep(study, {{0.3}}, 1, numberControl()).done, std::size_t(1));
        QVERIFY(std::filesystem::exists(folder / "ran"));
        // The same content is the same wherever it is.
        auto copy = foreignStudy(folder / "b.gridhelm", commandPlan(writesNumber));
        QCOMPARE(runStep(copy, {}, numberControl()).done, std::size_t(3));
    }

    void whatWasAgreedToJustNowIsExecutedOnce()
    {
        const Folder folder;
        const auto toml = commandPlan("command = 'echo {a} > out #once'\nresult = \"out\"\n");
        auto study = foreignStudy(folder / "a.gridhelm", toml);
        auto control = numberControl();
        control.trusted = digestOf(study);
        QCOMPARE(runStep(study, {}, control).done, std::size_t(3));
        QVERIFY(!TrustStore().isTrusted(control.trusted));
    }

    void simulationsOfThisProgramNeedNoTrust()
    {
        const Folder folder;
        const auto plan = parsePlan(
            "[[parameter]]\nname = \"strength\"\n[grid]\nlevel = 2\n[simulation]\nbuiltin = "
            "\"plate\"\nresolution = 9\nfixed = {width = 0.2}\n",
            "plan", "/");
        auto study = StudyWriter::create(folder / "a.gridhelm", plan.description);
        QCOMPARE(runStep(study, {}, {}).done, std::size_t(3));
    }

    void aChangedTemplateIsAskedForAgain()
    {
        const Folder folder;
        writeText(folder / "plan/go", "echo {a} > out\n");
        std::filesystem::create_directories(folder / "far");
        const auto toml =
            commandPlan("command = 'sh go'\ntemplates = [\"go\"]\nresult = \"out\"\n");
        std::string note;
        auto study =
            createStudy(folder / "far/a.gridhelm", parsePlan(toml, "plan", folder / "plan"), note);
        QCOMPARE(note, std::string());
        QCOMPARE(runStep(study, {}, numberControl()).done, std::size_t(3));
        writeText(folder / "plan/go", "echo {a} > out # and more\n");
        RunStep again;
        again.retryFailed = true;
        QVERIFY_EXCEPTION_THROWN(runStep(study, again, numberControl()), UntrustedExecution);
    }

    void aTemplateThatChangesUnderARunFailsTheJob()
    {
        const Folder folder;
        writeText(folder / "go", "echo {a} > out\n");
        const auto toml =
            commandPlan("command = 'sh go'\ntemplates = [\"go\"]\nresult = \"out\"\n");
        auto study = foreignStudy(folder / "a.gridhelm", toml);
        RunnerOptions options{workFolderOf(study.path()), false, readNumber};
        const auto runner = makeJobRunner(planOf(study), options);
        for (const auto *text : {"echo {a} > xut\n", "echo {a} > out; touch ../../evil\n"}) {
            writeText(folder / "go", text);
            const auto end = test::runOne(*runner, {"job-1", {1.0}, {}});
            QVERIFY(end.state == RunState::failed);
            QVERIFY2(end.log.find("since its contents were trusted") != end.log.npos,
                     end.log.c_str());
        }
        QVERIFY(!std::filesystem::exists(folder / "evil"));
    }

    void theDigestCoversAllThatIsExecuted()
    {
        const Execution base{{"a", "b"},
                             false,
                             {{"N", "v"}},
                             "out",
                             {{TemplateFile::Kind::file, "go", "/x/go", 2, "00", true, false}}};
        std::set<std::string> digests{base.digest()};
        std::size_t changes = 1;
        const auto differs = [&](auto change) {
            auto other = base;
            change(other);
            digests.insert(other.digest());
            QCOMPARE(digests.size(), ++changes);
        };
        differs([](Execution &e) { e.command = {"ab"}; });
        differs([](Execution &e) { e.command = {"a", "b", ""}; });
        differs([](Execution &e) { e.command = {"", "ab"}; });
        differs([](Execution &e) { e.shell = true; });
        differs([](Execution &e) { e.environment = {{"Nv", ""}}; });
        differs([](Execution &e) { e.environment = {}; });
        differs([](Execution &e) { e.result = "out2"; });
        differs([](Execution &e) { e.templates[0].sha256 = "01"; });
        differs([](Execution &e) { e.templates[0].target = "og"; });
        differs([](Execution &e) { e.templates[0].isExecutable = true; });
        differs([](Execution &e) { e.templates[0].kind = TemplateFile::Kind::linkedFolder; });
        const auto runsOn = [&](const std::map<std::string, RunSetting> &settings) {
            differs([&](Execution &e) { e.run = {"cluster", settings}; });
        };
        runsOn({});
        runsOn({{"partition", std::string("gpu")}});
        runsOn({{"partition", std::string("")}});
        runsOn({{"nodes", 1}});
        runsOn({{"nodes", 1.0}});
        runsOn({{"nodes", true}});
        runsOn({{"nodes", std::string("1")}});
        runsOn({{"hours", 0.1}});
        runsOn({{"hours", 0.1 + 1e-17 + 1e-16}});
        runsOn({{"nodes", 1}, {"partition", std::string("gpu")}});
        differs([](Execution &e) { e.run.on = "local"; });
        auto elsewhere = base;
        elsewhere.templates[0].source = "/y/go";
        QCOMPARE(elsewhere.digest(), base.digest());
        // What a run delivers does not depend on where it is made, but on what is set up there.
        const auto sent = [&](const std::map<std::string, RunSetting> &settings) {
            auto other = base;
            other.run = {"cluster", settings};
            return other.resultsDigest();
        };
        QCOMPARE(sent({{"time", std::string("30")}, {"host", std::string("far")}}),
                 base.resultsDigest());
        QVERIFY(sent({{"modules", std::string("gcc")}}) != base.resultsDigest());
        QVERIFY(sent({{"setup", std::string("gcc")}}) != sent({{"modules", std::string("gcc")}}));
        elsewhere.templates[0].sha256 = "01";
        QVERIFY(elsewhere.resultsDigest() != base.resultsDigest());
        QCOMPARE(sha256Of("abc"),
                 std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff"
                             "61f20015ad"));
    }

    void theQuestionShowsEverythingAndObeysNothing()
    {
        const Execution execution{
            {"echo \x1b[2J\r\nenvironment:\n\xff\u202e"},
            true,
            {{"NAME", "value\n    | x"}},
            "out",
            {{TemplateFile::Kind::file, "go\n", "/x/go", 2, "00ff", true, true}},
            {"cluster\n", {{"account", std::string("mine\x1b[2J")}, {"nodes", 12}}}};
        const auto text = executionText(execution);
        for (const char *part :
             {"    | echo <U+001B>[2J<U+000D>\n    | environment:\n", "<0xFF><U+202E>",
              "NAME = value\\n    | x", "    | cluster\\n\n", "account = mine<U+001B>",
              "nodes = 12\n", "go\\n, 2 B, text, executable", "SHA-256 00ff", "    | out\n"})
            QVERIFY2(text.find(part) != text.npos, (std::string(part) + "\n" + text).c_str());
        QVERIFY(text.find('\x1b') == text.npos);
        QCOMPARE(validUtf8(std::string("a\0\xff\xc3\xa4\xe2\x82", 7)),
                 std::string("a\uFFFD\uFFFDä\uFFFD"));
    }

    void pathsOfForeignPlansStayBelowTheStudy_data()
    {
        QTest::addColumn<QString>("simulation");
        QTest::addColumn<QString>("part");
        const auto row = [](const char *name, const char *templates, const char *result,
                            const char *part) {
            QTest::newRow(name) << QString("command = 'true'\ntemplates = [\"%1\"]\nresult = "
                                           "\"%2\"\n")
                                       .arg(templates, result)
                                << part;
        };
        row("absolute", "/etc/hostname", "out", "outside of the study's folder");
        row("upwards", "../secret", "out", "outside of the study's folder");
        row("upwards within", "case/../../secret", "out", "outside of the study's folder");
        row("link", "link", "out", "leads out of");
        row("link to a folder", "folder", "out", "leads out of");
        row("link in a folder", "case", "out", "leads out of");
        row("absolute result", "fine", "/etc/hostname", "outside of the job's folder");
        row("upward result", "fine", "../../secret", "outside of the job's folder");
    }
    void pathsOfForeignPlansStayBelowTheStudy()
    {
        QFETCH(QString, simulation);
        QFETCH(QString, part);
        const Folder folder;
        writeText(folder / "secret", "s");
        writeText(folder / "in/fine", "f");
        writeText(folder / "in/case/x", "x");
        std::filesystem::create_symlink("../secret", folder / "in/link");
        std::filesystem::create_directory_symlink("..", folder / "in/folder");
        std::filesystem::create_symlink("../../secret", folder / "in/case/link");
        auto study = foreignStudy(folder / "in/a.gridhelm", commandPlan(simulation.toStdString()));
        const auto plan = planOf(study); // can be looked at all the same
        const auto said = QString::fromStdString(errorOf([&] { executionOf(plan, study.path()); }));
        QVERIFY2(said.contains(part), qPrintable(said));
    }

    void foreignResultsMayNotLeadOutOfTheirFolder()
    {
        const Folder folder;
        writeText(folder / "secret", "5");
        auto study = foreignStudy(folder / "a.gridhelm",
                                  commandPlan("command = 'ln -s ../../secret out'\nresult = "
                                              "\"out\"\n"));
        auto control = numberControl();
        control.trusted = digestOf(study);
        const auto report = runStep(study, {}, control);
        QCOMPARE(report.done, std::size_t(0));
        QVERIFY2(report.firstFailure.find("leads out of the job's folder") != std::string::npos,
                 report.firstFailure.c_str());
    }

    void ownPlansMayLeadAnywhere()
    {
        const Folder folder;
        writeText(folder / "shared", "echo {a} > out\n");
        writeText(folder / "plan/here", "x");
        const auto toml =
            commandPlan("command = 'sh shared'\ntemplates = [\"../shared\", \"here\"]\n"
                        "result = \"out\"\n");
        std::string note;
        std::filesystem::create_directories(folder / "far");
        auto study =
            createStudy(folder / "far/a.gridhelm", parsePlan(toml, "plan", folder / "plan"), note);
        QCOMPARE(note, std::string());
        QCOMPARE(runStep(study, {}, numberControl()).done, std::size_t(3));
        // No path of the author's is in the file, and whoever gets it has to have the templates.
        QVERIFY(study.description().simulation == toml);
        study.close();
        std::filesystem::create_directories(folder / "other");
        std::filesystem::copy_file(folder / "far/a.gridhelm", folder / "other/a.gridhelm");
        auto other = StudyWriter::open(folder / "other/a.gridhelm");
        const auto said = errorOf([&] { runStep(other, {}, numberControl()); });
        QVERIFY2(said.find("'../shared' lies outside") != said.npos, said.c_str());
    }

    void originsAreDroppedAndNotObeyed()
    {
        const Folder folder;
        const auto toml =
            commandPlan("command = 'true'\ntemplates = [\"hostname\"]\nresult = \"out\"\n");
        auto study =
            foreignStudy(folder / "a.gridhelm", toml + "\n[gridhelm-origin]\nfolder = \"/etc\"\n");
        const auto plan = planOf(study);
        QCOMPARE(plan.description.simulation, toml);
        QVERIFY(!errorOf([&] { executionOf(plan, study.path()); }).empty());
        QCOMPARE(parsePlan("gridhelm-origin = {folder = 3}\n" + commandPlan(writesNumber), "p", "/")
                     .description.simulation,
                 commandPlan(writesNumber));
    }

    void whatIsTrustedIsKeptPrivately()
    {
        const Folder folder;
        const TrustStore store(folder / "config/gridhelm");
        std::filesystem::create_directories(folder / "config/gridhelm");
        std::filesystem::permissions(folder / "config/gridhelm", std::filesystem::perms(0775));
        QVERIFY(!store.isTrusted("aa"));
        store.trust("aa");
        store.rememberOwnPlan(folder / "a study", "text", "/plan folder/100 %\n");
        QVERIFY(store.isTrusted("aa") && !store.isTrusted("ab"));
        QCOMPARE(store.ownPlanFolder(folder / "x/../a study", "text"),
                 std::optional<std::filesystem::path>("/plan folder/100 %\n"));
        QVERIFY(!store.ownPlanFolder(folder / "a study", "other text"));
        QVERIFY(!store.ownPlanFolder(folder / "b", "text"));
        QCOMPARE(modeOf(folder / "config/gridhelm"), 0700U);
        QCOMPARE(modeOf(folder / "config/gridhelm/trust"), 0600U);

        std::filesystem::permissions(folder / "config/gridhelm/trust",
                                     std::filesystem::perms(0666));
        QVERIFY(errorOf([&] { store.isTrusted("aa"); }).find("by others") != std::string::npos);
        std::filesystem::rename(folder / "config/gridhelm/trust", folder / "moved");
        std::filesystem::permissions(folder / "moved", std::filesystem::perms(0600));
        std::filesystem::create_symlink(folder / "moved", folder / "config/gridhelm/trust");
        QVERIFY(errorOf([&] { store.isTrusted("aa"); }).find("no link") != std::string::npos);
        QVERIFY(errorOf([&] { store.trust("cc"); }).find("no link") != std::string::npos);
        std::filesystem::remove(folder / "config/gridhelm/trust");
        writeText(folder / "config/gridhelm/trust", "something else\n");
        QVERIFY(!errorOf([&] { store.isTrusted("aa"); }).empty());
        QVERIFY(!errorOf([] { TrustStore("/proc/no").trust("aa"); }).empty());
        QVERIFY(!errorOf([] { TrustStore("").trust("aa"); }).empty());
    }

    void mutatedPlansOfStudiesAreReadOrRefused()
    {
        const std::vector<std::string> texts{
            commandPlan("command = [\"./solve\", \"--a={a}\"]\nresult = \"out_*.vti\"\n"
                        "templates = [\"case.in\", '/etc/x', '../y']\ntime-limit = 600\n"
                        "environment = {A = \"{a}\", B = '''x'''}\n"),
            "[study]\ntitle = \"\"\"P\n\"\"\"\n[[parameter]]\nname = \"x\"\n[grid]\nlevel = 3\n"
            "[simulation]\nbuiltin = \"plate\"\nresolution = 9\nfixed = {width = 0.2}\n"
            "[gridhelm-origin]\nfolder = \"/x\"\n",
        };
        const std::vector<std::string> pieces{"[",   "a.", "{a=", "[[",     "\"\"\"",
                                              "'''", "\"", "1e9", "\n[x]\n"};
        Random random(23);
        const int cases = isLong() ? 500 : 60;
        int accepted = 0;
        for (int i = 0; i < cases; ++i) {
            auto text = damageText(random, texts[random.index(texts.size())]);
            if (random.chance(0.3))
                text.insert(random.index(text.size() + 1),
                            repeated(pieces[random.index(pieces.size())],
                                     random.integer(1, random.chance(0.2) ? 60'000 : 40)));
            auto description = smallDescription(2);
            description.simulation = text;
            const Watchdog watchdog("plan " + std::to_string(i), 40);
            accepted += errorOf([&] { planOf(description, "/nowhere"); }).empty();
        }
        qInfo("%d damaged plans, of which %d can be read", cases, accepted);
        QVERIFY(accepted > 0 && accepted < cases);
    }
};

GRIDHELM_TEST(PlanTrustTest)
#include "tst_plan_trust.moc"
