// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/copy_study.h"

#include "data/study/storage_error.h"
#include "data/study/study.h"
#include "data/study/study_file.h"
#include "data/study/study_uri.h"
#include "data/study/study_vfs.h"
#include "data/study/unfinished_file.h"

#include <SQLiteCpp/Backup.h>
#include <sqlite3.h>

#include <algorithm>

namespace gridhelm::data {

namespace {

constexpr int pagesAtOnce = 64; // 1 MiB: a stop is noticed soon

} // namespace

bool copyStudy(const std::filesystem::path &study, const std::filesystem::path &copy,
               const std::function<bool(std::uint64_t, std::uint64_t)> &progress)
{
    const auto from = Study::open(study);
    if (std::filesystem::exists(std::filesystem::symlink_status(copy)))
        throw Error(copy.string() + " exists already: choose another name, or remove it first");
    const UnfinishedFile unfinished(copy);
    const auto copied = [&] {
        try {
            SQLite::Database to(uriOf(unfinished.path(), "mode=rwc"),
                                SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_URI
                                    | SQLITE_OPEN_NOFOLLOW,
                                0, studyVfs());
            // Pages of one moment, however long it takes and whoever writes meanwhile.
            const ReadTransaction together(from.file());
            from.file().query("SELECT count(*) FROM study").step();
            {
                SQLite::Backup backup(to, from.file().database());
                while (backup.executeStep(pagesAtOnce) != SQLITE_DONE) {
                    const auto all = static_cast<std::uint64_t>(backup.getTotalPageCount());
                    const auto left = static_cast<std::uint64_t>(backup.getRemainingPageCount());
                    if (progress && !progress(all - std::min(left, all), all))
                        return false;
                }
            }
            to.exec("PRAGMA journal_mode = DELETE"); // the source may have a log
            return true;
        } catch (const SQLite::Exception &exception) {
            throw StorageError("The copy " + copy.string() + " could not be written ("
                               + exception.what() + "): free some space, or choose another folder");
        }
    }();
    if (copied)
        unfinished.keep();
    return copied;
}

} // namespace gridhelm::data
