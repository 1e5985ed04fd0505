// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/study_reader.h"

#include "core/support/clean_text.h"
#include "data/study/consistent_read.h"
#include "data/study/study.h"

#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>
#include <optional>

namespace gridhelm::ui {
namespace {

constexpr int pollMilliseconds = 250;

} // namespace

class StudyReader::Worker : public QObject
{
public:
    explicit Worker(StudyReader &reader)
        : m_reader(reader)
        , m_timer(new QTimer(this))
    {
        m_timer->setSingleShot(true);
        connect(m_timer, &QTimer::timeout, this, &Worker::poll);
    }

    void setStudy(const QString &path)
    {
        m_study.reset();
        m_path = path;
        m_isReleased = false;
        m_lastProblem.clear();
        poll();
    }

    void setAxes(std::size_t across, std::size_t up)
    {
        if (across == m_across && up == m_up)
            return;
        m_across = across;
        m_up = up;
        m_isStale = true;
        poll();
    }

    void readLog(data::JobId job)
    {
        attempt([&] {
            if (!m_study)
                return;
            const data::ConsistentRead together(*m_study);
            const auto run = plannedRun(job);
            const auto log = run ? run->log : m_study->jobLog(job);
            emit m_reader.logRead(m_path, job, QString::fromStdString(cleanLines(log)));
        });
    }

    void readPlaces(data::JobId id)
    {
        attempt([&] {
            if (!m_study)
                return;
            const data::ConsistentRead together(*m_study);
            const auto grid = m_study->grid();
            std::vector<std::vector<double>> places;
            if (const auto run = plannedRun(id))
                places.push_back(run->parameters);
            else
                for (const auto point : m_study->job(id).points)
                    places.push_back(m_study->description().space.valuesAt(*grid, point));
            emit m_reader.placesRead(m_path, id, places);
        });
    }

    void release()
    {
        m_study.reset();
        m_isReleased = true;
    }

    void reopen()
    {
        m_isReleased = false;
        poll();
    }

private:
    /// That a row of jobs stands for, if it is no job (JobRow::id).
    std::optional<data::PlannedRun> plannedRun(data::JobId row) const
    {
        if (m_study->description().design == data::StudyDesign::scattered)
            return m_study->plannedRun(row);
        return row < 0 ? std::optional(m_study->plannedRun(-row)) : std::nullopt;
    }

    void poll()
    {
        m_timer->stop();
        if (m_path.isEmpty() || m_isReleased)
            return;
        QElapsedTimer taken;
        taken.start();
        attempt([&] {
            if (!m_study) {
                m_study.emplace(data::Study::open(m_path.toStdString()));
                m_isStale = true;
            }
            const auto version = m_study->dataVersion();
            if (!m_isStale && version == m_version)
                return;
            try {
                readState();
            } catch (const data::ChangedStudy &) {
                m_study.reset(); // whatever it is now is read the next time
                return;
            }
            m_version = version;
            m_isStale = false;
            m_lastProblem.clear();
        });
        // A large study must not keep a core busy with being read. One that could not be read,
        // after waiting long for somebody's lock, say, is asked for again soon.
        m_timer->start(m_lastProblem.isEmpty()
                           ? std::max<int>(pollMilliseconds, 4 * static_cast<int>(taken.elapsed()))
                           : pollMilliseconds);
    }

    void readState()
    {
        std::shared_ptr<const StudyState> state;
        {
            const data::ConsistentRead together(*m_study);
            state = std::make_shared<const StudyState>(stateOf(*m_study, m_across, m_up));
        }
        emit m_reader.stateRead(state);
    }

    template <typename Action>
    void attempt(Action action)
    {
        try {
            action();
        } catch (const std::exception &error) {
            m_study.reset();
            const auto problem = QString::fromUtf8(error.what());
            if (problem != m_lastProblem)
                emit m_reader.failed(m_path, problem);
            m_lastProblem = problem;
        }
    }

    StudyReader &m_reader; // outlives the thread; signals go to its thread
    QTimer *m_timer;
    QString m_path;
    std::optional<data::Study> m_study;
    std::int64_t m_version = 0;
    bool m_isStale = true;
    bool m_isReleased = false;
    std::size_t m_across = 0, m_up = 1;
    QString m_lastProblem;
};

StudyReader::StudyReader(QObject *parent)
    : QObject(parent)
    , m_worker(new Worker(*this))
{
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.setObjectName("study reader");
    m_thread.start();
}

StudyReader::~StudyReader()
{
    m_thread.quit();
    m_thread.wait();
}

void StudyReader::setStudy(const QString &path)
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, path] { worker->setStudy(path); });
}

void StudyReader::setAxes(std::size_t across, std::size_t up)
{
    QMetaObject::invokeMethod(m_worker,
                              [worker = m_worker, across, up] { worker->setAxes(across, up); });
}

void StudyReader::readLog(data::JobId job)
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, job] { worker->readLog(job); });
}

void StudyReader::readPlaces(data::JobId job)
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, job] { worker->readPlaces(job); });
}

void StudyReader::release()
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker] { worker->release(); }, Qt::BlockingQueuedConnection);
}

void StudyReader::reopen()
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker] { worker->reopen(); });
}

} // namespace gridhelm::ui
