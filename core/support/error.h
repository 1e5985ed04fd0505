// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>

namespace gridhelm {

/// An error the user can do something about. what() is one sentence for the user: the problem,
/// why it is one, and what to do, e.g. "level 31 is too large (at most 30); choose a lower level".
class Error : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// What computes cannot go on with this, where another back end could: its memory is full, or its
/// device is gone.
class BackendError : public Error
{
public:
    using Error::Error;
};

} // namespace gridhelm
