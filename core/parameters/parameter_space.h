// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parameters of an ensemble: names, units, ranges, and how they map to the unit cube that
// sparse grids live in (docs/develop/architecture.md).
#pragma once

#include "core/sparse/sparse_grid.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm {

enum class ParameterScale : std::uint8_t { linear, logarithmic };
std::string_view toString(ParameterScale scale);
/// "linear" or "logarithmic" ("log"). Throws gridhelm::Error.
ParameterScale parseParameterScale(std::string_view text);

enum class ParameterKind : std::uint8_t {
    ordinary, ///< every value needs a run of its own
    timeLike, ///< one run delivers many values of it; at most one of these in a space
    spatial,  ///< a coordinate of a scalar study: one run delivers all values of it
};
std::string_view toString(ParameterKind kind);
/// "ordinary", "time-like" or "spatial". Throws gridhelm::Error.
ParameterKind parseParameterKind(std::string_view text);

/// `boundary` for time-like and spatial dimensions, `modified` for the others
/// (docs/theory/sparse-grids.md).
sparse::BoundaryTreatment defaultTreatment(ParameterKind kind);

/// Whether it may be the name of a parameter, or of a response: up to 100 letters of any alphabet,
/// digits, blanks and -_.()%+*^&, a letter first. What separates names elsewhere is none of these.
bool isName(const std::string &text);

struct Parameter
{
    std::string name; ///< letters, digits, blanks and -_.()%+*^&, a letter first: "Re"
    std::string unit; ///< for people; empty if there is none
    double low = 0;
    double high = 1;
    ParameterScale scale = ParameterScale::linear; ///< logarithmic needs 0 < low
    ParameterKind kind = ParameterKind::ordinary;
    std::optional<sparse::BoundaryTreatment> treatment = std::nullopt; ///< see defaultTreatment
    std::optional<int> levelCap = std::nullopt;                        ///< none: as the level
    int degree = 1; ///< of the functions; sparse::requireDegree() says which are possible
    /// Time-like: every run delivers all levels below levelCap, so they count nothing in the level
    /// sum. (Studies of older versions count them.) Needs a levelCap.
    bool isDense = false;

    sparse::BoundaryTreatment usedTreatment() const
    {
        return treatment.value_or(defaultTreatment(kind));
    }
    bool operator==(const Parameter &) const = default;
};

/// Values that a dimension has in itself with this cap: 2^cap - 1, with its ends 2^cap + 1.
std::uint64_t valuesOfCap(sparse::BoundaryTreatment treatment, int cap);
/// The cap with that many values. Throws gridhelm::Error, with the nearest counts, if there is
/// none.
int capOfValues(sparse::BoundaryTreatment treatment, std::uint64_t values);
/// Of a dense parameter for which nobody says more: 33 values with the ends.
inline constexpr int defaultDenseCap = 5;

/// An ordered list of 1 to 32 parameters; parameter t is dimension t of the grid.
class ParameterSpace
{
public:
    /// Throws gridhelm::Error for names that are repeated or no names, empty or infinite ranges, a
    /// Throws gridhelm::Error for names that are repeated or no names, empty or infinite ranges, a
    /// logarithmic scale from 0 or below, degrees that treatments lack, a second time-like
    /// parameter, and one that is dense but not time-like, or has no level cap.
    explicit ParameterSpace(std::vector<Parameter> parameters);

    int dimension() const { return static_cast<int>(m_parameters.size()); }
    const std::vector<Parameter> &parameters() const { return m_parameters; }
    const Parameter &operator[](std::size_t t) const { return m_parameters[t]; }

    /// Dimension of a parameter; throws gridhelm::Error, with the names there are, if it is
    /// unknown.
    std::size_t indexOf(std::string_view name) const;
    std::optional<std::size_t> timeLike() const;
    /// Dimensions of spatial parameters, ascending.
    std::vector<std::size_t> spatial() const;

    /// Dimensions whose levels count nothing in the level sum.
    sparse::DimensionSet dense() const;
    sparse::GridShape shape(int level) const;
    /// Highest level that shape() takes: 30, or more where a treatment has more levels.
    int highestLevel() const;
    std::vector<int> degrees() const;
    /// The same parameters with other level caps, one for each (to grow a grid).
    ParameterSpace withLevelCaps(std::span<const int> caps) const;
    /// The same with other degrees: one for each, or one for all that can have it (no parameter:
    /// an error). Throws gridhelm::Error as sparse::degreesFor().
    ParameterSpace withDegrees(std::span<const int> degrees) const;

    /// Parameter values to [0, 1]^d: the ends of the ranges are exactly 0 and 1, values outside end
    /// up outside the cube. Throws gridhelm::Error unless there are `dimension` finite values (a
    /// logarithmic one positive).
    std::vector<double> toUnit(std::span<const double> values) const;
    /// The inverse, with 15 digits and no round-off; 0 and 1 give exactly low and high.
    std::vector<double> fromUnit(std::span<const double> x) const;
    /// Values of the grid point with this index.
    std::vector<double> valuesAt(const sparse::SparseGrid &grid, std::uint64_t point) const;

    /// Index of the first parameter that is out of its range (by more than round-off).
    std::optional<std::size_t> firstOutside(std::span<const double> values) const;
    /// Throws gridhelm::Error naming the parameter and its range if one is outside.
    void requireInside(std::span<const double> values) const;

    /// "Re=400,t=2.5", any order, every parameter once. Values that are left out are taken from
    /// `others` (values of all parameters) or, if that is empty, an error; so are unknown and
    /// repeated names, and what is no finite number. Ranges are not checked here.
    std::vector<double> parse(std::string_view text, std::span<const double> others = {}) const;
    /// What parse() reads, every value in the fewest digits that give the same number back.
    std::string toText(std::span<const double> values) const;

    bool operator==(const ParameterSpace &) const = default;

private:
    std::vector<Parameter> m_parameters;
};

/// Points that one run delivers: they agree in every ordinary parameter.
struct PointGroup
{
    std::vector<std::uint64_t> points; ///< indices in the grid, ascending
};

/// Sorts the `points` of a grid (ascending indices) into runs, in the order of their first points.
std::vector<PointGroup> groupIntoRuns(const ParameterSpace &space, const sparse::SparseGrid &grid,
                                      std::span<const std::uint64_t> points);

} // namespace gridhelm
