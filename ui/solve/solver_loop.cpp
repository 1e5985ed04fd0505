// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/solver_loop.h"

#include "core/execution/pin_threads.h"
#include "core/solvers/field_layers.h"
#include "core/solvers/run/planned_run.h"
#include "core/support/error.h"
#include "ui/machine/background_thread.h"
#include "ui/solve/kept_field.h"
#include "ui/solve/run_pace.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <utility>

namespace gridhelm::ui {
namespace {

using Clock = std::chrono::steady_clock;
using solvers::StepReport;
using std::chrono::milliseconds;

constexpr milliseconds chunk(30);
constexpr milliseconds part(8); ///< of a chunk, between two looks at the clock
/// Times their cost that must pass between two copies of the field, or computations of the figures.
constexpr int frameShare = 3;
constexpr int reportShare = 9;

class Loop
{
public:
    Loop(std::shared_ptr<SolverMailbox> mailbox, RunRequest request, std::stop_token quit)
        : m_mailbox(std::move(mailbox))
        , m_request(std::move(request))
        , m_quit(std::move(quit))
        , m_isRunning(!m_request.startsPaused)
        , m_slice(m_request.slice)
    {
    }

    void run()
    {
        try {
            BackgroundThread::waitForThoseLeftBehind(m_quit);
            if (m_quit.stop_requested())
                return;
            prepare();
            while (!m_quit.stop_requested())
                turn();
        } catch (const Error &error) {
            fail(error.what());
        } catch (const std::bad_alloc &) {
            fail("there is not enough memory for this grid: choose a smaller one");
        } catch (const std::exception &error) {
            fail(fmt::format("the solver has stopped unexpectedly ({}): please report this",
                             error.what()));
        }
    }

private:
    void fail(const std::string &message)
    {
        m_state.phase = RunPhase::failed;
        m_state.message = message;
        m_mailbox->publish([&](RunUpdate &update) { update.state = m_state; });
    }

    void prepare()
    {
        m_case = m_request.makeCase(m_quit);
        m_request.makeCase = nullptr;
        if (m_request.pin && m_case.threads > 0)
            m_pinned.emplace(CpuDevice{m_case.threads});
        if (m_quit.stop_requested())
            return;
        m_stepper = m_case.makeStepper();
        m_case.makeStepper = nullptr;
        if (m_quit.stop_requested())
            return;
        m_run.emplace(*m_stepper, m_case.plan);
        m_state.phase = m_isRunning ? RunPhase::running : RunPhase::paused;
        m_state.method = m_stepper->method();
        m_state.unit = m_case.plan.unit;
        m_state.fieldName = m_case.fieldName;
        m_state.unknowns = m_case.unknowns;
        m_state.threads = m_case.threads;
        m_state.report = m_run->history().back();
        m_state.rates = m_rates.add(m_state.report);
        m_state.parameters = m_stepper->liveParameters();
        m_wantsFrame = true;
        decideEnd();
        publish();
    }

    /// One round: what was asked for, then a chunk of work or a wait.
    void turn()
    {
        auto commands = takeCommands();
        obey(commands);
        if (m_state.phase == RunPhase::running)
            advance();
        publish();
    }

    SolverMailbox::Commands takeCommands()
    {
        std::unique_lock lock(m_mailbox->mutex);
        if (m_state.phase != RunPhase::running)
            m_mailbox->changed.wait(lock, m_quit,
                                    [this] { return !m_mailbox->commands.isEmpty(); });
        m_mailbox->hasCommands = false;
        return std::exchange(m_mailbox->commands, {});
    }

    void obey(const SolverMailbox::Commands &commands)
    {
        if (commands.slice) {
            m_slice = *commands.slice;
            m_wantsFrame = true;
        }
        for (const auto &[path, layers] : commands.saves)
            save(path, layers);
        if (isOver(m_state.phase))
            return;
        for (const auto &[name, value] : commands.parameters)
            change(name, value);
        if (commands.stop) {
            const bool wasSettled = m_state.phase == RunPhase::settled;
            m_state.phase = wasSettled ? RunPhase::finished : RunPhase::cancelled;
            if (!wasSettled)
                m_state.message =
                    fmt::format("stopped after {} {}", m_run->look().iterations, m_state.unit);
            m_wantsFrame = true;
            return;
        }
        if (m_state.phase == RunPhase::settled)
            return;
        if (commands.isRunning) {
            m_isRunning = *commands.isRunning;
            m_steps = 0;
        }
        if (commands.steps > 0) {
            m_isRunning = false;
            m_steps += std::max(commands.steps, m_case.smallestStep);
        }
        m_state.phase = m_isRunning || m_steps > 0 ? RunPhase::running : RunPhase::paused;
        m_wantsFrame = m_wantsFrame || m_state.phase == RunPhase::paused;
    }

    void change(const std::string &name, double value)
    {
        try {
            m_run->setLiveParameter(name, value);
            m_state.parameters = m_stepper->liveParameters(); // ranges may depend on each other
            if (m_state.phase == RunPhase::settled) {
                m_state.phase = RunPhase::running;
                m_state.message.clear();
                m_state.hasConverged.reset();
                m_isRunning = true;
            }
        } catch (const Error &error) {
            m_mailbox->publish(
                [&](RunUpdate &update) { update.complaints.emplace_back(error.what()); });
        }
    }

    void save(const std::string &path, std::optional<int> layers)
    {
        try {
            solvers::saveField(path, m_case.fieldName, field(), layers);
            m_mailbox->publish([&](RunUpdate &update) { update.savedFiles.push_back(path); });
        } catch (const std::exception &error) {
            m_mailbox->publish(
                [&](RunUpdate &update) { update.complaints.emplace_back(error.what()); });
        }
    }

    void advance()
    {
        const auto now = Clock::now();
        const auto end = std::clamp(m_framePace.next(), now + part, now + chunk);
        const auto granule = m_case.plan.granule;
        try {
            do {
                const auto before = m_run->asked();
                auto iterations = (m_part + granule - 1) / granule * granule;
                if (m_steps > 0)
                    iterations = std::min(iterations, m_steps);
                if (m_pinned)
                    m_pinned->pinAgain();
                const auto partBegin = Clock::now();
                m_run->advance(iterations, m_mailbox->cutShort.get_token());
                adapt(m_run->asked() - before, Clock::now() - partBegin);
                if (m_steps > 0)
                    m_steps -= std::min(m_steps, m_run->asked() - before);
                if (m_steps == 0 && !m_isRunning)
                    m_state.phase = RunPhase::paused;
                decideEnd();
            } while (m_state.phase == RunPhase::running && !m_mailbox->hasCommands
                     && !m_quit.stop_requested() && Clock::now() < end);
        } catch (const Error &error) { // it has diverged: what there is can still be looked at
            m_state.phase = RunPhase::failed;
            m_state.message = error.what();
        }
        m_wantsFrame = m_wantsFrame || m_state.phase != RunPhase::running;
    }

    /// Towards parts of the wanted duration; carefully, as the first iterations are slow.
    void adapt(std::uint64_t iterations, Clock::duration taken)
    {
        const double seconds = std::chrono::duration<double>(taken).count();
        const double wanted = std::chrono::duration<double>(part).count();
        if (iterations >= m_part && seconds < wanted / 2)
            m_part = std::min<std::uint64_t>(2 * m_part, std::uint64_t{1} << 40);
        else if (seconds > wanted)
            m_part = std::max<std::uint64_t>(1, m_part / 2);
    }

    void decideEnd()
    {
        if (!m_run->end() || isOver(m_state.phase))
            return;
        using solvers::StopReason;
        const auto reason = *m_run->end();
        m_state.message = describe(reason, m_run->history().back(), m_case.plan);
        if (m_case.plan.target)
            m_state.hasConverged = reason == StopReason::target || reason == StopReason::roundOff;
        if (reason == StopReason::interrupted)
            m_state.phase = RunPhase::cancelled;
        else
            m_state.phase =
                isOfTarget(reason) && m_request.staysLive ? RunPhase::settled : RunPhase::finished;
        m_steps = 0;
    }

    solvers::FieldView field() const { return m_kept ? m_kept->view() : m_stepper->field(); }

    /// Nothing comes after the end but looking and saving.
    void keepFieldOnly()
    {
        try {
            m_kept.emplace(m_stepper->field());
        } catch (const std::bad_alloc &) {
            return; // the solver stays
        }
        m_run.reset();
        m_stepper.reset();
    }

    void publish()
    {
        if (!m_stepper && !m_kept)
            return;
        if (m_quit.stop_requested())
            return;
        const bool isRunning = m_state.phase == RunPhase::running;
        std::vector<StepReport> points;
        if (m_run) {
            points.assign(m_run->history().begin() + static_cast<std::ptrdiff_t>(m_published),
                          m_run->history().end());
            m_published = m_run->history().size();
        }
        const bool isNew = m_run && (m_reportPace.isDue() || !isRunning);
        if (isNew) {
            m_state.report = m_reportPace.take([this] { return m_run->look(); });
            const auto last = points.empty() ? m_lastPoint : points.back().iterations;
            if (m_state.report.iterations != last)
                points.push_back(m_state.report);
            m_state.rates = m_rates.add(m_state.report);
        }
        // A front that starts again has reached nothing yet: not worth a picture.
        const bool isEmpty = isRunning && m_state.unit == "sweeps"
                             && std::isnan(m_run->history().back().largestChange);
        if (!points.empty())
            m_lastPoint = points.back().iterations;
        std::shared_ptr<const SliceFrame> frame;
        if (m_wantsFrame
            || (isRunning && !isEmpty && m_framePace.isDue() && m_mailbox->frameWasTaken())) {
            frame = m_framePace.take([this] {
                return frameOf(field(), m_slice, m_state.report.iterations,
                               m_state.unit == "sweeps");
            });
            m_wantsFrame = false;
        }
        if (!isNew && points.empty() && !frame)
            return;
        if (m_stepper && m_sharesAt != m_state.report.iterations
            && (!isRunning || m_sharesPace.isDue())) {
            m_sharesAt = m_state.report.iterations;
            m_state.shares =
                m_sharesPace.take([this] { return solvers::timedShares(m_case, *m_stepper); });
        }
        m_mailbox->publish([&](RunUpdate &update) {
            update.state = m_state;
            update.history.insert(update.history.end(), points.begin(), points.end());
            if (frame)
                update.frame = frame;
        });
        if (m_run && isOver(m_state.phase))
            keepFieldOnly();
    }

    std::shared_ptr<SolverMailbox> m_mailbox;
    RunRequest m_request;
    std::stop_token m_quit;
    solvers::SolverCase m_case;
    std::optional<PinnedThreads> m_pinned;
    std::unique_ptr<solvers::Stepper> m_stepper;
    std::optional<solvers::PlannedRun> m_run;
    std::optional<KeptField> m_kept; ///< instead of both, when the run is over
    RunState m_state;
    RateMeter m_rates;
    Pace m_reportPace{reportShare};
    Pace m_framePace{frameShare};
    Pace m_sharesPace{reportShare, std::chrono::milliseconds(500)};
    std::size_t m_published = 0; ///< points of the history
    std::uint64_t m_lastPoint = 0;
    std::optional<std::uint64_t> m_sharesAt; ///< iteration when their times were taken
    std::uint64_t m_part = 1;                ///< iterations
    std::uint64_t m_steps = 0;               ///< still to do before a pause
    bool m_isRunning;
    bool m_wantsFrame = false;
    solvers::SliceChoice m_slice;
};

} // namespace

void runSolverLoop(std::shared_ptr<SolverMailbox> mailbox, RunRequest request, std::stop_token quit)
{
    Loop(std::move(mailbox), std::move(request), std::move(quit)).run();
}

} // namespace gridhelm::ui
