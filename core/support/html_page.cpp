// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/html_page.h"

#include "core/support/html_text.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace gridhelm {
namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fff; --quiet: #667085; --line: #d8dde6;
  --c0: #2467a8; --c1: #d9730d; --c2: #2f8f5b; --c3: #b5385a; --c4: #7a52b3; --c5: #8a6d1f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --paper: #161a21; --quiet: #98a2b3;
  --line: #333b48; --c0: #6aaee8; --c1: #f0a35e; --c2: #6cc796; --c3: #e8859f; --c4: #b79be6; --c5: #cdb469; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 940px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; margin-bottom: .2em; } h2 { font-size: 1.15em; margin-top: 1.8em; }
.quiet { color: var(--quiet); }
.scores { display: flex; flex-wrap: wrap; gap: 1em; }
.score { border: 1px solid var(--line); border-radius: 8px; padding: .7em 1.1em; }
.score b { display: block; font-size: 1.9em; line-height: 1.2; }
.key { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em; }
table { border-collapse: collapse; font-size: 13px; width: 100%; }
th, td { text-align: left; padding: 3px 9px 3px 0; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
figure { margin: 1.2em 0; } img { max-width: 100%; height: auto; }
figcaption { color: var(--quiet); font-size: 13px; }
.plots { display: flex; flex-wrap: wrap; gap: 12px; } svg { max-width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); stroke: var(--paper);
  stroke-width: 4px; paint-order: stroke; }
svg text.title, svg text.group { font-weight: 600; } svg text.title { font-size: 13px; }
line.axis { stroke: var(--quiet); } line.grid { stroke: var(--line); }
line.mark { stroke: var(--quiet); stroke-dasharray: 4 3; }
.c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); }
.c3 { --c: var(--c3); } .c4 { --c: var(--c4); } .c5 { --c: var(--c5); }
.key { background: var(--c); } rect.series, g.series circle { fill: var(--c); }
g.series polyline { fill: none; stroke: var(--c); stroke-width: 1.8; }
.d1 polyline { stroke-dasharray: 9 3; } .d2 polyline { stroke-dasharray: 5 3; }
.d3 polyline { stroke-dasharray: 2 3; } .d4 polyline { stroke-dasharray: 9 3 2 3; }
)";

std::string generatorTag(std::string_view generator)
{
    return fmt::format("<meta name=\"generator\" content=\"{}\">", htmlText(generator));
}

} // namespace

std::string htmlPageHead(std::string_view title, std::string_view generator,
                         std::string_view scriptSource)
{
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{}\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
        "style-src 'unsafe-inline'{}\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
        generatorTag(generator),
        scriptSource.empty() ? "" : fmt::format("; script-src {}", scriptSource), htmlText(title),
        style);
}

std::string framedPage(std::string_view page, std::string_view title, int height)
{
    std::string document; // as an attribute; nothing else of it may change
    document.reserve(page.size() + page.size() / 16);
    for (const char c : page) {
        if (c == '&')
            document += "&amp;";
        else if (c == '"')
            document += "&quot;";
        else
            document += c;
    }
    return fmt::format("<iframe title=\"{}\" loading=\"lazy\" sandbox=\"allow-scripts "
                       "allow-downloads\" style=\"width: 100%; height: {}px; border: 0\" "
                       "srcdoc=\"{}\"></iframe>\n",
                       htmlText(title), height, document);
}

bool isPageOf(const std::string &path, std::string_view generator)
{
    constexpr std::size_t enough = 512; // the tag is among the first lines
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown)) // a pipe would be waited for
        return false;
    std::ifstream file(path, std::ios::binary);
    std::string beginning(enough, ' ');
    file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    return beginning.starts_with("<!DOCTYPE html>")
           && beginning.find(generatorTag(generator)) != std::string::npos;
}

} // namespace gridhelm
