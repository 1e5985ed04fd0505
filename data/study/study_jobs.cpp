// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of jobs.
#include "data/study/row_checksums.h"
#include "data/study/study_writer.h"
#include "data/study/table_access.h"

#include <cmath>

namespace gridhelm::data {

namespace {

JobState parseJobState(const StudyFile &file, const std::string &text)
{
    for (auto state : {JobState::waiting, JobState::running, JobState::done, JobState::failed}) {
        if (text == toString(state))
            return state;
    }
    file.throwDamaged("a job is in no state that there is");
}

/// From a row of selectAll(jobs).
Job jobOf(const StudyFile &file, const Query &row)
{
    if (!isSealed(SealedTable::jobs, row))
        file.throwDamaged("the checksum of a job does not match");
    if (!std::isfinite(row.real(6)) || !std::isfinite(row.real(7)))
        file.throwDamaged("a job was run at no time that there is");
    Job job;
    job.id = row.integer(0);
    job.points = file.pointsOfJob(row.integer(1), file.pointOfKey(row.blob(2), row.integer(3)));
    job.state = parseJobState(file, row.text(4));
    job.attempts = static_cast<int>(row.integer(5));
    job.started = row.real(6);
    job.finished = row.real(7);
    return job;
}

/// Whether the point, or the job, has values of all fields.
bool hasAllSnapshots(const StudyFile &file, const Job &job)
{
    if (file.fields().empty())
        return false;
    for (FieldIndex field = 0; field < file.fields().size(); ++field) {
        if (file.description().kind == StudyKind::scalar) {
            // The parts of a job's values are written in one transaction.
            auto row =
                file.query("SELECT 1 FROM scalar_values WHERE job = ? AND field = ? AND part = 0");
            if (!row.bind(job.id).bind(idOf(field)).step())
                return false;
            continue;
        }
        for (auto point : job.points) { // the parts of a snapshot are written in one transaction
            auto row =
                file.query("SELECT 1 FROM snapshots WHERE field = ? AND part = 0 AND point = ?");
            if (!row.bind(idOf(field)).bind(file.pointId(point)).step())
                return false;
        }
    }
    return true;
}

void sealJob(const StudyFile &file, JobId id)
{
    sealRow(file, SealedTable::jobs, id);
    sealRow(file, SealedTable::jobLogs, id);
}

} // namespace

std::vector<Job> Study::jobs() const
{
    return m_file->guarded([&] {
        std::vector<Job> jobs;
        for (auto row = m_file->query(selectAll(SealedTable::jobs)); row.step();)
            jobs.push_back(jobOf(*m_file, row));
        return jobs;
    });
}

Job Study::job(JobId id) const
{
    return m_file->guarded([&] {
        auto row = m_file->query(selectOne(SealedTable::jobs));
        if (!row.bind(id).step())
            throw Error("the study has no job number " + std::to_string(id));
        return jobOf(*m_file, row);
    });
}

std::string Study::jobLog(JobId id) const
{
    return m_file->guarded([&] {
        auto row = m_file->query(selectOne(SealedTable::jobLogs));
        if (!row.bind(id).step())
            throw Error("the study has no job number " + std::to_string(id));
        if (!isSealed(SealedTable::jobLogs, row))
            m_file->throwDamaged("the checksum of a job's log does not match");
        return row.text(1);
    });
}

void StudyWriter::startJob(JobId id)
{
    inTransaction(*m_file, [&] {
        if (job(id).state == JobState::done)
            throw Error("job " + std::to_string(id)
                        + " is done already: what has succeeded is not run again");
        if (isSubmitted(*m_file, id))
            throw Error("job " + std::to_string(id)
                        + " runs elsewhere already: what goes on is not run twice");
        m_file
            ->query("UPDATE jobs SET state = 'running', attempts = attempts + 1, started = ?, "
                    "finished = 0 WHERE id = ?")
            .bind(secondsSince1970())
            .bind(id)
            .run();
        sealRow(*m_file, SealedTable::jobs, id);
    });
}

void StudyWriter::finishJob(JobId id, const std::string &log)
{
    inTransaction(*m_file, [&] {
        if (!hasAllSnapshots(*m_file, job(id)))
            throw Error("job " + std::to_string(id)
                        + " cannot be done: some of its snapshots are missing");
        m_file->query("UPDATE jobs SET state = 'done', finished = ?, log = ? WHERE id = ?")
            .bind(secondsSince1970())
            .bind(std::string_view(log))
            .bind(id)
            .run();
        removeSubmission(*m_file, id);
        sealJob(*m_file, id);
    });
}

void StudyWriter::failJob(JobId id, const std::string &log)
{
    inTransaction(*m_file, [&] {
        if (job(id).state == JobState::done)
            throw Error("job " + std::to_string(id) + " is done already, so it cannot fail");
        m_file->query("UPDATE jobs SET state = 'failed', finished = ?, log = ? WHERE id = ?")
            .bind(secondsSince1970())
            .bind(std::string_view(log))
            .bind(id)
            .run();
        removeSubmission(*m_file, id);
        sealJob(*m_file, id);
    });
}

void StudyWriter::resetJob(JobId id)
{
    inTransaction(*m_file, [&] {
        if (job(id).state == JobState::done)
            throw Error("job " + std::to_string(id)
                        + " is done already: what has succeeded is not run again");
        m_file->query("UPDATE jobs SET state = 'waiting' WHERE id = ?").bind(id).run();
        removeSubmission(*m_file, id);
        sealRow(*m_file, SealedTable::jobs, id);
    });
}

std::size_t StudyWriter::resetRunningJobs()
{
    std::vector<JobId> running;
    for (const auto &one : jobs()) {
        if (one.state == JobState::running && !isSubmitted(*m_file, one.id))
            running.push_back(one.id);
    }
    if (running.empty()) // nothing is written in vain
        return 0;
    return inTransaction(*m_file, [&] {
        for (const auto id : running)
            resetJob(id);
        return running.size();
    });
}

std::size_t StudyWriter::finishDeliveredJobs(const std::string &log)
{
    return inTransaction(*m_file, [&] {
        std::size_t finished = 0;
        for (const auto &candidate : jobs()) {
            if (candidate.state == JobState::done || !hasAllSnapshots(*m_file, candidate))
                continue;
            finishJob(candidate.id, log);
            ++finished;
        }
        return finished;
    });
}

} // namespace gridhelm::data
