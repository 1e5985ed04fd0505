// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/result_file.h"

#include "core/support/error.h"
#include "data/mesh/snapshot_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fnmatch.h>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace gridhelm::data {

namespace {

namespace fs = std::filesystem;

constexpr const char *wildcards = "*?[";
constexpr double tooFar = std::numeric_limits<double>::infinity();

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

struct ReadNumber
{
    double value = 0;
    std::size_t length = 0;
};

/// The longest number that the text begins with; the full stop of an extension is none of it.
std::optional<ReadNumber> numberAtBeginOf(std::string_view text)
{
    const std::size_t sign = text.starts_with('+') ? 1 : 0; // from_chars() takes '-' alone
    ReadNumber read;
    const auto *first = text.data() + sign;
    const auto [end, code] = std::from_chars(first, text.data() + text.size(), read.value);
    if (code != std::errc() || !std::isfinite(read.value))
        return std::nullopt;
    read.length = static_cast<std::size_t>(end - text.data());
    if (text[read.length - 1] == '.')
        --read.length;
    return read;
}

/// One component of the path, with placeholders of numbers.
class NamePattern
{
public:
    NamePattern(std::string_view text, const std::vector<NamedNumber> &numbers)
    {
        std::size_t begin = 0;
        for (std::size_t at = 0; at < text.size(); ++at) {
            const auto word = text[at] == '{' ? placeholderAt(text, at) : std::string_view();
            const auto found = std::ranges::find_if(
                numbers, [&](const auto &n) { return n.parameter.name == word; });
            if (found == numbers.end())
                continue;
            m_pieces.push_back({std::string(text.substr(begin, at - begin)), &*found});
            at += word.size() + 1;
            begin = at + 1;
        }
        m_pieces.push_back({std::string(text.substr(begin)), nullptr});
    }

    bool hasNumbers() const { return m_pieces.size() > 1; }

    /// How far the numbers in a name are from those that are wanted, 0 .. 1 of their tolerance, the
    /// largest of them; nothing if the name does not match.
    std::optional<double> distanceOf(std::string_view name) const
    {
        // Where the pieces so far can end in the name, and how far their numbers are off.
        std::vector<double> ends(name.size() + 1, tooFar);
        ends[0] = 0;
        for (const auto &piece : m_pieces) {
            ends = afterText(piece, name, ends);
            if (piece.number)
                ends = afterNumber(piece, name, ends);
        }
        return ends.back() < tooFar ? std::optional(ends.back()) : std::nullopt;
    }

private:
    struct Piece
    {
        std::string text; ///< may hold wildcards
        const NamedNumber *number;

        bool hasWildcards() const { return text.find_first_of(wildcards) != std::string::npos; }
    };

    static std::vector<double> afterText(const Piece &piece, std::string_view name,
                                         const std::vector<double> &ends)
    {
        std::vector<double> next(ends.size(), tooFar);
        for (std::size_t begin = 0; begin < ends.size(); ++begin) {
            if (ends[begin] == tooFar)
                continue;
            if (!piece.hasWildcards()) {
                if (name.substr(begin).starts_with(piece.text))
                    next[begin + piece.text.size()] = ends[begin];
                continue;
            }
            for (std::size_t end = begin; end < ends.size(); ++end) {
                const std::string part(name.substr(begin, end - begin));
                if (fnmatch(piece.text.c_str(), part.c_str(), begin == 0 ? FNM_PERIOD : 0) == 0)
                    next[end] = std::min(next[end], ends[begin]);
            }
        }
        return next;
    }

    /// A number is read whole: neither "0.6" of "0.65" nor, after a wildcard, of "10.6".
    static std::vector<double> afterNumber(const Piece &piece, std::string_view name,
                                           const std::vector<double> &ends)
    {
        std::vector<double> next(ends.size(), tooFar);
        for (std::size_t begin = 0; begin < name.size(); ++begin) {
            if (ends[begin] == tooFar)
                continue;
            if (piece.hasWildcards() && begin > 0
                && (isDigit(name[begin - 1]) || name[begin - 1] == '.'))
                continue;
            const auto read = numberAtBeginOf(name.substr(begin));
            if (!read)
                continue;
            const auto &[parameter, wanted] = *piece.number;
            const double far = std::abs(read->value - wanted) / numberTolerance(parameter, wanted);
            auto &best = next[begin + read->length];
            if (far <= 1)
                best = std::min(best, std::max(far, ends[begin]));
        }
        return next;
    }

    std::vector<Piece> m_pieces;
};

struct Found
{
    fs::path path;
    double distance = 0; ///< the largest of its components' numbers
};

/// Entries of a folder that a component of the pattern names.
void addEntries(const Found &folder, const std::string &text, const NamePattern &pattern,
                std::vector<Found> &found)
{
    std::error_code code;
    for (const auto &entry : fs::directory_iterator(folder.path, code)) {
        const auto name = entry.path().filename().string();
        if (!pattern.hasNumbers()) {
            if (fnmatch(text.c_str(), name.c_str(), FNM_PERIOD) == 0)
                found.push_back({entry.path(), folder.distance});
        } else if (const auto distance = pattern.distanceOf(name)) {
            found.push_back({entry.path(), std::max(folder.distance, *distance)});
        }
    }
}

/// Files that a pattern names, component by component, sorted.
std::vector<Found> filesOf(const fs::path &folder, const fs::path &path,
                           const std::vector<NamedNumber> &numbers)
{
    std::vector<Found> found{{path.is_absolute() ? fs::path() : folder, 0}};
    for (const auto &component : path) {
        const auto text = component.string();
        const NamePattern pattern(text, numbers);
        const bool isPlain =
            !pattern.hasNumbers() && text.find_first_of(wildcards) == std::string::npos;
        std::vector<Found> next;
        for (const auto &base : found) {
            std::error_code code;
            if (isPlain || fs::exists(base.path / component, code))
                next.push_back({base.path / component, base.distance});
            else
                addEntries(base, text, pattern, next);
        }
        found = std::move(next);
    }
    std::error_code code;
    std::erase_if(found, [&](const auto &one) { return !fs::exists(one.path, code); });
    std::ranges::sort(found, {}, &Found::path);
    return found;
}

/// "a.vti, b.vti, ..."
std::string namesOf(const std::vector<Found> &files, const fs::path &folder)
{
    constexpr std::size_t named = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(files.size(), named); ++i)
        names += (i > 0 ? ", " : "") + files[i].path.lexically_proximate(folder).string();
    return names + (files.size() > named ? ", ..." : "");
}

} // namespace

fs::path resultFile(const fs::path &folder, const std::string &pattern,
                    const PlaceholderValues &values, const std::vector<NamedNumber> &numbers)
{
    const auto exact = fillTemplate(pattern, values);
    auto files = filesOf(folder, exact, {});
    if (files.empty()) {
        auto others = values;
        for (const auto &number : numbers)
            others.erase(number.parameter.name);
        files = filesOf(folder, fillTemplate(pattern, others), numbers);
        if (!files.empty()) {
            const auto nearest = std::ranges::min(files, {}, &Found::distance).distance;
            std::erase_if(files, [&](const auto &one) { return one.distance > nearest; });
        }
    }
    if (files.empty())
        throw Error("the command ended, but there is no result " + exact + " in " + folder.string()
                    + "; correct the plan's 'result', or the command");
    if (files.size() > 1)
        throw Error("there are " + std::to_string(files.size()) + " files for the result " + exact
                    + " in " + folder.string() + " (" + namesOf(files, folder)
                    + "); let the plan's 'result' name one, with {t} say, or a series");
    return files.front().path;
}

} // namespace gridhelm::data
