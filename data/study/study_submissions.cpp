// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of jobs that run elsewhere.
#include "data/study/row_checksums.h"
#include "data/study/study_writer.h"
#include "data/study/table_access.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::data {

std::vector<Submission> Study::submissions() const
{
    return m_file->guarded([&] {
        std::vector<Submission> all;
        for (auto row = m_file->query(selectAll(SealedTable::submissions)); row.step();) {
            if (!isSealed(SealedTable::submissions, row))
                m_file->throwDamaged("the checksum of a submission does not match");
            if (!std::isfinite(row.real(3)))
                m_file->throwDamaged("a job was submitted at no time that there is");
            all.push_back({row.integer(0), row.text(1), row.text(2), row.real(3)});
        }
        return all;
    });
}

void StudyWriter::putSubmission(JobId id, std::string_view runner, std::string_view externalId)
{
    inTransaction(*m_file, [&] {
        if (job(id).state != JobState::running)
            throw Error("job " + std::to_string(id)
                        + " does not run, so nobody can run it elsewhere");
        m_file
            ->query("INSERT INTO submissions (job, runner, external_id, submitted, checksum) "
                    "VALUES (?, ?, ?, ?, 0) ON CONFLICT (job) DO UPDATE SET "
                    "runner = excluded.runner, external_id = excluded.external_id")
            .bind(id)
            .bind(runner)
            .bind(externalId)
            .bind(secondsSince1970())
            .run();
        sealRow(*m_file, SealedTable::submissions, id);
    });
}

void StudyWriter::noteBegunElsewhere(JobId id)
{
    inTransaction(*m_file, [&] {
        double submitted = 0;
        {
            auto row = m_file->query("SELECT submitted FROM submissions WHERE job = ?");
            if (!row.bind(id).step())
                return;
            submitted = row.real(0);
        }
        if (job(id).started > submitted)
            return;
        constexpr double least = 1e-3; // clocks may go backwards
        m_file->query("UPDATE jobs SET started = ? WHERE id = ?")
            .bind(std::max(secondsSince1970(), submitted + least))
            .bind(id)
            .run();
        sealRow(*m_file, SealedTable::jobs, id);
    });
}

bool isQueued(const Job &job, const Submission &submission)
{
    return job.started <= submission.submitted;
}

bool isSubmitted(const StudyFile &file, JobId id)
{
    auto row = file.query("SELECT 1 FROM submissions WHERE job = ?");
    return row.bind(id).step();
}

void removeSubmission(const StudyFile &file, JobId id)
{
    file.query("DELETE FROM submissions WHERE job = ?").bind(id).run();
}

} // namespace gridhelm::data
