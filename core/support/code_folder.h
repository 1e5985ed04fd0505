// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where compiled code is kept for the next run: what is loaded from there runs as this user, so
// that nobody else may be able to put anything there.
#pragma once

#include "core/support/descriptor.h"
#include "core/support/error.h"

#include <filesystem>

namespace gridhelm {

/// It cannot be written, or read: nothing is wrong with it, and one can do without.
class CacheUnusable : public Error
{
public:
    using Error::Error;
};

/// With what errno says: "PATH cannot be used (Permission denied); ...".
[[noreturn]] void throwUnusable(const std::filesystem::path &path, const char *what);

struct CodeFolder
{
    std::filesystem::path path; ///< without links
    Descriptor folder;
};

/// The folder `name` of `above` (cacheFolder()), made with mode 0700 where it is not there; where
/// its group may write to it, that is taken back. Throws CacheUnusable if it cannot be made, and
/// gridhelm::Error if it is a link, belongs to somebody else, or others can write to it, or to a
/// folder above it, those included that hold a link on the way.
CodeFolder openCodeFolder(const std::filesystem::path &above, const char *name);

} // namespace gridhelm
