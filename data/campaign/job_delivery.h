// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/sampled_job.h"
#include "data/campaign/store_snapshot.h"

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::data {

/// A study that a campaign writes.
struct CampaignStudy
{
    CampaignStudy(StudyWriter &of, const MeshFitter &fit)
        : writer(of)
        , store(of, fit)
        , isScalar(of.description().kind == StudyKind::scalar)
    {
    }

    StudyWriter &writer;
    SnapshotStore store;
    bool isScalar;
};

/// What one snapshot of a job is for.
struct Moment
{
    std::vector<std::size_t> positions; ///< in the job's points; one unless scalar
    std::vector<Place> places;
    bool isThere = false; ///< stored already: what comes again is left out
    double time = 0;      ///< of the time-like parameter; 0 if there is none
};

/// One job's snapshots. Those of a scalar study are sampled as they come. Others, if they come
/// while the simulation runs, wait in memory for the job's end, as far as that has room; those that
/// come when it has ended go straight into the transaction of the job's end.
class JobDelivery
{
public:
    /// `moments`: in the order of the run's times.
    JobDelivery(CampaignStudy &study, Job job, std::vector<Moment> moments);

    const Job &job() const { return m_job; }
    bool isEmpty() const { return m_moments.empty(); } ///< everything was there already

    /// The grid has grown, and its points have other numbers: the job with these, and the positions
    /// in them by time. Not of scalar studies.
    void renumber(Job job, const std::map<double, std::size_t> &positionAt);

    void take(std::size_t index, RunSnapshot snapshot, bool hasRunEnded);
    /// The job is done, and all there.
    void finish(std::string log);
    /// What has not been committed is undone.
    void abandon();

private:
    void open();
    void close();
    void storeBatch();
    void storePoint(std::size_t moment, RunSnapshot snapshot);

    CampaignStudy &m_study;
    Job m_job;
    std::vector<Moment> m_moments;
    SampledJob m_sampled;
    std::unique_ptr<Transaction> m_transaction;
    std::vector<std::pair<std::size_t, RunSnapshot>> m_batch; ///< by moments
    std::size_t m_bytes = 0;
    std::set<std::string> m_notes; ///< about what was stored
};

} // namespace gridhelm::data
