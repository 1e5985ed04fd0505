// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/output_file.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>

namespace gridhelm::cli {

// What goes to stdout and stderr goes through core/support/clean_text.h: titles, names, units and
// logs are other people's, and no terminal shall obey them.

/// Of several processes that do the same, one speaks: whether stdout and stderr get anything of
/// what is printed below. They do from the start.
void setSpeaking(bool speaks);

/// To stdout. Throws Error when stdout takes no more (a full disk).
void printText(std::string_view text);
/// Texts that are no UTF-8 have U+FFFD for it.
void printJson(const nlohmann::json &document);
void flushOutput();

/// To stderr, at once. What it does not take is lost: nobody is left to be told.
void printMessage(std::string_view text);

/// Takes away the line that the terminal behind stderr shows last and has not ended.
void clearTerminalLine();

/// Text of any length, piece by piece, to a file's temporary path or (nullptr) to stdout; pieces
/// for stdout hold whole characters. Throws Error when no more can be written.
class TextSink
{
public:
    explicit TextSink(const OutputFile *file);
    ~TextSink();
    TextSink(const TextSink &) = delete;
    TextSink &operator=(const TextSink &) = delete;

    void write(std::string_view text);
    void close();

private:
    const OutputFile *m_file;
    std::FILE *m_stream;
};

/// Writes `text` to `path` (whole or not at all), or to stdout if `path` is empty.
void writeText(const std::string &path, std::string_view text);

/// Throws Error if the file to be written is one of those that are read, by whatever name: studies
/// and measurements cannot be had again.
void requireOtherFile(const std::string &output, std::initializer_list<std::string> inputs);

} // namespace gridhelm::cli
