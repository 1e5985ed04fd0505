// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long the event loop does not come round, and what it was at meanwhile.
#pragma once

#include "core/support/quantile.h"

#include <QByteArrayList>
#include <QFile>
#include <QList>
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
#include <mutex>
#include <pthread.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace gridhelm::test {

/// Where the GUI thread was when it was looked at; of a signal handler.
struct SampledStack
{
    std::array<void *, 128> at{};
    int frames = 0;
};
inline std::array<SampledStack, 6> samples;
inline std::atomic<std::size_t> sampled{0}; ///< so many of them

/// A timer of the GUI thread that should tick all the time, and a thread that looks where the GUI
/// thread is (by a signal to it) when it has not ticked for long. One at a time.
class StallWatch : public QObject
{
public:
    struct Stall
    {
        double milliseconds = 0;
        double ofCpu = 0;   ///< milliseconds of them at work
        double ofQueue = 0; ///< and of them ready to work, while others had the cores
        double ofHost = 0; ///< milliseconds that the host took from that core of which it took most
        long pageFaults = 0;
        QString doing;     ///< what now() has last said
        QStringList stack; ///< in the beginning, innermost first; empty if it was not sampled
        QStringList later; ///< where it was after that: the innermost ones
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
            const auto number = sampled.load();
            if (number == samples.size())
                return;
            auto &[at, frames] = samples[number];
            frames = ::backtrace(at.data(), static_cast<int>(at.size()));
            sampled.store(number + 1);
        };
        action.sa_flags = SA_RESTART;
        ::sigaction(SIGUSR1, &action, nullptr);
        m_schedule.setFileName(QStringLiteral("/proc/self/task/%1/schedstat").arg(::gettid()));
        (void)m_schedule.open(QIODevice::ReadOnly
                              | QIODevice::Unbuffered); // not every kernel has it
        m_work = usage().work;                          // what came before is not of the first tick
        m_queue = inQueue();
        m_faults = usage().faults;
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

    /// So many milliseconds since the last tick were work of the test.
    void leaveOut(double milliseconds)
    {
        m_lastTick.store(m_lastTick.load() + milliseconds);
        m_work += milliseconds;
    }

    /// Milliseconds: that of the given share of ticks, at most.
    double quantile(double share) const
    {
        return m_all.empty() ? 0 : gridhelm::quantile(m_all, share);
    }
    /// The same of what the GUI thread itself worked from tick to tick, whoever else had the cores:
    /// all that is done there for one event, or for a few short ones.
    double quantileOfWork(double share) const
    {
        return m_allWork.empty() ? 0 : gridhelm::quantile(m_allWork, share);
    }
    /// In milliseconds: of those during which the host of a virtual machine took hardly any time (a
    /// tenth) from any core. No program can do anything about the others.
    double longestOfGuest() const { return m_longestOfGuest; }
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

    struct Usage
    {
        double work; ///< milliseconds of this thread's at work, since it began
        long faults;
    };
    static Usage usage()
    {
        struct rusage used = {};
        ::getrusage(RUSAGE_THREAD, &used);
        const auto milliseconds = [](const timeval &time) {
            return 1e3 * static_cast<double>(time.tv_sec)
                   + 1e-3 * static_cast<double>(time.tv_usec);
        };
        return {milliseconds(used.ru_utime) + milliseconds(used.ru_stime),
                used.ru_minflt + used.ru_majflt};
    }

    void ticked()
    {
        const double at = now(), stall = at - m_lastTick.exchange(at) - tick;
        const auto [work, faults] = usage();
        const double queue = inQueue();
        m_all.push_back(stall);
        m_allWork.push_back(work - m_work);
        auto taken = lastTaken();
        if (stall >= m_worthNaming) {
            taken = takenByHost(); // the other thread may have had no core either
            double ofHost = 0;
            for (qsizetype core = 0; core < std::min(taken.size(), m_taken.size()); ++core)
                ofHost = std::max(ofHost, taken[core] - m_taken[core]);
            QStringList later;
            for (std::size_t i = 1; i < sampled.load(); ++i)
                later << stackOf(samples[i]).mid(0, 4).join(" < ");
            m_long.push_back({stall, work - m_work, queue - m_queue, std::min(ofHost, stall),
                              faults - m_faults, m_doing, stackOf(samples[0]), later});
            if (ofHost < 0.1 * stall)
                m_longestOfGuest = std::max(m_longestOfGuest, stall);
        }
        m_work = work;
        m_queue = queue;
        m_taken = taken;
        m_faults = faults;
        sampled.store(0);
    }

    /// Milliseconds that the GUI thread has been ready to run, and did not.
    double inQueue()
    {
        const bool isThere = m_schedule.isOpen() && m_schedule.seek(0);
        const auto numbers = isThere ? m_schedule.readAll().split(' ') : QByteArrayList();
        return numbers.size() > 1 ? 1e-6 * numbers[1].toDouble() : 0;
    }

    void watch()
    {
        while (!m_isOver) {
            std::this_thread::sleep_for(lookEvery);
            auto taken = takenByHost();
            {
                const std::lock_guard lock(m_mutex);
                m_lastTaken = std::move(taken);
            }
            const double last = m_lastTick.load();
            constexpr double sampleEvery = 30;
            if (now() - last
                > m_worthNaming / 2 + sampleEvery * static_cast<double>(sampled.load()))
                ::pthread_kill(m_guiThread, SIGUSR1);
            if (++m_looks > looksOfHang) {
                ::pthread_kill(m_guiThread, SIGUSR1);
                std::this_thread::sleep_for(std::chrono::seconds(1));
                qFatal("hangs at: %s\n    %s", qUtf8Printable(m_doing),
                       qUtf8Printable(stackOf(samples.back()).join("\n    ")));
            }
        }
    }

    /// Of each core the milliseconds that the host of a virtual machine has given to others.
    static QList<double> takenByHost()
    {
        QList<double> taken;
        QFile file("/proc/stat");
        if (!file.open(QIODevice::ReadOnly))
            return taken;
        const double tickMilliseconds = 1e3 / static_cast<double>(::sysconf(_SC_CLK_TCK));
        file.readLine(); // of all together
        for (auto line = file.readLine(); line.startsWith("cpu"); line = file.readLine()) {
            const auto numbers = line.simplified().split(' ');
            taken << (numbers.size() > 8 ? tickMilliseconds * numbers[8].toDouble() : 0);
        }
        return taken;
    }

    QList<double> lastTaken()
    {
        const std::lock_guard lock(m_mutex);
        return m_lastTaken;
    }

    static QStringList stackOf(const SampledStack &sample)
    {
        QStringList names;
        for (int i = 2; i < sample.frames; ++i) { // the handler, the kernel's call of it
            Dl_info place{};
            if (::dladdr(sample.at[static_cast<std::size_t>(i)], &place) == 0 || !place.dli_sname)
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
    QFile m_schedule;
    std::mutex m_mutex;
    QList<double> m_lastTaken;      ///< under m_mutex
    QList<double> m_taken;          ///< at the last tick
    double m_work = 0, m_queue = 0; ///< at the last tick
    long m_faults = 0;
    std::vector<double> m_all, m_allWork;
    double m_longestOfGuest = 0;
    std::vector<Stall> m_long;
};

} // namespace gridhelm::test
