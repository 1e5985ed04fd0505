// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/campaign_runs.h"
#include "data/campaign/run_on.h"
#include "data/campaign/sampled_job.h"
#include "data/study/run_space.h"

#include <map>
#include <set>
#include <utility>

namespace gridhelm::data {

namespace {

class HoldOutRuns : public SnapshotRuns
{
public:
    /// `places`: for each run the parameters that its one snapshot delivers, which differ in space
    /// at most.
    HoldOutRuns(StudyWriter &writer, JobRunner &runner, const CampaignOptions &options,
                std::vector<std::vector<std::vector<double>>> places, CampaignReport &report)
        : SnapshotRuns(writer, runner, options, report)
        , m_places(std::move(places))
    {
    }

protected:
    std::string nameOf(std::size_t index) const override
    {
        return m_runner.isLocal() ? "holdout-" + std::to_string(index + 1)
                                  : runNameOf(m_places[index].front());
    }

    const std::vector<double> &parametersOf(std::size_t index) const override
    {
        return m_places[index].front();
    }

    void store(std::size_t index, RunSnapshot snapshot) override
    {
        auto transaction = m_study.writer.transaction();
        if (m_study.isScalar)
            storeSampledHoldOuts(m_study.writer, m_places[index], snapshot);
        else
            m_study.store.putHoldOut(m_places[index].front(), std::move(snapshot));
        transaction.commit();
    }

private:
    std::vector<std::vector<std::vector<double>>> m_places;
};

} // namespace

CampaignReport runHoldOuts(StudyWriter &writer, JobRunner &runner,
                           std::span<const std::vector<double>> parameters,
                           const CampaignOptions &options)
{
    const auto &space = writer.description().space;
    std::set<std::vector<double>> there;
    for (auto &holdOut : writer.holdOuts())
        there.insert(std::move(holdOut.parameters));
    // One list for each run, in the order of `parameters`.
    std::vector<std::vector<std::vector<double>>> wanted;
    std::map<std::vector<double>, std::size_t> runOf;
    for (const auto &values : parameters) {
        if (!there.insert(values).second)
            continue;
        const auto [run, isNew] = runOf.try_emplace(runValues(space, values), wanted.size());
        if (isNew)
            wanted.emplace_back();
        wanted[run->second].push_back(values);
    }
    CampaignReport report;
    report.on = placeOf(runner);
    const auto total = wanted.size();
    HoldOutRuns runs(writer, runner, options, std::move(wanted), report);
    const auto adopted = runs.findElsewhere(total);
    report.adopted = adopted.size();
    runs.work(total, adopted);
    return report;
}

} // namespace gridhelm::data
