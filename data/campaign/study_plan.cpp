// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/study_plan.h"

#include "core/support/error.h"
#include "data/campaign/execution.h"
#include "data/campaign/trust_store.h"
#include "data/support/isolated_process.h"
#include "data/support/sha256.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <variant>

namespace gridhelm::data {

namespace {

constexpr const char *source = "the study's plan";
constexpr std::chrono::seconds patience{10};
constexpr std::uint64_t memory = std::uint64_t{512} << 20;

/// Texts that were parsed once without harm: a window asks for the same plan many times.
class HarmlessTexts
{
public:
    bool contains(const std::string &digest) const
    {
        const std::scoped_lock lock(m_mutex);
        return m_digests.contains(digest);
    }

    void add(const std::string &digest)
    {
        const std::scoped_lock lock(m_mutex);
        if (m_digests.size() >= 1000)
            m_digests.clear();
        m_digests.insert(digest);
    }

private:
    mutable std::mutex m_mutex;
    std::set<std::string> m_digests;
};

/// Throws PlanError if parsing the text would crash, hang, or take all memory.
void requireHarmless(const std::string &text, const std::stop_token &stop)
{
    static HarmlessTexts harmless;
    const auto digest = sha256Of(text);
    if (text.size() > largestPlanText || harmless.contains(digest))
        return; // too long: parsePlan() says so, and looks no further
    const auto fail = [](const std::string &why) {
        throw PlanError(std::string(source) + " " + why
                            + "; let the study follow a plan of yours with: gridhelm-cli plan "
                              "FILE.toml --update STUDY",
                        0);
    };
    switch (tryIsolated("The study's plan cannot be read", memory, patience, stop,
                        [&] { parsePlan(text, source, "/", PlanPlace::foreignStudy); })) {
    case Isolated::well:
        harmless.add(digest);
        return;
    case Isolated::crashed:
        fail("makes its reader crash, or wants more memory than a plan can need");
        break;
    case Isolated::tooLong:
        fail("keeps its reader busy for more than 10 s");
        break;
    case Isolated::cancelled:
        throw Error("Interrupted while the study's plan was read; nothing was done");
    }
}

Plan planOf(const StudyDescription &description, const std::filesystem::path &folder,
            PlanPlace place, const std::stop_token &stop)
{
    if (description.simulation.empty())
        throw Error("The study does not say how its jobs are run; make it with: gridhelm-cli plan "
                    "FILE.toml");
    requireHarmless(description.simulation, stop);
    auto plan = parsePlan(description.simulation, source, folder, place);
    auto text = std::move(plan.description.simulation); // without what older versions added
    plan.description = description;
    plan.description.simulation = std::move(text);
    return plan;
}

void remember(const std::filesystem::path &study, const Plan &plan, std::string &note)
{
    const auto *command = std::get_if<CommandPlan>(&plan.simulation);
    if (!command)
        return; // nothing is executed
    try {
        const TrustStore store;
        store.rememberOwnPlan(study, plan.description.simulation,
                              std::filesystem::absolute(command->folder).lexically_normal());
        store.trust(executionOf(*command, plan.run, study).digest());
    } catch (const Error &error) {
        note = std::string(error.what())
               + " (the study is made; before its command is run, you will be asked)";
    }
}

} // namespace

void tryPlan(const Study &study, const std::stop_token &stop)
{
    if (!study.description().simulation.empty())
        planOf(study, stop);
}

Plan planOf(const Study &study, const std::stop_token &stop)
{
    const auto &description = study.description();
    const auto here = std::filesystem::absolute(study.path()).lexically_normal().parent_path();
    std::optional<std::filesystem::path> own;
    try {
        own = TrustStore().ownPlanFolder(study.path(), description.simulation);
    } catch (const Error &) { // said when something is to be executed
    }
    return planOf(description, own.value_or(here),
                  own ? PlanPlace::ownStudy : PlanPlace::foreignStudy, stop);
}

Plan planOf(const StudyDescription &description, const std::filesystem::path &folder,
            const std::stop_token &stop)
{
    return planOf(description, folder, PlanPlace::foreignStudy, stop);
}

StudyWriter createStudy(const std::filesystem::path &path, const Plan &plan, std::string &note,
                        const std::stop_token &stop)
{
    if (plan.runs > 0 && std::holds_alternative<std::monostate>(plan.simulation))
        throw Error("the plan's runs are chosen by the program, and it has no [simulation] to run "
                    "them: add one; or take their parameters with: gridhelm-cli plan PLAN --csv "
                    "FILE --dry-run, and import your runs with: gridhelm-cli import --table");
    auto study = StudyWriter::create(path, plan.description, stop);
    remember(study.path(), plan, note);
    return study;
}

void setPlan(StudyWriter &study, const Plan &plan, std::string &note)
{
    auto transaction = study.transaction();
    study.setSimulation(plan.description.simulation);
    transaction.commit();
    remember(study.path(), plan, note);
}

} // namespace gridhelm::data
