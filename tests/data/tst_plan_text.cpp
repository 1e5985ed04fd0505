// SPDX-License-Identifier: GPL-3.0-or-later
//
// Changes to a plan's text, key by key.
#include "core/support/error.h"
#include "data/campaign/command_keys.h"
#include "data/campaign/edit_plan.h"
#include "data/campaign/plan_file.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>
#include <string>

using namespace gridhelm;
using namespace gridhelm::data;

namespace {

const std::string commented = "# über alles\n[study]\ntitle = \"Größe\" # kept\n\n"
                              "[[parameter]]   # the first\nname = \"x\"\nlow = 0.25 # left\n\n"
                              "[[parameter]]\nname = \"strength\"\ncap = 2      # linear\n\n"
                              "[grid]\nlevel = 3 # coarse\n[simulation]\nbuiltin = \"plate\"\n";

const std::string inBraces = "parameter = [ {name = \"äh\", low = 0, high = 1}, {name = \"b\", low "
                             "= 0, high = 2, cap = 3} ]\n"
                             "grid = { level = 3 }";

const std::string withCommand =
    "[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 1\n[grid]\nlevel = 2\n[simulation] # why\n"
    "command = [\"./solve\", \"{a}\",\n           \"two words\"] # all of it\n"
    "result = \"r.vtu\"\ntemplates = [\"case.in\"]\ntime-limit = 600\n\n[mesh]\n"
    "kind = \"background\"\npoints = [65, 33]\n";

bool has(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

std::string replaced(std::string text, const std::string &what, const std::string &by)
{
    return text.replace(text.find(what), what.size(), by);
}

} // namespace

class TestPlanText : public QObject
{
    Q_OBJECT

private slots:
    void everythingElseStaysAsItIs()
    {
        QCOMPARE(withParameterKey(commented, 0, "low", "0.5"), replaced(commented, "0.25", "0.5"));
        QCOMPARE(withParameterKey(commented, 1, "cap", std::nullopt),
                 replaced(commented, "cap = 2      # linear\n", ""));
        QCOMPARE(withParameterKey(commented, 0, "high", "0.75"),
                 replaced(commented, "# left\n", "# left\nhigh = 0.75\n"));
        QCOMPARE(withTableKey(commented, "grid", "level", "4"),
                 replaced(commented, "level = 3", "level = 4"));
        QCOMPARE(withTableKey(commented, "study", "title", tomlText("a \"b\" \\")),
                 replaced(commented, "\"Größe\"", "\"a \\\"b\\\" \\\\\""));
        QCOMPARE(withParameter(commented, "y", {}, {}),
                 replaced(commented, "# linear\n", "# linear\n\n[[parameter]]\nname = \"y\"\n"));
        QCOMPARE(withoutParameter(commented, 1),
                 replaced(commented,
                          "\n[[parameter]]\nname = \"strength\"\ncap = 2      # linear\n", ""));
    }

    void tablesInBracesAreChangedInPlace()
    {
        QCOMPARE(withParameterKey(inBraces, 0, "high", "9"),
                 replaced(inBraces, "high = 1", "high = 9"));
        QCOMPARE(withParameterKey(inBraces, 1, "cap", std::nullopt),
                 replaced(inBraces, ", cap = 3", ""));
        QCOMPARE(withParameterKey(inBraces, 0, "unit", tomlText("m")),
                 replaced(inBraces, "\"äh\"", "\"äh\", unit = \"m\""));
        QCOMPARE(withoutParameter(inBraces, 0),
                 replaced(inBraces, "{name = \"äh\", low = 0, high = 1}, ", ""));
        QCOMPARE(withoutParameter(inBraces, 1),
                 replaced(inBraces, ", {name = \"b\", low = 0, high = 2, cap = 3}", ""));
        QCOMPARE(withParameter(inBraces, "c", 0, 1.5),
                 replaced(inBraces, "cap = 3}", "cap = 3}, {name = \"c\", low = 0, high = 1.5}"));
        QCOMPARE(withTableKey(inBraces, "grid", "level", "4"),
                 replaced(inBraces, "level = 3", "level = 4"));
    }

    void directionsOfSpaceComeFirst()
    {
        const std::string scalar = "[study]\nkind = \"scalar\"\n[[space]]\nname = \"px\"\n"
                                   "[[space]]\n[[parameter]]\nname = \"strength\"\n[grid]\n"
                                   "level = 3\n[simulation]\nbuiltin = \"plate\"\n";
        const auto changed = withParameterKey(
            withParameterKey(withParameterKey(scalar, 2, "cap", "2"), 1, "cap", "3"), 0, "cap",
            "1");
        const auto plan = parsePlan(changed, "plan", "/");
        QCOMPARE(plan.description.space[0].levelCap, std::optional(1));
        QCOMPARE(plan.description.space[1].levelCap, std::optional(3));
        QCOMPARE(plan.description.space[2].levelCap, std::optional(2));
    }

    void whatIsWrittenIsRead()
    {
        const auto plan =
            parsePlan(withParameterKey(withParameterKey(commented, 0, "low", tomlNumber(1.0 / 3)),
                                       0, "unit", tomlText("µm \"\\\n")),
                      "plan", "/");
        QCOMPARE(plan.description.space[0].low, 1.0 / 3);
        QCOMPARE(plan.description.space[0].unit, std::string("µm \"\\ "));
    }

    void mutatedTextsAreChangedOrRefused()
    {
        std::mt19937 random(11);
        for (int i = 0; i < 500; ++i) {
            auto text = i % 2 == 0 ? commented : inBraces;
            for (int k = 0; k < 3; ++k)
                text[random() % text.size()] = static_cast<char>(random() % 256);
            const auto attempt = [&](auto change) {
                try {
                    change();
                } catch (const Error &) {
                    // anything else fails the test
                }
            };
            attempt([&] { withParameterKey(text, 1, "cap", "3"); });
            attempt([&] { withParameterKey(text, 0, "low", std::nullopt); });
            attempt([&] { withParameter(text, "n", {}, 1); });
            attempt([&] { withoutParameter(text, 1); });
            attempt([&] { withTableKey(text, "grid", "level", "2"); });
            attempt([&] { withoutTable(text, "grid"); });
            attempt([&] { withCommandKeys(text, {{"a"}, false, "r", {"t"}, {}, {}, {}, {}, {}}); });
        }
    }

    void commandsAreReadAndWrittenKeyByKey()
    {
        const auto keys = commandKeysOf(withCommand);
        QVERIFY(keys);
        QCOMPARE(keys->command, (std::vector<std::string>{"./solve", "{a}", "two words"}));
        QVERIFY(!keys->shell);
        QCOMPARE(keys->templates, std::vector<std::string>{"case.in"});
        QCOMPARE(keys->timeLimit, std::optional(600.0));
        QCOMPARE(keys->mesh, std::string("background"));
        QCOMPARE(keys->meshPoints, (std::vector{65, 33}));
        QCOMPARE(withCommandKeys(withCommand, *keys), withCommand);

        auto changed = *keys;
        changed.result = "r_{a}.vtu";
        QCOMPARE(withCommandKeys(withCommand, changed),
                 replaced(withCommand, "\"r.vtu\"", "\"r_{a}.vtu\""));
        changed = *keys;
        changed.timeLimit.reset();
        changed.mesh.clear();
        changed.meshPoints.clear();
        changed.fields = {"u", "p"};
        const auto text = withCommandKeys(withCommand, changed);
        QVERIFY2(!has(text, "time-limit") && !has(text, "[mesh]") && has(text, "# why")
                     && has(text, "fields = [\"u\", \"p\"]"),
                 text.c_str());
        QVERIFY(commandKeysOf(text) == changed);
        QVERIFY(!commandKeysOf(commented));
        QVERIFY(!commandKeysOf("= no TOML"));
    }

    void anyCommandIsWrittenAsItIs()
    {
        CommandKeys keys;
        keys.shell = true;
        keys.environment = {{"A B", "1"}, {"C", "\"quoted\" \\ {a}"}};
        for (const char *script : {"a && b > 'c'", "one\ntwo\n", "\ttab \"\x01\"", "it's '''\nodd",
                                   "ends in a quote\n'", "back\\slash\n"}) {
            keys.command = {script};
            const auto text = withCommandKeys("[simulation]\ncommand = \"x\"\n", keys);
            QVERIFY2(commandKeysOf(text) == keys, text.c_str());
        }
    }

    void aTableOfItsOwnIsLeftToTheText()
    {
        const std::string text = "[simulation]\ncommand = [\"x\"]\n[simulation.environment]\n"
                                 "A = \"1\"\n";
        auto keys = *commandKeysOf(text);
        QCOMPARE(keys.environment.at("A"), std::string("1"));
        keys.environment["A"] = "2";
        try {
            withCommandKeys(text, keys);
            QFAIL("it was written");
        } catch (const Error &error) {
            QVERIFY2(has(error.what(), "change it in the text"), error.what());
        }
    }

    void problemsSayTheirLine()
    {
        try {
            parsePlan(replaced(commented, "level = 3", "level = 31"), "plan", "/");
            QFAIL("level 31 was taken");
        } catch (const PlanError &error) {
            QCOMPARE(error.line(), 14);
        }
        try {
            parsePlan("[study]\ntitle = = 2\n", "plan", "/");
            QFAIL("that is not valid TOML");
        } catch (const PlanError &error) {
            QCOMPARE(error.line(), 2);
        }
    }
};

GRIDHELM_TEST(TestPlanText)
#include "tst_plan_text.moc"
