// SPDX-License-Identifier: GPL-3.0-or-later
//
// The files that a plan's templates bring into the folder of every job.
#pragma once

#include "data/campaign/fill_template.h"
#include "data/campaign/plan_file.h"
#include "data/campaign/work_folder.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gridhelm::data {

struct TemplateFile
{
    enum class Kind {
        folder,
        file,
        /// A symbolic link in a template's folder: all jobs share what it leads to, as it was when
        /// it was read; nobody looks again before each job.
        linkedFolder,
    } kind = Kind::file;
    std::filesystem::path target; ///< relative to the job's folder
    std::filesystem::path source; ///< absolute
    std::uint64_t bytes = 0;
    std::string sha256 = {}; ///< of the contents; of a linked folder, of all that is in it
    bool isText = false;     ///< placeholders are filled in
    bool isExecutable = false;
};

/// Folders before what is in them, each folder's entries in the order of their names. The study
/// (beside it: what belongs to it) is left out. Throws gridhelm::Error for what is not there, is no
/// file, cannot be read or does not end; and for what leads out of a foreign plan's folder. A stop
/// is an error, too.
std::vector<TemplateFile> templatesOf(const CommandPlan &plan, const std::filesystem::path &study,
                                      const std::stop_token &stop = {});

/// Whether the file has what the template has, which has no placeholders.
bool isLikeCopy(const std::filesystem::path &file, const TemplateFile &from,
                const PlaceholderValues &values);

/// Into jobs' folders, and out of them again.
class TemplateCopies
{
public:
    explicit TemplateCopies(const JobFolder &folder)
        : m_folder(folder)
    {
    }

    /// Copies have their templates' times, so that what is written later is seen to be newer. Throws
    /// gridhelm::Error if a template is no longer what its digest says.
    void copy(const std::vector<TemplateFile> &templates, const PlaceholderValues &values);
    /// Whether it is a copy of a template that has nothing of the job: neither has the command
    /// written to it, nor have placeholders been filled in.
    bool isUnchanged(const std::filesystem::path &file) const;
    /// Removes what was copied, but for files that the command has changed.
    void remove();

private:
    struct Copy
    {
        const TemplateFile *from;
        ino_t inode;
        off_t size;
        timespec changed;
        bool isFilled = false; ///< placeholders have become the job's values
    };

    void copyFile(const TemplateFile &from, const PlaceholderValues &values);
    /// False of what is no file any more.
    bool isUnchanged(const Copy &copy) const;

    const JobFolder &m_folder;
    std::vector<Copy> m_files;
    std::vector<const TemplateFile *> m_others;
};

} // namespace gridhelm::data
