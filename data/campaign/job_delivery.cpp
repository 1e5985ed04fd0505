// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/job_delivery.h"

namespace gridhelm::data {

namespace {

/// Of snapshots that wait in memory for the end of their job.
constexpr std::size_t largestBatch = std::size_t{256} << 20;

} // namespace

JobDelivery::JobDelivery(CampaignStudy &study, Job job, std::vector<Moment> moments)
    : m_study(study)
    , m_job(std::move(job))
    , m_moments(std::move(moments))
    , m_sampled(m_job.points.size())
{
}

void JobDelivery::renumber(Job job, const std::map<double, std::size_t> &positionAt)
{
    for (auto &moment : m_moments)
        moment.positions = {positionAt.at(moment.time)};
    m_job = std::move(job);
}

void JobDelivery::take(std::size_t index, RunSnapshot snapshot, bool hasRunEnded)
{
    const auto &moment = m_moments.at(index);
    if (moment.isThere)
        return;
    if (m_study.isScalar) {
        m_sampled.add(snapshot, moment.places, moment.positions);
        return;
    }
    if (hasRunEnded) {
        open();
        storePoint(index, std::move(snapshot));
        return;
    }
    for (const auto &values : snapshot.values)
        m_bytes += values.size() * sizeof(float);
    m_batch.emplace_back(index, std::move(snapshot));
    if (m_bytes > largestBatch) {
        open();
        storeBatch();
        close();
    }
}

void JobDelivery::finish(std::string log)
{
    open();
    if (m_study.isScalar && !isEmpty())
        m_sampled.store(m_study.writer, m_job.id);
    else
        storeBatch();
    m_notes.merge(m_study.store.takeNotes());
    for (const auto &note : m_notes)
        log += (log.empty() || log.back() == '\n' ? "" : "\n") + ("note: " + note) + "\n";
    m_study.writer.finishJob(m_job.id, log);
    m_transaction->commit();
    m_transaction.reset();
}

void JobDelivery::abandon()
{
    m_batch.clear();
    m_transaction.reset();
}

void JobDelivery::open()
{
    if (m_transaction)
        return;
    m_transaction.reset(new Transaction(m_study.writer.transaction()));
}

void JobDelivery::close()
{
    m_notes.merge(m_study.store.takeNotes());
    m_transaction->commit();
    m_transaction.reset();
}

void JobDelivery::storePoint(std::size_t moment, RunSnapshot snapshot)
{
    m_study.store.putPoint(m_job.points[m_moments[moment].positions.front()], std::move(snapshot));
}

void JobDelivery::storeBatch()
{
    for (auto &[moment, snapshot] : m_batch)
        storePoint(moment, std::move(snapshot));
    m_batch.clear();
    m_bytes = 0;
}

} // namespace gridhelm::data
