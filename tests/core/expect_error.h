// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/error.h"

#include <QTest>

#include <string>

namespace gridhelm::test {

/// Empty if action() throws gridhelm::Error with one sentence in it; otherwise what is wrong.
template <typename Action>
std::string missingError(Action action)
{
    try {
        action();
    } catch (const Error &error) {
        const std::string message = error.what();
        if (message.size() < 10 || message.find('\n') != std::string::npos)
            return "no sentence: \"" + message + "\"";
        return {};
    } catch (const std::exception &error) {
        return std::string("another exception: ") + error.what();
    }
    return "no error";
}

/// The sentence that the action is refused with; empty if it is not.
template <typename Action>
std::string refusalOf(Action action)
{
    try {
        action();
    } catch (const Error &error) {
        return error.what();
    }
    return {};
}

/// Whether it is refused with a sentence that says so; if not, the sentence is printed.
template <typename Action>
bool isRefused(Action action, const std::string &why)
{
    const auto sentence = refusalOf(action);
    const bool saysSo = sentence.find(why) != std::string::npos;
    if (!saysSo)
        qWarning("refused with \"%s\"", sentence.c_str());
    return saysSo;
}

} // namespace gridhelm::test

/// Fails the test unless the expression throws gridhelm::Error with one sentence in it.
#define GRIDHELM_EXPECT_ERROR(...)                                                                 \
    do {                                                                                           \
        const auto missing_ =                                                                      \
            gridhelm::test::missingError([&] { static_cast<void>(__VA_ARGS__); });                 \
        QVERIFY2(missing_.empty(), missing_.c_str());                                              \
    } while (false)
