// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm::ui {

/// Of this thread, and of the threads and programs that it starts from now on: where cores are
/// scarce, those that draw and evaluate what the user waits for go first. On idle cores nothing
/// becomes slower.
///
/// `niceness`: less for those that come between.
void lowerPriority(int niceness = 10);

} // namespace gridhelm::ui
