// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace gridhelm {

/// "major.minor.patch" of the project.
std::string_view versionString() noexcept;

/// Abbreviated git commit the binary was built from, with "-dirty" behind it if tracked files had
/// been changed; "unknown" if it was not built from a git checkout.
std::string_view commitString() noexcept;

} // namespace gridhelm
