// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "ui/machine/latest_request_worker.h"

#include <QTest>
#include <QTimer>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace gridhelm::ui;
using namespace std::chrono_literals;

namespace {

constexpr int waitMilliseconds = 20000; // slow machines, instrumented builds
using Key = LatestRequestWorker::Key;

/// The same delays in each run.
class Delays
{
public:
    explicit Delays(unsigned seed)
        : m_random(seed)
    {
    }

    int below(int end) { return std::uniform_int_distribution(0, end - 1)(m_random); }
    /// Mostly none, sometimes up to so long.
    void wait(std::chrono::microseconds longest)
    {
        if (below(3) == 0)
            std::this_thread::sleep_for(longest * below(100) / 100);
        else if (below(2) == 0)
            std::this_thread::yield();
    }

private:
    std::mt19937 m_random;
};

/// The thread does nothing until this is opened.
class Gate
{
public:
    void open() { m_isOpen = true; }
    void wait() const
    {
        while (!m_isOpen)
            std::this_thread::sleep_for(100us);
    }

private:
    std::atomic<bool> m_isOpen = false;
};

} // namespace

class TestLatestRequestWorker : public QObject
{
    Q_OBJECT

private slots:
    void newestRequestOfEachRequesterIsAnsweredInTheEnd_data();
    void newestRequestOfEachRequesterIsAnsweredInTheEnd();
    void everyAnswerMayAskAgain();
    void oneRequesterDoesNotStarveAnother();
    void newerRequestTakesThePlaceOfAnOlderOne();
    void newerAnswerTakesThePlaceOfAnOlderOneOfItsTopic();
    void commandsComeFirstAndSurviveStartingOver();
    void nothingFromBeforeStartingOverIsHandedOver();
    void answerMayStartOver();
    void waitEndsWithNewsOfTheRequester();
    void idleWorkSeesWhateverWasThereWhenItWasWoken();
    void idleWorkComesAfterItsTimeAndNotWhileSomethingIsAsked();
    void endsAtAnyMoment();
    void answerMayDestroyTheWorker();
    void afterTheEndNothingIsCalled();
    void whatIsDroppedMayAskTheWorker();
};

void TestLatestRequestWorker::newestRequestOfEachRequesterIsAnsweredInTheEnd_data()
{
    QTest::addColumn<int>("requesters");
    QTest::addColumn<int>("evaluationMicroseconds");
    QTest::newRow("one, quick") << 1 << 0;
    QTest::newRow("one, slow") << 1 << 2000;
    QTest::newRow("five, quick") << 5 << 20;
    QTest::newRow("five, slow") << 5 << 1000;
}

void TestLatestRequestWorker::newestRequestOfEachRequesterIsAnsweredInTheEnd()
{
    QFETCH(const int, requesters);
    QFETCH(const int, evaluationMicroseconds);
    constexpr int rounds = 5, requestsEach = 800;
    Delays ofHand(1), ofThread(2);
    std::vector<int> asked(static_cast<std::size_t>(requesters)), answered(asked);
    bool isInOrder = true;
    LatestRequestWorker worker;
    const auto ask = [&](std::size_t who) {
        const Key requester{0, who};
        const int number = ++asked[who];
        worker.request(requester, [&, who, number, requester] {
            ofThread.wait(std::chrono::microseconds(evaluationMicroseconds));
            worker.deliver(requester, [&, who, number] {
                isInOrder = isInOrder && number > answered[who];
                answered[who] = number;
            });
        });
    };
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < requestsEach * requesters; ++i) {
            ask(static_cast<std::size_t>(ofHand.below(requesters)));
            ofHand.wait(20us);
            if (ofHand.below(7) == 0)
                QCoreApplication::processEvents();
        }
        QTRY_COMPARE_WITH_TIMEOUT(answered, asked, waitMilliseconds);
    }
    QVERIFY(isInOrder);
}

void TestLatestRequestWorker::everyAnswerMayAskAgain()
{
    // One lost wake-up, on either side, and the chain ends.
    constexpr int links = 20000;
    int done = 0;
    QEventLoop loop;
    LatestRequestWorker worker;
    std::function<void()> ask = [&] {
        worker.request({}, [&] {
            worker.deliver({}, [&] {
                if (++done < links)
                    ask();
                else
                    loop.quit();
            });
        });
    };
    QTimer::singleShot(waitMilliseconds, &loop, &QEventLoop::quit);
    ask();
    loop.exec();
    QCOMPARE(done, links);
}

void TestLatestRequestWorker::oneRequesterDoesNotStarveAnother()
{
    Gate gate, isOver;
    std::vector<std::uint64_t> turns;
    LatestRequestWorker worker([&] { gate.wait(); });
    std::function<void(std::uint64_t)> askAgain = [&](std::uint64_t who) {
        worker.request({0, who}, [&, who] {
            if (turns.size() == 9)
                return; // the other thread looks at them
            turns.push_back(who);
            if (turns.size() < 9)
                askAgain(who);
            else
                isOver.open();
        });
    };
    for (const std::uint64_t who : {3U, 1U, 2U, 0U})
        askAgain(who);
    gate.open();
    isOver.wait();
    QCOMPARE(turns, (std::vector<std::uint64_t>{0, 1, 0, 2, 0, 3, 0, 1, 0}));
}

void TestLatestRequestWorker::newerRequestTakesThePlaceOfAnOlderOne()
{
    LatestRequestWorker worker;
    Gate gate;
    std::vector<int> called;
    bool isOver = false;
    worker.request({}, [&] { gate.wait(); });
    for (int i = 1; i <= 3; ++i)
        worker.request({1, 1}, [&, i] { called.push_back(i); });
    worker.request({1, 2}, [&] { worker.deliver({}, [&] { isOver = true; }); });
    gate.open();
    QTRY_VERIFY_WITH_TIMEOUT(isOver, waitMilliseconds);
    QCOMPARE(called, (std::vector<int>{3}));
}

void TestLatestRequestWorker::newerAnswerTakesThePlaceOfAnOlderOneOfItsTopic()
{
    LatestRequestWorker worker;
    std::vector<std::string> heard;
    Gate isSaid;
    worker.request({}, [&] {
        for (const std::string said : {"a1", "b1", "a2", "c1", "b2"})
            worker.deliver({said[0], 0}, [&heard, said] { heard.push_back(said); });
        isSaid.open();
    });
    isSaid.wait(); // and the event loop does not run
    QTRY_COMPARE_WITH_TIMEOUT(heard.size(), 3U, waitMilliseconds);
    QCOMPARE(heard, (std::vector<std::string>{"a2", "c1", "b2"}));
}

void TestLatestRequestWorker::commandsComeFirstAndSurviveStartingOver()
{
    LatestRequestWorker worker;
    Gate gate;
    std::vector<std::string> called;
    bool isOver = false;
    worker.request({}, [&] { gate.wait(); });
    worker.request({1, 0}, [&] { called.push_back("dropped"); });
    worker.command(2, [&] { called.push_back("second"); });
    worker.command(1, [&] { called.push_back("replaced"); });
    worker.command(1, [&] { called.push_back("first"); });
    worker.startOver();
    worker.request({1, 0}, [&] {
        called.push_back("request");
        worker.deliver({}, [&] { isOver = true; });
    });
    gate.open();
    QTRY_VERIFY_WITH_TIMEOUT(isOver, waitMilliseconds);
    QCOMPARE(called, (std::vector<std::string>{"first", "second", "request"}));
}

void TestLatestRequestWorker::nothingFromBeforeStartingOverIsHandedOver()
{
    LatestRequestWorker worker;
    Gate isSaid, gate;
    std::vector<std::string> heard;
    std::atomic<bool> wasCancelled = false;
    worker.request({}, [&] {
        worker.deliver({1, 0}, [&] { heard.push_back("before"); });
        isSaid.open();
        gate.wait();
        wasCancelled = worker.isCancelled() && worker.hasNews({});
        worker.deliver({2, 0}, [&] { heard.push_back("late"); });
    });
    isSaid.wait();
    worker.startOver();
    worker.request({}, [&] { worker.deliver({3, 0}, [&] { heard.push_back("after"); }); });
    gate.open();
    QTRY_VERIFY_WITH_TIMEOUT(!heard.empty(), waitMilliseconds);
    QTest::qWait(20);
    QCOMPARE(heard, (std::vector<std::string>{"after"}));
    QVERIFY(wasCancelled);
}

void TestLatestRequestWorker::answerMayStartOver()
{
    LatestRequestWorker worker;
    Gate isSaid;
    std::vector<std::string> heard;
    worker.request({}, [&] {
        worker.deliver({1, 0}, [&] {
            heard.push_back("first");
            worker.startOver();
        });
        worker.deliver({2, 0}, [&] { heard.push_back("of what is over"); });
        isSaid.open();
    });
    isSaid.wait();
    QTRY_VERIFY_WITH_TIMEOUT(!heard.empty(), waitMilliseconds);
    QTest::qWait(20);
    QCOMPARE(heard, (std::vector<std::string>{"first"}));
}

void TestLatestRequestWorker::waitEndsWithNewsOfTheRequester()
{
    LatestRequestWorker worker;
    std::atomic<int> phase = 0;
    bool hasEnded = false;
    worker.request({}, [&] {
        const bool hadNone = !worker.waitForNews({}, 1ms);
        phase = 1;
        const bool hadSome = worker.waitForNews({}, 1h);
        const bool isAsked = worker.isAsked({});
        worker.deliver({}, [&, isAll = hadNone && hadSome && isAsked] { hasEnded = isAll; });
    });
    QTRY_COMPARE_WITH_TIMEOUT(phase.load(), 1, waitMilliseconds);
    worker.request({5, 5}, [] {}); // is nothing to it
    QTest::qWait(20);
    QVERIFY(!hasEnded);
    worker.request({}, [] {});
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded, waitMilliseconds);
}

void TestLatestRequestWorker::idleWorkSeesWhateverWasThereWhenItWasWoken()
{
    // As a loader does: it has put something somewhere, and says so.
    constexpr int loaded = 20000;
    std::atomic<int> there = 0, seen = 0;
    LatestRequestWorker worker({}, [&] { seen = there.load(); });
    Delays ofLoader(3), ofHand(4);
    std::thread loader([&] {
        for (int i = 1; i <= loaded; ++i) {
            there = i;
            worker.wakeIdleWork();
            ofLoader.wait(10us);
        }
    });
    for (int i = 0; i < 2000; ++i) {
        worker.request({}, [] {});
        ofHand.wait(50us);
    }
    loader.join();
    QTRY_COMPARE_WITH_TIMEOUT(seen.load(), loaded, waitMilliseconds);
}

void TestLatestRequestWorker::idleWorkComesAfterItsTimeAndNotWhileSomethingIsAsked()
{
    std::vector<std::string> called;
    bool isOver = false;
    Gate gate;
    std::unique_ptr<LatestRequestWorker> worker;
    worker =
        std::make_unique<LatestRequestWorker>([&gate] { gate.wait(); },
                                              [&] {
                                                  called.push_back("idle");
                                                  if (called.size() < 5)
                                                      worker->idleWorkAfter(1ms);
                                                  else
                                                      worker->deliver({}, [&] { isOver = true; });
                                              });
    for (const std::string who : {"one", "two"})
        worker->request({0, static_cast<std::uint64_t>(who[0])}, [&, who] {
            called.push_back(who);
            worker->idleWorkAfter(0ms);
        });
    gate.open();
    QTRY_VERIFY_WITH_TIMEOUT(isOver, waitMilliseconds);
    QCOMPARE(called, (std::vector<std::string>{"one", "two", "idle", "idle", "idle"}));
}

void TestLatestRequestWorker::endsAtAnyMoment()
{
    Delays ofHand(5), ofThread(6);
    for (int i = 0; i < 2000; ++i) {
        std::atomic<int> running = 0, begun = 0;
        {
            LatestRequestWorker worker([] {},
                                       [&] {
                                           worker.deliver({7, 7}, [] {});
                                           worker.idleWorkAfter(1ms);
                                       });
            for (int requests = ofHand.below(6); requests > 0; --requests) {
                worker.request({0, static_cast<std::uint64_t>(ofHand.below(3))}, [&] {
                    ++running, ++begun;
                    worker.deliver({}, [&] { worker.request({}, [] {}); });
                    ofThread.wait(50us);
                    if (ofThread.below(3) == 0)
                        worker.waitForNews({}, 1h); // the end is news
                    while (ofThread.below(4) == 0 && !worker.isCancelled())
                        std::this_thread::yield();
                    worker.idleWorkAfter(0ms);
                    --running;
                });
                ofHand.wait(50us);
                if (ofHand.below(4) == 0)
                    QCoreApplication::processEvents();
                if (ofHand.below(8) == 0)
                    worker.startOver();
                if (ofHand.below(8) == 0)
                    worker.command(1, [&] { worker.deliver({1, 1}, [] {}); });
            }
            ofHand.wait(100us);
        }
        QCOMPARE(running.load(), 0);
        const int atTheEnd = begun;
        QCoreApplication::processEvents(); // nothing is left behind in the event loop
        QCOMPARE(begun.load(), atTheEnd);
    }
}

void TestLatestRequestWorker::answerMayDestroyTheWorker()
{
    for (int i = 0; i < 200; ++i) {
        auto worker = std::make_unique<LatestRequestWorker>();
        Gate isSaid;
        bool isOver = false, wasLate = false;
        worker->request({}, [&, worker = worker.get()] {
            worker->deliver({1, 0}, [&] { isOver = true; });
            worker->deliver({2, 0}, [&] { wasLate = true; });
            isSaid.open();
        });
        isSaid.wait();
        worker->request({}, [worker = worker.get()] { worker->waitForNews({3, 0}, 1h); });
        worker->command(0, [] {});
        QObject context;
        QMetaObject::invokeMethod(
            &context, [&] { worker.reset(); }, Qt::QueuedConnection);
        QTRY_VERIFY_WITH_TIMEOUT(!worker, waitMilliseconds);
        QVERIFY(isOver || !wasLate);
    }
    auto worker = std::make_unique<LatestRequestWorker>();
    bool wasLate = false;
    Gate isSaid;
    worker->request({}, [&, of = worker.get()] {
        of->deliver({1, 0}, [&] { worker.reset(); });
        of->deliver({2, 0}, [&] { wasLate = true; });
        isSaid.open();
    });
    isSaid.wait();
    QTRY_VERIFY_WITH_TIMEOUT(!worker, waitMilliseconds);
    QTest::qWait(20);
    QVERIFY(!wasLate);
}

void TestLatestRequestWorker::afterTheEndNothingIsCalled()
{
    LatestRequestWorker worker;
    Gate isSaid;
    bool wasCalled = false;
    worker.request({}, [&] {
        worker.deliver({}, [&] { wasCalled = true; });
        isSaid.open();
    });
    isSaid.wait();
    worker.end();
    worker.request({}, [&] { wasCalled = true; });
    worker.deliver({}, [&] { wasCalled = true; });
    worker.wakeIdleWork();
    worker.end();
    QTest::qWait(20);
    QVERIFY(!wasCalled);
}

void TestLatestRequestWorker::whatIsDroppedMayAskTheWorker()
{
    // Frames give their memory back when the last one who holds them lets go.
    LatestRequestWorker worker;
    std::atomic<int> asked = 0;
    const auto holder = [&] {
        return std::shared_ptr<int>(new int, [&](int *memory) {
            delete memory;
            worker.isAsked({4, 4});
            ++asked;
        });
    };
    Gate gate;
    worker.request({}, [&] { gate.wait(); });
    for (int i = 0; i < 2; ++i)
        worker.request({1, 0}, [held = holder()] {});
    worker.startOver();
    gate.open();
    QTRY_COMPARE_WITH_TIMEOUT(asked.load(), 2, waitMilliseconds);
}

GRIDHELM_TEST(TestLatestRequestWorker)

#include "tst_latest_request_worker.moc"
