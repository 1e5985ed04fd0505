// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/python_runner.h"

#include "app/python/tuples.h"
#include "core/support/error.h"
#include "data/campaign/local_runner.h"
#include "data/study/stored_values.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gridhelm::python {
namespace {

namespace nb = nanobind;

using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Outcome = std::tuple<std::string, std::string, nb::object, std::vector<FieldTuple>,
                           std::vector<std::vector<Values>>>;

/// As the campaign wants it.
struct Delivered
{
    data::RunResult result = data::RunResult::failed;
    std::vector<data::RunSnapshot> snapshots;
};

std::vector<data::RunSnapshot> snapshotsOf(const Outcome &outcome)
{
    data::RunSnapshot form;
    form.mesh = meshFrom(nb::cast<MeshTuple>(std::get<2>(outcome)));
    form.fields = fieldsFrom(std::get<3>(outcome));
    std::vector<data::RunSnapshot> all;
    for (const auto &arrays : std::get<4>(outcome)) {
        auto snapshot = form;
        for (std::size_t f = 0; f < arrays.size(); ++f)
            snapshot.values.push_back(
                data::storedValues(snapshot.fields.at(f), {arrays[f].data(), arrays[f].shape(0)}));
        all.push_back(std::move(snapshot));
    }
    return all;
}

/// How long the last run took. Thread-safe.
class Pace
{
public:
    void took(std::chrono::duration<double> time) { m_seconds = time.count(); }
    double seconds() const { return m_seconds; }

private:
    std::atomic<double> m_seconds = std::numeric_limits<double>::infinity();
};

class PythonRun : public data::LocalRun
{
public:
    PythonRun(Callable call, data::RunRequest request, std::shared_ptr<Pace> pace)
        : m_call(std::move(call))
        , m_request(std::move(request))
        , m_pace(std::move(pace))
    {
    }

    data::RunResult run(const data::RunSink &sink, const std::stop_token &stop,
                        const std::function<void(double)> &, std::string &log) override
    {
        const auto begin = std::chrono::steady_clock::now();
        auto delivered = call(stop, log);
        m_pace->took(std::chrono::steady_clock::now() - begin);
        for (std::size_t i = 0; i < delivered.snapshots.size(); ++i)
            sink(i, std::move(delivered.snapshots[i])); // may wait: without the lock
        return delivered.result;
    }

private:
    Delivered call(const std::stop_token &stop, std::string &log)
    {
        const nb::gil_scoped_acquire lock;
        try {
            const auto isCancelled = nb::cpp_function([stop] { return stop.stop_requested(); });
            const auto outcome = nb::cast<Outcome>(m_call.object()(
                m_request.name, m_request.parameters, m_request.times, isCancelled));
            log = std::get<1>(outcome);
            if (std::get<0>(outcome) == "finished")
                return {data::RunResult::finished, snapshotsOf(outcome)};
            return {std::get<0>(outcome) == "cancelled" ? data::RunResult::cancelled
                                                        : data::RunResult::failed,
                    {}};
        } catch (const std::exception &error) { // what Python raises among them
            log = error.what();
            return {};
        }
    }

    Callable m_call;
    data::RunRequest m_request;
    std::shared_ptr<Pace> m_pace;
};

/// Runs of milliseconds would wait for the campaign, which stores one and orders the next: so it
/// holds several more of them than run at a time.
class PythonRunner : public data::LocalRunner
{
public:
    PythonRunner(const Callable &call, const std::shared_ptr<Pace> &pace)
        : LocalRunner([call, pace](const data::RunRequest &request) {
            return std::make_unique<PythonRun>(call, request, pace);
        })
        , m_pace(pace)
    {
    }

    std::size_t maxSubmitted(std::size_t atATime) const override
    {
        constexpr double quick = 0.05; // seconds
        return m_pace->seconds() < quick ? 8 * atATime : atATime;
    }

private:
    std::shared_ptr<Pace> m_pace;
};

} // namespace

Callable::Callable(nb::object object)
    : m_object(new nb::object(std::move(object)), [](nb::object *held) {
        const nb::gil_scoped_acquire lock;
        delete held;
    })
{
}

std::unique_ptr<data::JobRunner> makePythonRunner(const Callable &call)
{
    return std::make_unique<PythonRunner>(call, std::make_shared<Pace>());
}

} // namespace gridhelm::python
