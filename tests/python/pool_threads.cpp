// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pool of processes alone, as a module that stands in for gridhelm._native: for
// .ci/check-python-threads, which builds it with the thread sanitizer.
#include "app/python/process_runner.h"
#include "core/support/error.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace gridhelm::python {

// The rest of its file needs all of data.
Callable::Callable(nb::object object)
    : m_object(new nb::object(std::move(object)), [](nb::object *held) {
        const nb::gil_scoped_acquire lock;
        delete held;
    })
{
}

} // namespace gridhelm::python

namespace {

using namespace gridhelm;
using Counts = std::map<std::string, int>;

struct Campaign
{
    int runs = 0;
    std::size_t atATime = 1;
    unsigned cancelled = 0; ///< about one in so many that are looked at; 0: none
    int endAfter = 0; ///< so many have ended, the runner goes, with what it has in hand; 0: never
};

/// The k-th run has a k, and delivers it; see pool_threads.py.
data::RunRequest requestOf(int k)
{
    return {"run-" + std::to_string(k), {double(k)}, {}, [](data::RunSnapshot snapshot) {
                snapshot.values.at(0).at(0) += 1; // by the thread that has read it
                return snapshot;
            }};
}

/// How one that has ended is collected, and forgotten.
std::string collect(data::JobRunner &runner, const std::string &id, data::RunStatus status)
{
    static constexpr std::array names{"queued", "running",   "finished",
                                      "failed", "cancelled", "lost"};
    bool isRight = true;
    if (status.state == data::RunState::finished)
        status = runner.collect(id,
                                [&](std::size_t, const data::RunSnapshot &snapshot) {
                                    isRight = snapshot.values.at(0).at(0)
                                              == static_cast<float>(std::stoi(id.substr(4)) + 1);
                                },
                                {});
    runner.release(id);
    return isRight ? names.at(static_cast<std::size_t>(status.state)) : "wrong";
}

Counts run(data::JobRunner &runner, const Campaign &campaign)
{
    std::mt19937 random(1);
    Counts counts;
    std::vector<std::string> inFlight;
    for (int next = 0, ended = 0; ended < campaign.runs;) {
        const auto most = runner.maxSubmitted(campaign.atATime);
        std::vector<data::RunRequest> batch;
        while (next < campaign.runs && inFlight.size() + batch.size() < most)
            batch.push_back(requestOf(next++));
        for (auto &id : runner.submit(batch, campaign.atATime))
            inFlight.push_back(std::move(id));
        runner.waitForNews(std::chrono::milliseconds(20));
        const auto states = runner.poll(inFlight);
        std::vector<std::string> others, unwanted;
        for (std::size_t i = 0; i < inFlight.size(); ++i) {
            if (data::hasEnded(states[i].state)) {
                ++counts[collect(runner, inFlight[i], states[i])];
                ++ended;
                continue;
            }
            others.push_back(inFlight[i]);
            if (campaign.cancelled != 0 && random() % campaign.cancelled == 0)
                unwanted.push_back(inFlight[i]);
        }
        inFlight = std::move(others);
        runner.cancel(unwanted);
        if (campaign.endAfter != 0 && ended >= campaign.endAfter)
            break;
    }
    return counts;
}

Counts drive(const nb::object &processes, const nb::object &accept, int runs, std::size_t atATime,
             unsigned cancelled, int endAfter)
{
    const python::Callable pool(processes), form(accept);
    const nb::gil_scoped_release unlocked; // as long as there is anything of the pool
    const auto runner = python::processRunners(pool, form)();
    return run(*runner, {runs, atATime, cancelled, endAfter});
}

} // namespace

NB_MODULE(_native, module)
{
    nb::exception<Error>(module, "GridhelmError", PyExc_RuntimeError);
    module.attr("ArgumentError") = module.attr("GridhelmError");
    module.def("nearest_name",
               [](const std::string &name, const std::vector<std::string> &) { return name; });
    module.def("end_with_parent",
               [](int) {}); // by a thread, which the sanitizer has not after a fork
    module.def("drive", &drive);
}
