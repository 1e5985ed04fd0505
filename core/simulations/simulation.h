// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the built-in simulations have in common: each is a plain function of its parameters to a
// snapshot, the same to the bit whenever and wherever (on one kind of CPU) it is computed.
#pragma once

#include "core/execution/execution_context.h"
#include "core/simulations/image_mesh.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::simulations {

struct ParameterInfo
{
    std::string name; ///< a word, as in `--at Re=400`
    std::string unit; ///< empty for plain numbers
    std::string description;
    double low = 0; ///< hard limits, both included
    double high = 1;
    double defaultLow = 0; ///< the range that a study covers unless told otherwise
    double defaultHigh = 1;
    double defaultValue = 0; ///< where the parameter is not varied
    bool logarithmic = false;
    bool timeLike = false; ///< one run delivers many values of it
    bool variedByDefault = true;
};

struct FieldInfo
{
    std::string name;
    std::string unit;
    int components = 1;
};

/// A choice that is not a parameter of a study, e.g. of a solver. The first is the default.
struct OptionInfo
{
    std::string name;
    std::string description;
    std::vector<std::string> choices;
};

/// Nodes along each side of the domain (the longest one, if they differ).
struct ResolutionInfo
{
    std::size_t smallest = 0;
    std::size_t standard = 0;
    std::size_t largest = 0;
};

/// Values at the points of the mesh, in the order of Simulation::fields(): x fastest, the
/// components of a point next to each other.
struct Snapshot
{
    std::vector<std::vector<float>> fields;
};

struct Setup
{
    struct Option
    {
        std::string name;
        std::string choice;
    };
    std::size_t resolution = 0;  ///< 0: the standard one
    std::vector<Option> options; ///< those left out are at their defaults
};

/// Both may be empty. `progress` gets the part of the work that is done, 0 .. 1.
struct RunControl
{
    std::stop_token stop;
    std::function<void(double)> progress;
};

enum class RunEnd { finished, cancelled };

/// Receives a snapshot, and which of the wanted times it belongs to, as soon as it is there.
using SnapshotSink = std::function<void(std::size_t timeIndex, Snapshot snapshot)>;

/// Thread-safe: many runs may go on at once. A run uses the CPU of its context, and delivers the
/// same bits for every number of threads.
class Simulation
{
public:
    virtual ~Simulation() = default;

    virtual std::string_view name() const = 0;
    /// One sentence.
    virtual std::string_view description() const = 0;
    virtual const std::vector<ParameterInfo> &parameters() const = 0;
    virtual const std::vector<FieldInfo> &fields() const = 0;
    virtual const std::vector<OptionInfo> &options() const;
    virtual ResolutionInfo resolution() const = 0;

    // From here on a resolution of 0 means the standard one.
    /// Throws gridhelm::Error for a resolution out of range, as all below.
    ImageMesh mesh(std::size_t resolution) const;
    /// What a run holds at once, its latest snapshot included.
    std::uint64_t bytesNeeded(std::size_t resolution) const;

    /// Index of the time-like parameter.
    std::optional<std::size_t> timeLike() const;
    std::vector<double> defaultValues() const;

    /// Throws gridhelm::Error if the simulation cannot run, or not everywhere, between these
    /// parameters (one value for each of parameters(), low <= high), does not know an option, or
    /// does not fit into memory. A single point has low = high.
    void requireRunnable(const Setup &setup, std::span<const double> low,
                         std::span<const double> high) const;

    /// `values`: one for each of parameters(); that of the time-like one is not used. `times`: what
    /// is wanted of the time-like parameter, ascending; empty if there is none. Each snapshot
    /// depends on its own parameters only, not on the other times.
    /// Throws what requireRunnable() throws, before it allocates, and what the sink throws.
    RunEnd run(const Setup &setup, std::span<const double> values, std::span<const double> times,
               const SnapshotSink &sink, const ExecutionContext &context,
               const RunControl &control = {}) const;

protected:
    /// A checked request.
    struct Run
    {
        std::size_t resolution;
        std::vector<std::string> choices; ///< one for each of options()
        std::vector<double> values;
        std::vector<double> times;
        const SnapshotSink &sink;
        const ExecutionContext &context;
        std::stop_token stop;
        std::function<void(double)> progress; ///< never empty
    };

private:
    virtual ImageMesh meshOf(std::size_t resolution) const = 0;
    virtual std::uint64_t bytesOf(std::size_t resolution) const = 0;
    /// What limits of single parameters cannot express. Throws gridhelm::Error.
    virtual void requireRunnableBox(std::size_t resolution, const std::vector<std::string> &choices,
                                    std::span<const double> low,
                                    std::span<const double> high) const;
    virtual RunEnd compute(const Run &run) const = 0;

    std::size_t checkedResolution(std::size_t resolution) const;
    std::vector<std::string> checkedChoices(const Setup &setup) const;
};

/// All built-in simulations; they live as long as the program.
std::span<const Simulation *const> builtInSimulations();

/// Throws gridhelm::Error, with the names there are, for an unknown one.
const Simulation &findSimulation(std::string_view name);

} // namespace gridhelm::simulations
