// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can be chosen of a method, as data: the command line's options, the window's forms, the JSON
// of a run and the checks follow from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gridhelm {

/// Whole numbers, real ones, names, extents (numbers of points, one for each direction).
using OptionValue = std::variant<std::int64_t, double, std::string, std::vector<std::size_t>>;

struct Option
{
    enum class Type { whole, real, choice, extents };

    std::string_view key; ///< "depth": after "--" on the command line, and in settings
    std::string_view symbol =
        {};                ///< "w": a second key of one letter, as formulas have it; may be empty
    std::string_view name; ///< "Depth", in forms
    std::string_view unit = {}; ///< may be empty
    std::string_view help;      ///< one sentence, without a full stop
    std::string_view form;      ///< "N", "KxM": of a value, in the command line's help
    Type type = Type::whole;
    bool isLive = false; ///< a real number that may change while the method runs
    bool isRare = false; ///< behind "More" in forms

    // The value if none is given. Real numbers have none: the method chooses them for a problem.
    std::int64_t standard = 0;
    std::string_view standardText = {}; ///< of a name or extents; empty extents: the method chooses
    /// What people read for the value if none is given ("chosen"); empty: the value.
    std::string_view standardName = {};

    // What is possible.
    double low = 0, high = 0;                           ///< of numbers; real ones exclude both
    std::span<const std::string_view> choices = {};     ///< of names
    std::span<const std::string_view> suggestions = {}; ///< extents that are worth trying
    /// For a number that is not possible, with {value}, {low}, {high}, and {what} for the place.
    std::string_view refusal = "{what}: {value} is not possible; choose from {low} to {high}";

    /// From text. Null: as the type says. Throws gridhelm::Error; `what` names the place.
    OptionValue (*parse)(const std::string &text, const std::string &what) = nullptr;

    std::string_view jsonKey = {}; ///< empty: the key
};

/// The values that were given, by their options' keys.
class OptionValues
{
public:
    OptionValues() = default;
    OptionValues(std::initializer_list<std::pair<const std::string, OptionValue>> values)
        : m_values(values.begin(), values.end())
    {
    }

    void set(const Option &option, OptionValue value)
    {
        m_values.insert_or_assign(std::string(option.key), std::move(value));
    }
    /// Null if it was not given.
    const OptionValue *find(const Option &option) const;

    auto begin() const { return m_values.begin(); }
    auto end() const { return m_values.end(); }

private:
    std::map<std::string, OptionValue, std::less<>> m_values;
};

// The value that was given, or the standard one. Its type must be the option's.
std::int64_t wholeOf(const Option &option, const OptionValues &values);
std::string_view choiceOf(const Option &option, const OptionValues &values);
/// Empty if none was given and the method is to choose.
std::vector<std::size_t> extentsOf(const Option &option, const OptionValues &values);

/// Throws gridhelm::Error for text that is no value of the option, possible or not.
OptionValue parseOption(const Option &option, const std::string &text, const std::string &what);

/// Throws gridhelm::Error for a value of another type, or one that is not possible.
void requirePossible(const Option &option, const OptionValue &value, const std::string &what);

/// "512x128", "16", "alternating".
std::string textOf(const OptionValue &value);
/// What a form or a help page says of the value if none is given: "chosen", "16x32", "6".
std::string standardTextOf(const Option &option);

} // namespace gridhelm
