// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <chrono>
#include <compare>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace gridhelm::ui {

/// A thread for those who ask faster than it can answer: it keeps the newest request of each
/// requester alone, and the newest answer to each topic until the event loop hands it over.
///
/// **Threads.** It is made and destroyed in one thread, the *owner*, which has an event loop and
/// calls what is under "By the owner". Requests, commands and the idle work are called in the
/// worker's thread, one at a time; they call what is under "By what runs in the thread", and must
/// not throw. Answers are called in the owner's thread, by its event loop. wakeIdleWork() is for
/// any thread.
///
/// **Requests.** Each call of request() ends in exactly one of these: the request is called; a
/// newer one of the same requester takes its place before it began; startOver(), or the end of the
/// worker, drops it. So the newest request of each requester is always called, in the end: while
/// requests wait, the thread does not. Requester{} has every other turn if it asks so often, the
/// others have theirs in turns, by number.
///
/// **Commands** change what requests work with (open a study, use another back end). They are never
/// dropped but for a newer command of the same number, and for the end; they come before all
/// requests, the lowest number first.
///
/// **Answers.** Each call of deliver() ends in exactly one of these: the answer is called, in the
/// order of delivery; a newer one of the same topic takes its place before the event loop came to
/// it; startOver(), or the end, drops it. Of what was begun before startOver() nothing is handed
/// over afterwards, also if it is delivered later: a request need not look whether it is still
/// wanted, except to save time.
///
/// **Nothing is lost,** because nothing is an event that could be missed: the thread waits under
/// the lock for a state of what is kept (a request is there, a command, a time has come, the end),
/// all that changes it does so under the lock and wakes the one thread that can be waiting; and
/// whether the event loop has been told of answers is kept beside them, not derived from them.
///
/// **The end.** end(), and so the destructor, may be called at any moment, by an answer, too. What
/// is running hears of it (hasNews(), isCancelled()), and is waited for; everything that waits is
/// dropped, and so is whatever is asked or delivered afterwards.
class LatestRequestWorker
{
public:
    using Work = std::function<void()>;
    using Clock = std::chrono::steady_clock;

    /// Who asks, and what an answer is about; mean what their user says.
    struct Key
    {
        int kind = 0;
        std::uint64_t number = 0;

        auto operator<=>(const Key &) const = default;
    };
    using Requester = Key;
    using Topic = Key;

    /// `prepare` is called in the thread before everything else. `idleWork` is called whenever
    /// nothing is asked and the time of idleWorkAfter() has come; null: there is none.
    explicit LatestRequestWorker(Work prepare = {}, Work idleWork = {});
    ~LatestRequestWorker() { end(); }
    LatestRequestWorker(const LatestRequestWorker &) = delete;
    LatestRequestWorker &operator=(const LatestRequestWorker &) = delete;

    // By the owner. None of them waits.

    void request(Requester requester, Work work);
    void command(int number, Work work);
    /// Drops all requests and all answers, also those of what is running.
    void startOver();

    /// When it returns, the thread is gone. The destructor does it, if nobody has before.
    void end();

    /// Any thread: idle work comes now, or after what is asked.
    void wakeIdleWork();

    // By what runs in the thread.

    void deliver(Topic topic, Work answer);
    /// Of the latest call; forgotten when the idle work begins, and with every request and command
    /// that begins.
    void idleWorkAfter(std::chrono::milliseconds time);
    /// Whether what is running need not go on: startOver() was called since it began, or the end
    /// has come.
    bool isCancelled() const;
    /// The same; or there is something newer of the requester, or a command.
    bool hasNews(Requester requester) const;
    /// Until then, at most so long. Returns hasNews().
    bool waitForNews(Requester requester, std::chrono::milliseconds time);
    /// Whether something newer of the requester waits.
    bool isAsked(Requester requester) const;

private:
    using Lock = std::unique_lock<std::mutex>;

    void run();
    Work next(Lock &lock);
    Work takeRequest();
    void handOver();
    bool isCancelledNow() const { return m_isOver || m_begun != m_generation; }
    bool hasNewsNow(Requester requester) const
    {
        return isCancelledNow() || !m_commands.empty() || m_requests.contains(requester);
    }

    const Work m_idleWork;
    QObject m_owner; ///< lives in its thread

    mutable std::mutex m_mutex; ///< of all that follows, but for the thread
    std::condition_variable m_wake;
    bool m_isOver = false;
    std::uint64_t m_generation = 0; ///< calls of startOver()
    std::uint64_t m_begun = 0;      ///< the generation of what is running
    std::map<int, Work> m_commands;
    std::map<Requester, Work> m_requests;
    bool m_isOthersTurn = false;
    Requester m_lastOther;
    bool m_isIdleWorkWanted = false;
    std::optional<Clock::time_point> m_idleWorkAt;
    std::vector<std::pair<Topic, Work>> m_answers; ///< each topic once, in order
    bool m_isHandingOver = false; ///< the event loop has been told, and has not come yet

    std::thread m_thread; ///< last: everything else is there when it begins
};

} // namespace gridhelm::ui
