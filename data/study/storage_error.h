// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/error.h"

namespace gridhelm::data {

/// The disk is at fault (full, unreadable), not the work that was to be stored on it: nothing of it
/// was stored, and it can be done again when there is room.
class StorageError : public Error
{
public:
    using Error::Error;
};

} // namespace gridhelm::data
