// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/cluster/cluster_check.h"

#include "core/support/error.h"
#include "data/campaign/cluster/slurm_ends.h"
#include "data/campaign/run_token.h"
#include "data/campaign/work_folder.h"
#include "data/study/private_folder.h"

#include <fstream>
#include <thread>
#include <vector>

namespace gridhelm::data {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds betweenLooks(500);

/// Where it ran, if what it wrote is here.
std::string nodeIn(const std::filesystem::path &folder)
{
    std::string node;
    std::ifstream(folder / "node") >> node;
    return node;
}

} // namespace

ClusterCheck checkCluster(const SlurmSettings &settings, std::chrono::seconds patience,
                          const std::stop_token &stop)
{
    const SlurmCluster cluster(settings);
    ClusterCheck check;
    check.facts = cluster.contact(stop);
    const auto &folder = check.facts.folder;
    const std::vector<std::string> token{newToken("check")};
    const PrivateFolder empty;
    const RunParcel parcel{token.front(),
                           {"/bin/sh", "-c", "uname -n >node"},
                           {},
                           [&](const auto &take) { take(empty.path()); }};
    const auto begin = Clock::now();
    const auto removed = [&] { cluster.look(folder, {}, token); };
    try {
        cluster.submit(folder, {&parcel, 1}, {}, {}, stop);
    } catch (const Error &) {
        removed();
        throw;
    }
    RunSeen seen;
    do {
        std::this_thread::sleep_for(betweenLooks);
        if (const auto all = cluster.look(folder, token))
            seen = all->front();
    } while (seen.place != RunSeen::Place::ended && Clock::now() - begin < patience
             && !stop.stop_requested());
    check.isQueued = seen.isPending;
    if (seen.place != RunSeen::Place::ended) {
        cluster.cancel(folder, token);
        cluster.claim(folder, token);
        removed();
        return check;
    }
    if (seen.code != 0) {
        const auto log = cluster.log(folder, token.front());
        removed();
        throw Error("the job that does nothing has failed: " + failureText({}, seen.code, settings)
                    + (log.empty() ? "" : "; it has printed: " + log));
    }
    const PrivateFolder here;
    WorkFolder folders(here.path() / "check.jobs");
    const auto results = folders.begin("run-1");
    check.log = cluster.fetch(folder, token.front(), results, stop);
    check.node = nodeIn(results.path());
    check.hasRun = !check.node.empty();
    check.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    removed();
    return check;
}

} // namespace gridhelm::data
