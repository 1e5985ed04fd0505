// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace gridhelm::data {

class StudyFile;

/// Rewrites a writer's file without unused space, its tables one after the other: first into a new
/// file beside it, then, as one transaction, back into its place, so that readers go on. Little of
/// it is in memory at a time. `progress` is told the share that is done and returns false to stop:
/// then false is returned, and the study is as before. Outside of transactions. Throws StorageError
/// without room for twice what is in use. Private to data.
bool compactFile(StudyFile &file, const std::function<bool(double)> &progress);

} // namespace gridhelm::data
