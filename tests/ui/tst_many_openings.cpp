// SPDX-License-Identifier: GPL-3.0-or-later
//
// Windows open a study again and again, each with another number of threads, beside programs that
// take the cores, with an event loop that is late and a back end that is slow: all that is asked
// for must come, however the threads take turns. 20 times; GRIDHELM_OPENINGS says another number,
// and GRIDHELM_SEED another seed (what the machine does beside it is new each time).
#include "data/evaluate/study_fields.h"
#include "tests/core/fake_backend.h"
#include "tests/core/on_cpu.h"
#include "tests/core/random.h"
#include "tests/core/sanitized.h"
#include "tests/ui/busy_threads.h"
#include "tests/ui/stall_watch.h"
#include "tests/ui/window_case.h"
#include "ui/performance/backend_choice.h"
#include "ui/probe/probe_panel.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::test;
using namespace gridhelm::ui;

namespace {

/// Milliseconds for all that one opening asks for.
#ifdef GRIDHELM_SANITIZED
constexpr int patience = 120'000;
#else
constexpr int patience = 30'000;
#endif

/// How the next window has it.
struct Circumstances
{
    int threads;     ///< that evaluate
    int busyThreads; ///< of others
    int latest;      ///< milliseconds that the event loop sleeps at most, now and then
    double slow;     ///< share of the back end's answers that take some milliseconds more

    explicit Circumstances(Random &random)
        : threads(random.integer(1, 4))
        , busyThreads(random.integer(0, 6))
        , latest(random.integer(0, 30))
        , slow(random.real(0, 0.1))
    {
    }

    QString text() const
    {
        return QString("%1 threads evaluate, %2 others are busy, the event loop sleeps up to %3 "
                       "ms, %4 % of the evaluations are slow")
            .arg(threads)
            .arg(busyThreads)
            .arg(latest)
            .arg(100 * slow, 0, 'f', 1);
    }
};

/// The event loop sleeps at random moments, for a random time.
class LateEventLoop
{
public:
    LateEventLoop(int latest, std::uint64_t seed)
        : m_random(seed)
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this, latest] {
            std::this_thread::sleep_for(std::chrono::milliseconds(m_random.integer(0, latest)));
            m_timer.start(m_random.integer(0, 40));
        });
        m_timer.start(0);
    }

private:
    Random m_random;
    QTimer m_timer;
};

/// Makes the device slow now and then, whichever thread asks it.
void slowDown(FakeDevice &device, double share, std::uint64_t seed)
{
    struct Chance
    {
        std::mutex mutex;
        Random random;

        explicit Chance(std::uint64_t seed)
            : random(seed)
        {
        }
    };
    const auto chance = std::make_shared<Chance>(seed);
    device.delay = [chance, share](std::size_t) {
        const std::lock_guard lock(chance->mutex);
        return std::chrono::milliseconds(chance->random.chance(share) ? chance->random.integer(1, 8)
                                                                      : 0);
    };
}

Accelerators only(FakeDevice &device)
{
    Accelerators accelerators;
    accelerators.evaluating.push_back(
        {"fake", "", false,
         [&device](const ExecutionContext &context) -> std::shared_ptr<const sparse::Backend> {
             return std::make_shared<FakeBackend>(device, context);
         },
         [](const StudyFacts *) { return QString(); }, true});
    return accelerators;
}

/// Of the field in all of the study: what the colours of a view are to hold.
ValueRange rangeOfStudy(const std::filesystem::path &path)
{
    data::StudyFields fields(data::Study::open(path), sparse::makeOmpBackend(onCpu()));
    const auto grid = fields.study().grid();
    std::vector<float> values(fields.fields().at(0).values());
    ValueRange all{1e30, -1e30};
    for (std::uint64_t point = 0; point < grid->points(); ++point) {
        fields.evaluate(0, fields.study().description().space.valuesAt(*grid, point), {values});
        const auto [low, high] = std::ranges::minmax(values);
        all = {std::min(all.low, static_cast<double>(low)),
               std::max(all.high, static_cast<double>(high))};
    }
    return all;
}

class OpeningWindow
{
public:
    OpeningWindow(const Circumstances &has, FakeDevice &device)
        : m_window(onCpu(has.threads), only(device))
    {
        QObject::connect(
            &m_window, &MainWindow::frameShown, &m_window,
            [this](std::shared_ptr<const FieldFrame> frame) { m_shown = std::move(frame); });
        m_window.show();
    }

    void open(const std::filesystem::path &path)
    {
        m_window.openFile(QString::fromStdString(path.string()));
    }
    bool hasFrame() const { return m_shown != nullptr; }
    /// Of the sliders, whole.
    bool hasExactFrame()
    {
        return m_shown && m_shown->isExact && !m_shown->request.isDragging
               && m_shown->request.parameters == m_window.model().now().parameters
               && m_shown == m_window.view().frame();
    }
    bool hasProbed()
    {
        auto &probe = m_window.probePanel();
        return probe.isSettled()
               && probe.answer()->question.parameters == m_window.model().now().parameters;
    }
    bool hasRange(const ValueRange &ofStudy)
    {
        const auto range = m_window.view().scene().range();
        return !m_window.isRangeMoving() && range.low <= ofStudy.low && ofStudy.high <= range.high;
    }

    void moveASlider(Random &random)
    {
        const auto &sliders = m_window.steerPanel().sliders();
        drag(*sliders[random.index(sliders.size())], random.real(), random.real());
    }
    void probe(Random &random)
    {
        auto &view = *m_window.view().sceneWidget();
        const QPointF place(random.real(0.4, 0.6) * view.width(),
                            random.real(0.4, 0.6) * view.height());
        QTest::mouseClick(&view, Qt::LeftButton, {}, place.toPoint());
    }

    const FieldFrame &frame() const { return *m_shown; }
    QStringList sentences() { return m_window.messages().sentences(); }

private:
    MainWindow m_window;
    std::shared_ptr<const FieldFrame> m_shown;
};

int numberIn(const char *variable, int otherwise)
{
    bool isNumber = false;
    const int number = qEnvironmentVariable(variable).toInt(&isNumber);
    return isNumber && number >= 0 ? number : otherwise;
}

} // namespace

class ManyOpeningsTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void allThatIsAskedForComes();

private:
    void openOnce(const std::filesystem::path &path, const ValueRange &ofStudy,
                  const Circumstances &has, Random &random);

    std::unique_ptr<StallWatch> m_watch; ///< ends the program where the event loop itself hangs
    std::vector<std::unique_ptr<FakeDevice>> m_devices; ///< a thread left behind may use one still
    QString m_which;
};

void ManyOpeningsTest::allThatIsAskedForComes()
{
    const int openings = numberIn("GRIDHELM_OPENINGS", 20);
    const int seed = numberIn("GRIDHELM_SEED", 1);
    qInfo("GRIDHELM_OPENINGS=%d GRIDHELM_SEED=%d", openings, seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Folder folder;
    const auto path = makeStudy(folder, 3);
    const auto ofStudy = rangeOfStudy(path);
    m_watch = std::make_unique<StallWatch>(1e9); // no stall is worth naming: they are wanted
    QElapsedTimer clock;
    qint64 longest = 0;
    for (int i = 1; i <= openings; ++i) {
        QSettings().clear();
        const Circumstances has(random);
        m_which = QString("Opening %1 of %2 (GRIDHELM_SEED=%3; %4)")
                      .arg(i)
                      .arg(openings)
                      .arg(seed)
                      .arg(has.text());
        clock.start();
        openOnce(path, ofStudy, has, random);
        if (QTest::currentTestFailed())
            return;
        longest = std::max(longest, clock.elapsed());
    }
    qInfo("the longest of %d openings took %lld ms", openings, longest);
}

void ManyOpeningsTest::openOnce(const std::filesystem::path &path, const ValueRange &ofStudy,
                                const Circumstances &has, Random &random)
{
    const BusyThreads others(has.busyThreads);
    const LateEventLoop late(has.latest, static_cast<std::uint64_t>(random.integer(0, 1 << 30)));
    auto &device = *m_devices.emplace_back(std::make_unique<FakeDevice>());
    slowDown(device, has.slow, static_cast<std::uint64_t>(random.integer(0, 1 << 30)));
    const QDeadlineTimer end(patience);
    const auto missing = [this](const QStringList &what) {
        return QString("%1: after %2 s there is still not %3")
            .arg(m_which)
            .arg(patience / 1000)
            .arg(what.join(", "));
    };

    const auto waitFor = [&](const char *what, const auto &condition) {
        return QTest::qWaitFor(
            [&] {
                m_watch->doing(m_which + ": waits for " + what); // the event loop goes round
                return condition();
            },
            static_cast<int>(end.remainingTime()));
    };

    m_watch->doing(m_which + ": the window is made");
    OpeningWindow window(has, device);
    window.open(path);
    QVERIFY2(waitFor("the first frame", [&] { return window.hasFrame(); }),
             qPrintable(missing({"the first frame"})));

    m_watch->doing(m_which + ": sliders are moved");
    for (int i = 0; i < 3; ++i) {
        window.moveASlider(random);
        QTest::qWait(random.integer(0, 20)); // or not at all: then the next one overtakes it
    }
    window.probe(random);
    const auto missingNow = [&] {
        QStringList what;
        if (!window.hasExactFrame())
            what << "the exact frame of the last move";
        if (!window.hasProbed())
            what << "the probe's answer";
        if (!window.hasRange(ofStudy))
            what << "the range of the study";
        return what;
    };
    QVERIFY2(waitFor("all that follows a move", [&] { return missingNow().isEmpty(); }),
             qPrintable(missing(missingNow())));
    QCOMPARE(window.frame().backend, std::string("fake"));
    QCOMPARE(window.frame().values, fieldAt(path, 0, window.frame().request.parameters));
    QVERIFY2(window.sentences().isEmpty(), qPrintable(window.sentences().join(' ')));
    m_watch->doing(m_which + ": the window ends");
}

static int runLong(int argc, char **argv)
{
    qputenv("QTEST_FUNCTION_TIMEOUT", "3600000"); // Qt Test's own five minutes are too short
    return runOnScreen<ManyOpeningsTest>(argc, argv);
}

GRIDHELM_TEST_RUN_BY(runLong)

#include "tst_many_openings.moc"
