// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tuned constants that are kept in a file, and what is believed of one.
#include "core/support/error.h"
#include "core/tuning/cpu_cases.h"
#include "core/tuning/known_cases.h"
#include "core/tuning/machine_tuning.h"
#include "core/tuning/saved_tuning.h"
#include "core/tuning/search_space.h"
#include "core/tuning/tuning_file.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace gridhelm;
using namespace gridhelm::tuning;
using namespace gridhelm::test;

namespace {

const TunedMachine someMachine{"1.0 abc", "a CPU", 4};

std::vector<TuningEntry> someEntries()
{
    return {{{"interpolation, 4 dimensions", "cpu", 4, 12},
             "dimension 4",
             {{"lock-step", 8}, {"task", 1024}},
             1.25,
             0.5},
            {{"red-black, 2 dimensions", "cpu", 8, 20}, "2048^2 unknowns", {}, 1, 0.25}};
}

std::string textOf(const std::filesystem::path &path)
{
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

void write(const std::filesystem::path &path, const std::string &text)
{
    std::ofstream(path) << text;
    std::filesystem::permissions(path, std::filesystem::perms::owner_read
                                           | std::filesystem::perms::owner_write);
}

} // namespace

class TuningFileTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QVERIFY(m_folder.emplace().isValid());
        m_file = tuningFile(m_folder->path().toStdString() + "/new/folder", someMachine);
    }
    void cleanup() { m_folder.reset(); }

    void whatIsWrittenIsRead();
    void anotherMachineOrProgramIsRefused();
    void machinesThatShareAHomeHaveFilesOfTheirOwn();
    void aDamagedFileIsRefused();
    void aFileThatOthersCanWriteIsRefused();
    void aLinkIsRefused();
    void aLinkIsReplacedAndNotFollowed();
    void whatIsNoFileIsRefused();
    void newEntriesReplaceThoseOfTheirKey();
    void whatWasNotJudgedChangesNothing();
    void eachDeviceHasItsOwnFile();
    void aGpusConstantsAreReadWhenTheyAreAskedFor();
    void whatCannotBeChosenIsNotKnown();
    void devicesHaveTheirTurns();
    void allCasesHaveTheirTurn();
    void anUnknownOperationIsRefusedWithTheNames();

private:
    std::optional<QTemporaryDir> m_folder;
    std::filesystem::path m_file;
};

void TuningFileTest::whatIsWrittenIsRead()
{
    QVERIFY(!readTuning(m_file, someMachine));
    writeTuning(m_file, someMachine, someEntries());
    const auto read = readTuning(m_file, someMachine).value();
    QCOMPARE(read.size(), std::size_t{2});
    QVERIFY(read[0].key == someEntries()[0].key);
    QVERIFY(read[0].constants == someEntries()[0].constants);
    QCOMPARE(read[0].gain, 1.25);
    QCOMPARE(read[1].seconds, 0.25);
    QVERIFY(read[1].constants.empty());
    const auto table = tableOf(read);
    QCOMPARE(table.find(read[0].key, "lock-step", 4), 8);
    QCOMPARE(table.find(read[0].key, "task", 512), 1024);
    QCOMPARE(table.find(read[1].key, "pass", 0), 0);
}

void TuningFileTest::anotherMachineOrProgramIsRefused()
{
    writeTuning(m_file, someMachine, someEntries());
    for (const auto &other : {TunedMachine{"1.0 abd", "a CPU", 4}, TunedMachine{"1.0 abc", "b", 4},
                              TunedMachine{"1.0 abc", "a CPU", 8}})
        QVERIFY(isRefused([&] { (void)readTuning(m_file, other); }, "another machine"));
    QVERIFY(tunedMachine(onCpu(1)).threads == 1);
    QVERIFY(!(tunedMachine(onCpu(1)) == tunedMachine(onCpu(2))));
}

void TuningFileTest::machinesThatShareAHomeHaveFilesOfTheirOwn()
{
    const auto other = tuningFile(m_file.parent_path(), {"1.0 abc", "another CPU", 4});
    QVERIFY(other != m_file);
    QVERIFY(tuningFile(m_file.parent_path(), {"1.0 abc", "a CPU", 2}) != m_file);
    // A new version of the program replaces the table of the old one.
    QVERIFY(tuningFile(m_file.parent_path(), {"2.0", "a CPU", 4}) == m_file);
    QVERIFY(tuningFile({}, someMachine).empty());
}

void TuningFileTest::aDamagedFileIsRefused()
{
    writeTuning(m_file, someMachine, someEntries());
    const auto whole = textOf(m_file);
    for (std::size_t length = 0; length + 1 < whole.size(); length += 7) {
        write(m_file, whole.substr(0, length));
        QVERIFY(isRefused([&] { (void)readTuning(m_file, someMachine); }, "is damaged"));
    }
    const auto withInstead = [&](const std::string &was, const std::string &becomes) {
        auto text = whole;
        text.replace(text.find(was), was.size(), becomes);
        write(m_file, text);
    };
    for (const auto &[was, becomes] :
         {std::pair{"1.25", "-3"}, std::pair{"1.25", "\"fast\""}, std::pair{"\"entries\"", "\"e\""},
          std::pair{"1024", "\"many\""}, std::pair{"\"machine\"", "\"m\""}}) {
        withInstead(was, becomes);
        QVERIFY(isRefused([&] { (void)readTuning(m_file, someMachine); }, "is damaged"));
    }
    withInstead("tuned for this machine", "of another program");
    QVERIFY(isRefused([&] { (void)readTuning(m_file, someMachine); }, "another program's file"));
    write(m_file, std::string(std::size_t{2} << 20, ' '));
    QVERIFY(isRefused([&] { (void)readTuning(m_file, someMachine); }, "too long"));
}

void TuningFileTest::aFileThatOthersCanWriteIsRefused()
{
    using std::filesystem::perms;
    writeTuning(m_file, someMachine, someEntries());
    for (const auto others : {perms::group_write, perms::others_write}) {
        std::filesystem::permissions(m_file, perms::owner_read | perms::owner_write | others);
        QVERIFY(
            isRefused([&] { (void)readTuning(m_file, someMachine); }, "can be written by others"));
    }
    writeTuning(m_file, someMachine, someEntries()); // again: its own
    QVERIFY(readTuning(m_file, someMachine).has_value());
}

void TuningFileTest::aLinkIsRefused()
{
    writeTuning(m_file, someMachine, someEntries());
    const auto aside = m_file.parent_path() / "aside.json";
    std::filesystem::rename(m_file, aside);
    std::filesystem::create_symlink(aside, m_file);
    QVERIFY(isRefused([&] { (void)readTuning(m_file, someMachine); }, "is a link"));
}

void TuningFileTest::aLinkIsReplacedAndNotFollowed()
{
    using std::filesystem::perms;
    const auto victim = std::filesystem::path(m_folder->path().toStdString()) / "victim";
    write(victim, "mine");
    std::filesystem::permissions(victim, perms::owner_read);
    std::filesystem::create_directories(m_file.parent_path());
    std::filesystem::create_symlink(victim, m_file);
    writeTuning(m_file, someMachine, someEntries());
    QCOMPARE(textOf(victim), std::string("mine"));
    QVERIFY(std::filesystem::status(victim).permissions() == perms::owner_read);
    QVERIFY(!std::filesystem::is_symlink(m_file));
    QCOMPARE(readTuning(m_file, someMachine).value().size(), std::size_t{2});
    QVERIFY(std::filesystem::status(m_file).permissions()
            == (perms::owner_read | perms::owner_write));
    QCOMPARE(std::ranges::distance(std::filesystem::directory_iterator(m_file.parent_path())), 1);
}

void TuningFileTest::whatIsNoFileIsRefused()
{
    std::filesystem::create_directories(m_file);
    QVERIFY(isRefused([&] { (void)readTuning(m_file, someMachine); }, "is no file"));
}

void TuningFileTest::newEntriesReplaceThoseOfTheirKey()
{
    auto again = someEntries();
    again.pop_back();
    again[0].constants = {{"task", 128}};
    const auto all = merged(again, someEntries());
    QCOMPARE(all.size(), std::size_t{2});
    QCOMPARE(tableOf(all).find(all[0].key, "task", 0), 128);
    QCOMPARE(tableOf(all).find(all[0].key, "lock-step", 4), 4);
    QCOMPARE(all[1].work, std::string("2048^2 unknowns"));
}

void TuningFileTest::whatWasNotJudgedChangesNothing()
{
    qputenv("XDG_CACHE_HOME", m_folder->path().toUtf8());
    const auto context = onCpu(1);
    const auto all = cpuCases(1);
    TunedCase tuned;
    tuned.tuned = all.front();
    tuned.compiledIn = spaceOf(*tuned.tuned.operation).start;
    tuned.best = tuned.compiledIn;
    tuned.best.front() = 1024;
    tuned.gain = 1.5;
    tuned.isKept = true;
    QVERIFY(saveTuning({tuned}, context));
    const auto present = savedTuning(context);
    QCOMPARE(present.size(), std::size_t{1});
    QCOMPARE(present[0].constants.at("tile"), 1024);
    for (auto how : {&TunedCase::isCut, &TunedCase::isDisturbed}) {
        auto again = tuned;
        again.isKept = false;
        again.*how = true;
        QVERIFY(saveTuning({again}, context));
        QCOMPARE(savedTuning(context)[0].constants.at("tile"), 1024);
        QCOMPARE(savedTuning(context)[0].gain, 1.5);
    }
    auto judged = tuned;
    judged.isKept = false;
    QVERIFY(saveTuning({judged}, context));
    QCOMPARE(savedTuning(context)[0].constants.at("tile"), 128); // better than a neighbour's
    QCOMPARE(savedTuning(context)[0].gain, 1.0);
}

/// As the file of a GPU is: of another driver, or with other constants to choose, it is of no use.
void TuningFileTest::eachDeviceHasItsOwnFile()
{
    qputenv("XDG_CACHE_HOME", m_folder->path().toUtf8());
    const auto context = onCpu(1);
    const auto gpu = tunedMachine(cpuOperations(), "a GPU, driver 1", 0);
    TunedCase tuned;
    tuned.tuned = cpuCases(1).front();
    tuned.tuned.key.device = "gpu";
    tuned.compiledIn = spaceOf(*tuned.tuned.operation).start;
    tuned.best = tuned.compiledIn;
    tuned.best.front() = 1024;
    tuned.isKept = true;
    QVERIFY(saveTuning({tuned}, gpu, context));
    QVERIFY(savedTuningFile(gpu) != savedTuningFile(context));
    QVERIFY(savedTuning(context).empty());
    const auto saved = savedTuning(gpu, context);
    QCOMPARE(saved.size(), std::size_t{1});
    QCOMPARE(saved[0].key, tuned.tuned.key);
    QCOMPARE(tableOf(saved).find(tuned.tuned.key, "tile", 0), 1024);
    QVERIFY(savedTuning(tunedMachine(cpuOperations(), "a GPU, driver 2", 0), context).empty());
    const auto fewer = cpuOperations().first(2);
    const auto older = tunedMachine(fewer, gpu.hardware, 0);
    QCOMPARE(savedTuningFile(older), savedTuningFile(gpu));
    QVERIFY(savedTuning(older, context).empty());
}

void TuningFileTest::aGpusConstantsAreReadWhenTheyAreAskedFor()
{
    const auto key = [](const char *device) { return TuningKey{"interpolation", device, 4, 12}; };
    int reads = 0;
    TuningTable table;
    table.set(key("cpu"), "task", 128);
    table.readLater("gpu", [&] {
        ++reads;
        TuningTable later;
        later.set(key("gpu"), "threads", 64 * reads);
        return later;
    });
    const auto copy = table;
    QCOMPARE(table.find(key("cpu"), "task", 1), 128);
    QCOMPARE(table.find(key("cpu"), "tile", 1), 1);
    QCOMPARE(reads, 0);
    QCOMPARE(table.find(key("gpu"), "threads", 1), 64);
    QCOMPARE(copy.find(key("gpu"), "threads", 1), 64);
    QCOMPARE(table.find(key("gpu"), "rows", 7), 7);
    QCOMPARE(reads, 1);
    table.set(key("gpu"), "threads", 32); // what is set goes first
    QCOMPARE(table.find(key("gpu"), "threads", 1), 32);
    QCOMPARE(TuningTable().find(key("gpu"), "threads", 5), 5);
}

void TuningFileTest::whatCannotBeChosenIsNotKnown()
{
    qputenv("XDG_CACHE_HOME", m_folder->path().toUtf8());
    auto cpu = tuningCpu(onCpu(2));
    cpu.cases = casesOf({"combination"}, cpu.cases);
    cpu.cases.resize(1);
    const auto &operation = *cpu.cases[0].operation;
    const auto knownWith = [&](const std::map<std::string, int> &constants) {
        writeTuning(savedTuningFile(cpu.machine), cpu.machine,
                    {{cpu.cases[0].key, "some work", constants, 1.5, 0.25}});
        auto devices = std::vector{cpu};
        const auto known = takeKnown(devices);
        if (known.size() + countOfCases(devices) != 1)
            qFatal("a case is neither known nor left, or both");
        return known.size() == 1;
    };
    const auto possible = constantsOf(operation, spaceOf(operation).start);
    QVERIFY(knownWith(possible));
    auto impossible = possible;
    impossible.begin()->second = -64;
    QVERIFY(!knownWith(impossible));
    impossible = possible;
    impossible.erase(impossible.begin());
    QVERIFY(!knownWith(impossible));
    impossible = possible;
    impossible["another"] = 1;
    QVERIFY(!knownWith(impossible));
    // Nor what no int holds.
    const auto file = savedTuningFile(cpu.machine);
    writeTuning(file, cpu.machine, {{cpu.cases[0].key, "some work", {{"tile", 7777}}, 1.5, 0.25}});
    auto text = textOf(file);
    text.replace(text.find("7777"), 4, "9000000000000000000");
    write(file, text);
    QVERIFY(isRefused([&] { (void)readTuning(file, cpu.machine); }, "is damaged"));
}

void TuningFileTest::devicesHaveTheirTurns()
{
    auto cpu = tuningCpu(onCpu());
    cpu.cases.resize(1);
    cpu.cases[0].work = dispatch::PoissonWork{"tuned", solvers::Precision::float32, 2, 64, 8};
    auto other = cpu;
    other.name = "gpu:0";
    other.cases.push_back(cpu.cases[0]);
    std::vector<std::size_t> begun;
    std::vector<std::string> names;
    MachineTuneOptions options;
    options.each.comparisons = 1;
    options.begins = [&](const TuningCase &, std::size_t index, std::size_t count) {
        QCOMPARE(count, std::size_t{3});
        begun.push_back(index);
    };
    options.deviceBegins = [&](const TuningDevice &device) { names.push_back(device.name); };
    const auto tuned = tuneDevices(std::vector{cpu, other}, options);
    QCOMPARE(tuned.size(), std::size_t{2});
    QCOMPARE(tuned[0].size(), std::size_t{1});
    QCOMPARE(tuned[1].size(), std::size_t{2});
    QCOMPARE(begun, (std::vector<std::size_t>{0, 1, 2}));
    QCOMPARE(names, (std::vector<std::string>{"cpu", "gpu:0"}));
}

void TuningFileTest::allCasesHaveTheirTurn()
{
    std::vector<TuningCase> cases;
    for (const auto &each : cpuCases(2)) {
        if (each.operation->name == "jacobi tuned" && cases.size() < 3) {
            cases.push_back(each);
            cases.back().work =
                dispatch::PoissonWork{"tuned", solvers::Precision::float32, 2, 64, 8};
        }
    }
    std::vector<std::size_t> begun;
    std::size_t ended = 0;
    MachineTuneOptions options;
    options.each.comparisons = 1;
    options.begins = [&](const TuningCase &, std::size_t index, std::size_t count) {
        QCOMPARE(count, std::size_t{3});
        begun.push_back(index);
    };
    options.ended = [&](const TunedCase &) { ++ended; };
    QCOMPARE(tuneMachine(cases, dispatch::cpuCandidate(), onCpu(), options).size(), std::size_t{3});
    QCOMPARE(begun, (std::vector<std::size_t>{0, 1, 2}));
    QCOMPARE(ended, std::size_t{3});
    // What cannot be done is told, and the others are tuned.
    cases[1].work = dispatch::PoissonWork{"temporal", solvers::Precision::float32, 3, 16, 8};
    std::string problem;
    options.begins = {};
    options.failed = [&](const TuningCase &, const std::string &sentence) { problem = sentence; };
    QCOMPARE(tuneMachine(cases, dispatch::cpuCandidate(), onCpu(), options).size(), std::size_t{2});
    QVERIFY(!problem.empty());
    std::stop_source stop;
    options.each.stop = stop.get_token();
    options.ended = [&](const TunedCase &) { stop.request_stop(); };
    QCOMPARE(tuneMachine(cases, dispatch::cpuCandidate(), onCpu(), options).size(), std::size_t{1});
}

void TuningFileTest::anUnknownOperationIsRefusedWithTheNames()
{
    const auto all = cpuCases(2);
    QCOMPARE(casesOf({}, all).size(), all.size());
    const auto some = casesOf({"pmm", "combination"}, all);
    QVERIFY(!some.empty() && some.size() < all.size());
    QVERIFY(isRefused([&] { (void)casesOf({"interpolaton"}, all); }, "combination, interpolation"));
}

GRIDHELM_TEST(TuningFileTest)
#include "tst_tuning_file.moc"
