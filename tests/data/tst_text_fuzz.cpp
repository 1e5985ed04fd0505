// SPDX-License-Identifier: GPL-3.0-or-later
//
// Damaged plans, tables of imports, and files of values and points: read, or refused with a
// sentence; no crash, no hang, no change.
#include "app/cli/data_files.h"
#include "core/support/error.h"
#include "core/support/value_file.h"
#include "data/campaign/import_files.h"
#include "data/campaign/plan_cost.h"
#include "data/campaign/study_plan.h"
#include "tests/core/damage.h"
#include "tests/core/watchdog.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

constexpr unsigned seconds = 20; // instrumented, on a busy machine

const std::vector<std::string> plans{
    R"([study]
title = "Plate"
[[parameter]]
name = "x"
[[parameter]]
name = "strength"
low = 0.5
high = 2
scale = "logarithmic"
treatment = "boundary"
cap = 2
[grid]
level = 3
[simulation]
builtin = "plate"
resolution = 9
fixed = {width = 0.2}
fields = ["temperature"]
)",
    R"([[parameter]]
name = "Re"
low = 10
high = 40
[[parameter]]
name = "t"
low = 0.1
high = 0.2
kind = "time-like"
[grid]
level = 4
[simulation]
builtin = "cavity"
resolution = 9
)",
    R"([[parameter]]
name = "F"
low = 1
high = 2
[grid]
level = 3
[simulation]
builtin = "folds"
resolution = 9
)",
    R"([study]
title = "A command"
[[parameter]]
name = "a"
unit = "m/s"
low = 1
high = 2
[[parameter]]
name = "t"
kind = "time-like"
low = 0
high = 10
[grid]
level = 4
[simulation]
command = ["./solve", "--a={a}", "{times}"]
result = "out_{t}.vti"
templates = ["case.in"]
time-limit = 600
environment = {OMP_NUM_THREADS = "1", A = "{a}"}
)",
};

/// action(text) for damaged versions of the texts; every exception but gridhelm::Error escapes.
/// How many were accepted.
template <typename Action>
int fuzz(const char *what, const std::vector<std::string> &texts, int cases, Action action)
{
    Random random(11);
    int accepted = 0;
    for (int i = 0; i < cases; ++i) {
        const auto text = damageText(random, texts[random.index(texts.size())]);
        const Watchdog watchdog(std::string(what) + " " + std::to_string(i), seconds);
        try {
            action(text);
            ++accepted;
        } catch (const Error &error) {
            if (std::string(error.what()).size() < 10)
                throw std::runtime_error("no sentence");
        }
    }
    qInfo("%s: %d damaged ones, of which %d can be read", what, cases, accepted);
    return accepted;
}

} // namespace

class TextFuzzTest : public QObject
{
    Q_OBJECT

private slots:
    void plansAreReadOrRefused()
    {
        const int cases = isLong() ? 1500 : 300;
        const auto accepted = fuzz("plans", plans, cases, [](const std::string &text) {
            const auto plan = parsePlan(text, "p.toml", "/nowhere");
            static_cast<void>(costOf(plan, plan.description.space, plan.description.level));
            static_cast<void>(planOf(plan.description, "/nowhere")); // as the study keeps it
        });
        QVERIFY(accepted > 0 && accepted < cases);
    }

    void tablesAreReadOrRefused()
    {
        const auto space = smallDescription(3).space;
        const int cases = isLong() ? 800 : 300;
        const std::vector<std::string> tables{
            "Re,lid,t,file\n100,0.5,0,a.vti\n1000,1.5,2.5,b.vti\n300,1,5,\"c, d.vti\"\n",
            "\xEF\xBB\xBF# made by hand\nfile,t,lid,Re\r\n\"a\"\"b.vti\", 1, 1, 200\r\n",
        };
        const std::vector<std::filesystem::path> named{"a", "b", "c"};
        const auto accepted = fuzz("tables", tables, cases, [&](const std::string &text) {
            const bool areNamed = text.size() % 4 == 0;
            const auto rows =
                importRows(TextTable(text, "t.csv"), "/nowhere", space,
                           areNamed ? std::span(named) : std::span<const std::filesystem::path>());
            for (const auto &row : rows) {
                if (row.parameters.size() != 3 || row.file.empty())
                    throw std::runtime_error("half a row was accepted");
            }
        });
        QVERIFY(accepted > 0 && accepted < cases);
    }

    void valuesAndPointsAreReadOrRefused()
    {
        const Folder folder;
        const int cases = isLong() ? 500 : 200;
        bool wasChanged = false;
        const std::vector<std::string> texts{"0.5\n1\n-2e-3\n4\n", "0.25, 0.5\n1,0\n0.1,0.9\n"};
        const auto accepted = fuzz("numbers", texts, cases, [&](const std::string &text) {
            const auto path = folder / (text.size() % 3 == 0 ? "values.f64" : "values.txt");
            const std::vector<char> bytes(text.begin(), text.end());
            writeBytes(path, bytes);
            struct Unchanged
            {
                const std::filesystem::path &path;
                const std::vector<char> &bytes;
                ~Unchanged() { wasChanged = wasChanged || bytesOf(path) != bytes; }
                bool &wasChanged;
            } unchanged{path, bytes, wasChanged};
            const auto name = path.string();
            const auto numbers = text.find(',') == std::string::npos ? readValues(name, 4, "give 4")
                                                                     : cli::readPoints(name, 2);
            for (double number : numbers) {
                if (!std::isfinite(number))
                    throw std::runtime_error("no finite number was accepted");
            }
        });
        QVERIFY(accepted > 0 && accepted < cases);
        QVERIFY(!wasChanged);
    }
};

GRIDHELM_TEST(TextFuzzTest)
#include "tst_text_fuzz.moc"
