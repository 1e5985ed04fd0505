// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/solver_worker.h"

#include "core/solvers/field_layers.h"
#include "core/support/error.h"
#include "core/support/pin_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>
#include <variant>

namespace gridhelm::ui {
namespace {

using Clock = std::chrono::steady_clock;
using solvers::StepReport;
using std::chrono::milliseconds;

constexpr milliseconds chunk(30);
constexpr milliseconds part(8);           ///< of a chunk, between two looks at the clock
constexpr milliseconds shortestFrame(33); ///< 30 pictures a second are enough
constexpr std::chrono::seconds rateWindow(1);
/// Times their cost that must pass between two copies of the field, or computations of the figures.
constexpr int frameShare = 3;
constexpr int reportShare = 9;

/// Something that costs time and is due again after a while.
class Pace
{
public:
    explicit Pace(int share)
        : m_share(share)
    {
    }
    bool isDue() const { return Clock::now() >= m_next; }
    Clock::time_point next() const { return m_next; }
    template <typename Work>
    auto take(Work work)
    {
        const auto begin = Clock::now();
        auto result = work();
        const auto end = Clock::now();
        m_next = end + std::max<Clock::duration>(shortestFrame, m_share * (end - begin));
        return result;
    }

private:
    int m_share;
    Clock::time_point m_next = Clock::now();
};

/// How fast it has been lately, by the stepper's own clock.
class RateMeter
{
public:
    RunRates add(const StepReport &report)
    {
        m_reports.emplace_back(Clock::now(), report);
        while (m_reports.size() > 2 && m_reports[1].first + rateWindow < m_reports.back().first)
            m_reports.pop_front();
        const auto &first = m_reports.front().second;
        const double seconds = report.seconds - first.seconds;
        if (seconds > 0)
            m_rates = {static_cast<double>(report.iterations - first.iterations) / seconds,
                       (report.flops - first.flops) / seconds,
                       (report.bytes - first.bytes) / seconds};
        return m_rates;
    }

private:
    std::deque<std::pair<Clock::time_point, StepReport>> m_reports;
    RunRates m_rates;
};

std::shared_ptr<const SliceFrame> frameOf(const solvers::FieldView &field,
                                          const solvers::SliceChoice &choice,
                                          std::uint64_t iterations, bool isFolded)
{
    auto frame = std::make_shared<SliceFrame>();
    frame->slice = sliceOf(field, choice);
    frame->points = field.points;
    frame->iterations = iterations;
    if (isFolded)
        frame->wholeHighest = solvers::highestOf(field);
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    constexpr double largest = std::numeric_limits<double>::max(); // the others are not finite
    for (const double value : frame->slice.values) {
        lowest = value < lowest && value >= -largest ? value : lowest;
        highest = value > highest && value <= largest ? value : highest;
    }
    if (lowest <= highest) {
        frame->lowest = lowest;
        frame->highest = highest;
    }
    return frame;
}

/// A field without its solver, which takes several times as much memory.
class KeptField
{
public:
    explicit KeptField(const solvers::FieldView &of)
        : m_view(of)
    {
        std::visit(
            [this](auto values) {
                auto &kept = m_values.emplace<
                    std::vector<std::remove_const_t<typename decltype(values)::element_type>>>(
                    values.begin(), values.end());
                m_view.values = decltype(values)(kept);
            },
            of.values);
    }
    KeptField(const KeptField &) = delete;
    KeptField &operator=(const KeptField &) = delete;

    const solvers::FieldView &view() const { return m_view; }

private:
    std::variant<std::vector<float>, std::vector<double>> m_values;
    solvers::FieldView m_view;
};

} // namespace

bool isOver(RunPhase phase)
{
    return phase >= RunPhase::finished;
}

// ---- what the two threads share --------------------------------------------------------------

/// Held for moments only, so that neither side waits.
struct SolverWorker::Shared
{
    struct Commands
    {
        std::optional<bool> isRunning;
        std::uint64_t steps = 0;
        bool stop = false;
        std::map<std::string, double> parameters;
        std::optional<solvers::SliceChoice> slice;
        std::vector<std::pair<std::string, std::optional<int>>> saves;

        bool isEmpty() const
        {
            return !isRunning && steps == 0 && !stop && parameters.empty() && !slice
                   && saves.empty();
        }
    };

    std::mutex mutex;
    std::condition_variable_any changed;
    Commands commands;
    std::atomic<bool> hasCommands = false;
    std::stop_source cutShort; ///< ends an advance() at once

    RunUpdate update;
    bool isAnnounced = false;
    std::function<void()> news;

    /// Changes the update and says so.
    template <typename Change>
    void publish(Change change)
    {
        const std::lock_guard lock(mutex);
        change(update);
        if (isAnnounced || !news)
            return;
        isAnnounced = true;
        news();
    }

    bool frameWasTaken()
    {
        const std::lock_guard lock(mutex);
        return !update.frame;
    }
};

// ---- the worker's thread ---------------------------------------------------------------------

class SolverWorker::Loop
{
public:
    Loop(std::shared_ptr<Shared> shared, RunRequest request, std::stop_token quit)
        : m_shared(std::move(shared))
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
        m_shared->publish([&](RunUpdate &update) { update.state = m_state; });
    }

    void prepare()
    {
        m_case = m_request.makeCase();
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

    Shared::Commands takeCommands()
    {
        std::unique_lock lock(m_shared->mutex);
        if (m_state.phase != RunPhase::running)
            m_shared->changed.wait(lock, m_quit, [this] { return !m_shared->commands.isEmpty(); });
        m_shared->hasCommands = false;
        return std::exchange(m_shared->commands, {});
    }

    void obey(const Shared::Commands &commands)
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
                m_isRunning = true;
            }
        } catch (const Error &error) {
            m_shared->publish(
                [&](RunUpdate &update) { update.complaints.emplace_back(error.what()); });
        }
    }

    void save(const std::string &path, std::optional<int> layers)
    {
        try {
            solvers::saveField(path, m_case.fieldName, field(), layers);
            m_shared->publish([&](RunUpdate &update) { update.savedFiles.push_back(path); });
        } catch (const std::exception &error) {
            m_shared->publish(
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
                m_run->advance(iterations, m_shared->cutShort.get_token());
                adapt(m_run->asked() - before, Clock::now() - partBegin);
                if (m_steps > 0)
                    m_steps -= std::min(m_steps, m_run->asked() - before);
                if (m_steps == 0 && !m_isRunning)
                    m_state.phase = RunPhase::paused;
                decideEnd();
            } while (m_state.phase == RunPhase::running && !m_shared->hasCommands
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
        const bool isTarget = reason == StopReason::target || reason == StopReason::stalled;
        if (reason == StopReason::interrupted)
            m_state.phase = RunPhase::cancelled;
        else
            m_state.phase =
                isTarget && m_request.staysLive ? RunPhase::settled : RunPhase::finished;
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
            || (isRunning && !isEmpty && m_framePace.isDue() && m_shared->frameWasTaken())) {
            frame = m_framePace.take([this] {
                return frameOf(field(), m_slice, m_state.report.iterations,
                               m_state.unit == "sweeps");
            });
            m_wantsFrame = false;
        }
        if (!isNew && points.empty() && !frame)
            return;
        m_shared->publish([&](RunUpdate &update) {
            update.state = m_state;
            update.history.insert(update.history.end(), points.begin(), points.end());
            if (frame)
                update.frame = frame;
        });
        if (m_run && isOver(m_state.phase))
            keepFieldOnly();
    }

    std::shared_ptr<Shared> m_shared;
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
    std::size_t m_published = 0; ///< points of the history
    std::uint64_t m_lastPoint = 0;
    std::uint64_t m_part = 1;  ///< iterations
    std::uint64_t m_steps = 0; ///< still to do before a pause
    bool m_isRunning;
    bool m_wantsFrame = false;
    solvers::SliceChoice m_slice;
};

// ---- the other side --------------------------------------------------------------------------

SolverWorker::SolverWorker(RunRequest request, std::function<void()> news)
    : m_shared(std::make_shared<Shared>())
{
    m_shared->news = std::move(news);
    m_thread = std::make_unique<BackgroundThread>(
        [shared = m_shared, request = std::move(request)](std::stop_token quit) {
            Loop(shared, request, quit).run();
        });
}

SolverWorker::~SolverWorker()
{
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->news = nullptr;
    }
    m_thread->requestStop(); // first: what is cut short now is not published as cancelled
    m_shared->cutShort.request_stop();
}

template <typename Change>
void SolverWorker::ask(Change change)
{
    const std::lock_guard lock(m_shared->mutex);
    change(m_shared->commands);
    m_shared->hasCommands = true;
    m_shared->changed.notify_all();
}

void SolverWorker::run()
{
    ask([](auto &commands) { commands.isRunning = true; });
}

void SolverWorker::pause()
{
    ask([](auto &commands) {
        commands.isRunning = false;
        commands.steps = 0;
    });
}

void SolverWorker::step(std::uint64_t iterations)
{
    ask([=](auto &commands) { commands.steps += iterations; });
}

void SolverWorker::stop()
{
    ask([](auto &commands) { commands.stop = true; });
    m_shared->cutShort.request_stop();
}

void SolverWorker::setLiveParameter(const std::string &name, double value)
{
    ask([&](auto &commands) { commands.parameters[name] = value; });
}

void SolverWorker::showSlice(const solvers::SliceChoice &slice)
{
    ask([&](auto &commands) { commands.slice = slice; });
}

void SolverWorker::save(const std::string &path, std::optional<int> layers)
{
    ask([&](auto &commands) { commands.saves.emplace_back(path, layers); });
}

RunUpdate SolverWorker::takeUpdate()
{
    const std::lock_guard lock(m_shared->mutex);
    RunUpdate taken = std::move(m_shared->update);
    m_shared->update = {};
    m_shared->update.state = taken.state;
    m_shared->isAnnounced = false;
    return taken;
}

} // namespace gridhelm::ui
