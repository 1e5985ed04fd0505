// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>

namespace gridhelm::desktop {

/// A study as large as wanted, for --bench-steer: one field on an image of side^3 points (2 to
/// 512), four parameters, level 4, which is 209 snapshots. The values are those of a formula, a
/// blob that moves through waves; nothing is simulated. Throws gridhelm::Error, also if there is a
/// file already.
void makeSyntheticStudy(const std::filesystem::path &path, std::size_t side);

} // namespace gridhelm::desktop
