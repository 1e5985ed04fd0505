// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include "core/support/clean_text.h"
#include "core/support/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace gridhelm::cli {
namespace {

std::atomic<bool> isSpeaking = true;

[[noreturn]] void throwStdoutError()
{
    throw Error(fmt::format("the output could not be written ({}): free some space, or write "
                            "somewhere else",
                            std::strerror(errno)));
}

void writeMessage(std::string_view bytes)
{
    if (!isSpeaking)
        return;
    std::fwrite(bytes.data(), 1, bytes.size(), stderr);
    std::fflush(stderr);
}

} // namespace

void setSpeaking(bool speaks)
{
    isSpeaking = speaks;
}

void printText(std::string_view text)
{
    TextSink(nullptr).write(text);
}

void printJson(const nlohmann::json &document)
{
    const auto text = document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
    printText(cleanJson(text) + "\n");
}

void printMessage(std::string_view text)
{
    writeMessage(cleanLines(text));
}

void clearTerminalLine()
{
    writeMessage("\r\033[K");
}

void flushOutput()
{
    if (std::fflush(stdout) != 0)
        throwStdoutError();
}

TextSink::TextSink(const OutputFile *file)
    : m_file(file)
    , m_stream(file ? std::fopen(file->temporaryPath().c_str(), "wb") : stdout)
{
    if (!m_stream)
        throwFileError(m_file->path());
}

TextSink::~TextSink()
{
    if (m_file && m_stream)
        std::fclose(m_stream);
}

void TextSink::write(std::string_view text)
{
    if (!m_file && !isSpeaking)
        return;
    std::string cleaned;
    if (!m_file && !isPlainLines(text))
        text = cleaned = cleanLines(text);
    if (std::fwrite(text.data(), 1, text.size(), m_stream) == text.size())
        return;
    if (m_file)
        throwFileError(m_file->path());
    throwStdoutError();
}

void TextSink::close()
{
    if (!m_file) {
        flushOutput();
        return;
    }
    if (std::fclose(std::exchange(m_stream, nullptr)) != 0)
        throwFileError(m_file->path());
}

void writeText(const std::string &path, std::string_view text)
{
    if (path.empty()) {
        printText(text);
        return;
    }
    writeTextFile(path, text);
}

void requireOtherFile(const std::string &output, std::initializer_list<std::string> inputs)
{
    for (const auto &input : inputs) {
        std::error_code failed; // one that is not there is no other's
        if (std::filesystem::equivalent(output, input, failed))
            throw Error(fmt::format("{} is what is read here, and would be replaced: write to "
                                    "another file",
                                    output));
    }
}

} // namespace gridhelm::cli
