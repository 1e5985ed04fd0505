// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long the event loop does not come round, and what it was at meanwhile.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <memory>
#include <pthread.h>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace gridhelm::test {

/// Where the GUI thread was when it was last looked at; of a signal handler.
struct SampledStack
{
    std::array<void *, 128> at{};
    int frames = 0;
    std::atomic<bool> isThere{false};
};
inline SampledStack sampled;

/// A timer of the GUI thread that should tick all the time, and a thread that looks where the GUI
/// thread is (by a signal to it) when it has not ticked for long. One at a time.
class StallWatch : public QObject
{
public:
    struct Stall
    {
        double milliseconds = 0;
        double ofProcessor = 0; ///< milliseconds of them at work; else it has waited
        long pageFaults = 0;
        QString doing;     ///< what now() has last said
        QStringList stack; ///< in its middle, innermost first; empty if it was not sampled
    };

    /// Stalls of at least so many milliseconds are kept with their stack.
    explicit StallWatch(double worthNaming)
        : m_worthNaming(worthNaming)
        , m_guiThread(::pthread_self())
    {
        void *once[1];
        ::backtrace(once, 1); // loads what it needs, which a signal handler must not
        struct sigaction action = {};
        action.sa_handler = [](int) {
            sampled.frames = ::backtrace(sampled.at.data(), static_cast<int>(sampled.at.size()));
            sampled.isThere.store(true);
        };
        action.sa_flags = SA_RESTART;
        ::sigaction(SIGUSR1, &action, nullptr);
        m_lastTick.store(now());
        m_timer.setInterval(tick);
        m_timer.setTimerType(Qt::PreciseTimer);
        connect(&m_timer, &QTimer::timeout, this, &StallWatch::ticked);
        m_timer.start();
        m_sampler = std::thread([this] { watch(); });
    }
    ~StallWatch() override
    {
        m_isOver = true;
        m_sampler.join();
        ::signal(SIGUSR1, SIG_DFL);
    }

    /// Says what comes next, and that what was before is over: where that takes minutes, the
    /// program ends with the stack of the GUI thread, although the event loop may still go round.
    void doing(const QString &what)
    {
        m_doing = what;
        m_looks.store(0);
    }

    /// Milliseconds: that of the given share of ticks, at most.
    double quantile(double share)
    {
        std::ranges::sort(m_all);
        return m_all.empty() ? 0
                             : m_all.at(static_cast<std::size_t>(
                                 share * static_cast<double>(m_all.size() - 1)));
    }
    /// Those worth naming, the longest first.
    std::vector<Stall> longest() const
    {
        auto stalls = m_long;
        std::ranges::sort(stalls, std::greater{}, &Stall::milliseconds);
        return stalls;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr int tick = 5;
    static constexpr std::chrono::milliseconds lookEvery{10};
    /// A minute, also of instrumented builds; not by the clock: the whole process may be stopped.
    static constexpr int looksOfHang = std::chrono::minutes(1) / lookEvery;

    static double now()
    {
        return std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count();
    }

    void ticked()
    {
        const double at = now(), stall = at - m_lastTick.exchange(at) - tick;
        struct rusage used = {};
        ::getrusage(RUSAGE_THREAD, &used);
        const auto milliseconds = [](const timeval &time) {
            return 1e3 * static_cast<double>(time.tv_sec)
                   + 1e-3 * static_cast<double>(time.tv_usec);
        };
        const double work = milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
        const auto faults = used.ru_minflt + used.ru_majflt;
        m_all.push_back(stall);
        if (stall >= m_worthNaming)
            m_long.push_back({stall, work - m_work, faults - m_faults, m_doing, stackOfSample()});
        m_work = work;
        m_faults = faults;
        sampled.isThere.store(false);
    }

    void watch()
    {
        double asked = 0; // the tick after which a sample was taken
        while (!m_isOver) {
            std::this_thread::sleep_for(lookEvery);
            const double last = m_lastTick.load();
            if (now() - last > m_worthNaming / 2 && asked != last) {
                asked = last;
                ::pthread_kill(m_guiThread, SIGUSR1);
            }
            if (++m_looks > looksOfHang) {
                ::pthread_kill(m_guiThread, SIGUSR1);
                std::this_thread::sleep_for(std::chrono::seconds(1));
                qFatal("hangs at: %s\n    %s", qUtf8Printable(m_doing),
                       qUtf8Printable(stackOfSample().join("\n    ")));
            }
        }
    }

    static QStringList stackOfSample()
    {
        QStringList names;
        if (!sampled.isThere.load())
            return names;
        for (int i = 2; i < sampled.frames; ++i) { // the handler, the kernel's call of it
            Dl_info place{};
            if (::dladdr(sampled.at[static_cast<std::size_t>(i)], &place) == 0 || !place.dli_sname)
                continue;
            int status = 0;
            const std::unique_ptr<char, decltype(&std::free)> plain(
                abi::__cxa_demangle(place.dli_sname, nullptr, nullptr, &status), &std::free);
            auto name = QString::fromUtf8(status == 0 ? plain.get() : place.dli_sname);
            names << name.section('(', 0, 0);
        }
        return names;
    }

    double m_worthNaming;
    pthread_t m_guiThread;
    QTimer m_timer;
    std::atomic<double> m_lastTick{0};
    std::atomic<int> m_looks{0}; ///< at the GUI thread, since doing()
    std::atomic<bool> m_isOver{false};
    std::thread m_sampler;
    QString m_doing;
    double m_work = 0; ///< at the last tick
    long m_faults = 0;
    std::vector<double> m_all;
    std::vector<Stall> m_long;
};

} // namespace gridhelm::test
