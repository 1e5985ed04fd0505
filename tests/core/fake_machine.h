// SPDX-License-Identifier: GPL-3.0-or-later
//
// A machine whose device is a fake one, as the dispatcher finds it.
#pragma once

#include "core/dispatch/dispatcher.h"
#include "tests/core/fake_backend.h"
#include "tests/core/on_cpu.h"

#include <QTemporaryDir>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::test {

/// A machine with a fake device, and how often it was measured.
struct FakeMachine
{
    FakeDevice device;
    FakeSolvers solvers{device};
    QTemporaryDir folder;
    std::string hardware = "a fake device";
    int searches = 0, measurements = 0;
    double startSeconds = 0;
    std::vector<std::string> sentences;
    /// Seconds of the device, where the CPU takes 1.
    std::function<double(const dispatch::Workload &)> deviceSeconds =
        [](const dispatch::Workload &) { return 0.5; };

    dispatch::DispatchSettings settings()
    {
        dispatch::DispatchSettings settings;
        settings.findFurther = [this] {
            ++searches;
            auto candidate = fakeCandidate(device, solvers);
            candidate.hardware = hardware;
            return std::vector<dispatch::Candidate>{std::move(candidate)};
        };
        settings.folder = folder.path().toStdString();
        settings.startSeconds = startSeconds;
        settings.measure = [this](const dispatch::Workload &work,
                                  const dispatch::Candidate &candidate, const ExecutionContext &) {
            ++measurements;
            return candidate.name == "fake" ? deviceSeconds(work) : 1.0;
        };
        return settings;
    }

    std::shared_ptr<dispatch::Dispatcher> dispatcher()
    {
        return std::make_shared<dispatch::Dispatcher>(settings());
    }

    /// With this machine's events.
    ExecutionContext context(int threads)
    {
        return onCpu(threads)
            .withFallback(FallbackPolicy::allowed)
            .withEvents(
                [this](const ExecutionEvent &event) { sentences.push_back(event.sentence); });
    }

    /// Whether one of the sentences has this in it.
    bool said(const std::string &part) const
    {
        return std::ranges::any_of(
            sentences, [&](const auto &each) { return each.find(part) != std::string::npos; });
    }
};

} // namespace gridhelm::test
