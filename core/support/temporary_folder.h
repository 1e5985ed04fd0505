// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm {

/// Libraries take the folder for temporary files from the environment (TMPDIR, TMP, TEMP, TEMPDIR),
/// and fail where it does not exist: such variables are taken out of it, so that /tmp is used. To
/// be called before there are threads.
void forgetMissingTemporaryFolders();

} // namespace gridhelm
