// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/frame_cases.h"

#include "app/bench/device_limits_json.h"
#include "app/bench/frame_codecs.h"
#include "app/bench/gpu_frames.h"
#include "app/bench/scratch_folder.h"
#include "core/support/error.h"
#include "data/compress/compress_kriging.h"
#include "data/compress/compress_modes.h"
#include "data/compress/node_volumes.h"
#include "data/compress/quantise_modes.h"
#include "data/evaluate/field_surrogate.h"
#include "data/study/image_mesh.h"
#include "gpu/support/device_limits.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace gridhelm::bench {

namespace {

using data::FieldSurrogate;
using nlohmann::json;
namespace fs = std::filesystem;

/// A way to make a picture.
struct Frame
{
    const char *name = "";
    double bytes = 0; ///< of the rows that are kept
    std::size_t rows = 0;
    std::function<void(std::span<const double>, std::span<float>)> at;
    /// What it would be with rows that are exact, at each place; null: as float32 rows make it.
    const std::vector<std::vector<float>> *expected = nullptr;
    CombinedRows combined{}; ///< if these are combined as they are
};

class FrameCase
{
public:
    explicit FrameCase(const FrameBenchOptions &options)
        : m_options(options)
        , m_folder(options.folder, 2.5 * static_cast<double>(fs::file_size(options.study)) + 1e8)
        , m_copy(m_folder / "study.gridhelm")
    {
        fs::copy_file(options.study, m_copy);
        // Its original may be read-only.
        fs::permissions(m_copy, fs::perms::owner_read | fs::perms::owner_write);
        auto writer = data::StudyWriter::open(m_copy);
        chooseField(writer);
        writer.removeModes(m_field);
        m_all = load(writer);
        makeModes(writer, options.allowed);
        m_set = writer.modeSet(m_field).value();
        m_exact = load(writer);
        m_few = inFewBits(writer, options.allowed);
        if (!m_few)
            throw Error("no number of POD modes is within this error: allow more");
        m_fewSet = writer.modeSet(m_field).value();
        m_weights = data::weightsOf(writer, m_field, options.volumes).values;
        m_lattice = latticeOf(writer);
        choosePlaces();
        if (options.withKriging)
            makeKriging(writer);
        writer.close();
    }

    json run()
    {
        std::vector<Frame> frames{whole("float32 rows", *m_all), whole("POD modes", *m_exact),
                                  whole("quantised POD modes", *m_few)};
        const double error = errorOf(frames[2]);
        m_options.checkpoint();
        frames.push_back(rowsInFewBits(error));
        if (m_kriged) {
            frames.push_back(whole("kriged POD modes", *m_kriged));
            frames.push_back(whole("kriged, quantised", *m_krigedFew));
            for (auto frame = frames.end() - 2; frame != frames.end(); ++frame)
                frame->expected = &m_expectedKriged;
        }
        m_options.checkpoint();
        frames.push_back(packed("POD modes by zstd", packByZstd(m_exact->matrix())));
        if (auto zfp = byZfp(error); zfp.at)
            frames.push_back(std::move(zfp));
        m_options.checkpoint();
        auto result = measured(frames);
        if (m_options.gpu)
            result["gpu"] = onGpu(frames);
        if (m_options.withCurves)
            result["curves"] = curves();
        return result;
    }

private:
    std::unique_ptr<FieldSurrogate> load(const data::Study &study) const
    {
        auto loaded = std::make_unique<FieldSurrogate>(study, m_field);
        loaded->loadAll(study);
        return loaded;
    }

    void chooseField(const data::Study &writer)
    {
        if (!m_options.field.empty())
            m_field = writer.fieldIndex(m_options.field);
        if (writer.description().design != data::StudyDesign::grid
            || writer.description().kind != data::StudyKind::vector)
            throw Error("bench frame is for studies of a sparse grid whose points are snapshots: "
                        "choose one, as gridhelm-cli sample makes them");
    }

    /// Exact ones, from which those of this error can be made.
    void makeModes(data::StudyWriter &writer, double allowed) const
    {
        data::ModesOptions how;
        how.cut = data::cutForError(allowed);
        how.volumes = m_options.volumes;
        how.cpu = m_options.context.cpu();
        data::storeModes(writer, m_field, how);
    }

    /// Of modes that are exact; null if no number of them is within the error.
    std::unique_ptr<FieldSurrogate> inFewBits(data::StudyWriter &writer, double allowed) const
    {
        data::QuantiseOptions how;
        how.allowed = allowed;
        how.volumes = m_options.volumes;
        how.cpu = m_options.context.cpu();
        return data::quantiseModes(writer, m_field, how).isQuantised ? load(writer) : nullptr;
    }

    void makeKriging(data::StudyWriter &writer)
    {
        data::KrigingOptions how;
        how.cut = data::cutForError(m_options.allowed);
        how.volumes = m_options.volumes;
        how.context = m_options.context;
        data::storeKriging(writer, m_field, how);
        m_options.checkpoint();
        m_kriged = load(writer);
        m_krigedFew = inFewBits(writer, m_options.allowed);
        if (!m_krigedFew)
            throw Error("kriging's POD modes are not within this error: allow more");
        for (const auto &x : m_places)
            m_kriged->evaluate(x, {m_expectedKriged.emplace_back(m_kriged->values())},
                               m_options.context.cpu());
    }

    RowLattice latticeOf(const data::Study &study) const
    {
        const auto &field = study.fields()[m_field];
        RowLattice lattice{{field.entities, 1, 1}, static_cast<std::size_t>(field.components)};
        const auto mesh = study.mesh();
        if (mesh && mesh->kind == "image" && field.association == data::Association::point) {
            const auto image = data::decodeImageMesh(*mesh);
            std::ranges::copy(image.points, lattice.nodes.begin());
        }
        return lattice;
    }

    void choosePlaces()
    {
        std::mt19937_64 random(1);
        std::uniform_real_distribution<double> uniform(0, 1);
        const auto d = static_cast<std::size_t>(m_all->surrogate().dimension());
        for (std::size_t i = 0; i < m_options.places; ++i) {
            auto &x = m_places.emplace_back(d);
            std::ranges::generate(x, [&] { return uniform(random); });
            auto &exact = m_expected.emplace_back(m_all->values());
            m_all->evaluate(x, {exact}, m_options.context.cpu());
        }
    }

    /// The largest, relative to the norm of all snapshots.
    double errorOf(const Frame &frame) const
    {
        const auto components = m_lattice.components;
        const auto &expected = frame.expected ? *frame.expected : m_expected;
        std::vector<float> values(m_all->values());
        double worst = 0;
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            frame.at(m_places[i], values);
            double sum = 0;
            for (std::size_t k = 0; k < values.size(); ++k) {
                const double difference =
                    static_cast<double>(values[k]) - static_cast<double>(expected[i][k]);
                sum += m_weights[k / components] * difference * difference;
            }
            worst = std::max(worst, std::sqrt(sum) / m_set.norm);
        }
        return worst;
    }

    Frame whole(const char *name, const FieldSurrogate &loaded) const
    {
        return {name,
                loaded.rowBytes(),
                loaded.surrogate().rows(),
                [this, &loaded](std::span<const double> x, std::span<float> y) {
                    loaded.evaluate(x, {y}, m_options.context.cpu());
                },
                nullptr,
                {&loaded.surrogate(), loaded.matrix(), loaded.quantisedRows()}};
    }

    /// The largest tolerance, to 2 %, for which make(tolerance) is not above the error; the frame
    /// of it.
    template <typename Make>
    Frame coarsest(double error, Make make) const
    {
        // Of modes: an error of the norm is one of norm / sqrt(values) a value.
        double good = 1e-6 * error * m_set.norm / std::sqrt(static_cast<double>(m_all->values()));
        double bad = 1e12 * good;
        auto best = make(good);
        if (!best.at)
            return best;
        while (bad > 1.02 * good) {
            m_options.checkpoint();
            const double middle = std::sqrt(good * bad);
            auto frame = make(middle);
            if (errorOf(frame) <= error) {
                good = middle;
                best = std::move(frame);
            } else {
                bad = middle;
            }
        }
        return best;
    }

    Frame rowsInFewBits(double error) const
    {
        return coarsest(error, [this](double tolerance) {
            const auto matrix = m_all->matrix();
            const auto rows = std::make_shared<std::vector<codec::QuantisedRow>>();
            double bytes = 0;
            for (std::size_t r = 0; r < matrix.rows; ++r) {
                rows->push_back(
                    codec::QuantisedRow::encode({matrix.row(r), matrix.columns}, tolerance));
                bytes += static_cast<double>(rows->back().bytes());
            }
            const auto &surrogate = m_all->surrogate();
            return Frame{"quantised rows",
                         bytes,
                         matrix.rows,
                         [this, rows, &surrogate](std::span<const double> x, std::span<float> y) {
                             linalg::combine(surrogate.weights(x, surrogate.groups()),
                                             codec::QuantisedRows{*rows, y.size()}, 0, y, {},
                                             m_options.context.cpu());
                         },
                         nullptr,
                         {&surrogate, {}, {*rows, matrix.columns}}};
        });
    }

    /// Unpacked to memory, then combined, for each picture.
    Frame packed(const char *name, std::unique_ptr<PackedRows> rows) const
    {
        if (!rows)
            return {};
        const auto matrix = m_exact->matrix();
        const auto memory = std::make_shared<std::vector<float>>(matrix.rows * matrix.columns);
        const auto bytes = static_cast<double>(rows->bytes());
        const std::shared_ptr<const PackedRows> shared = std::move(rows);
        return {
            name,
            bytes,
            matrix.rows,
            [this, shared, memory, matrix](std::span<const double> x, std::span<float> y) {
                const auto &cpu = m_options.context.cpu();
                shared->unpack({memory->data(), matrix.rows, matrix.columns, matrix.columns}, cpu);
                const auto &surrogate = m_exact->surrogate();
                linalg::combine<float>(
                    surrogate.weights(x, surrogate.groups()),
                    {memory->data(), matrix.rows, matrix.columns, matrix.columns}, 0, y, {}, cpu);
            },
            nullptr,
            {}};
    }

    Frame byZfp(double error) const
    {
        return coarsest(error, [this](double tolerance) {
            return packed("POD modes by zfp", packByZfp(m_exact->matrix(), m_lattice, tolerance));
        });
    }

    /// The leading modes alone, as float32.
    Frame leading(std::uint64_t modes) const
    {
        return {"leading POD modes",
                static_cast<double>(modes * m_exact->values() * sizeof(float)),
                modes,
                [this, modes](std::span<const double> x, std::span<float> y) {
                    m_exact->evaluate(x, {y}, m_options.context.cpu(), 0, {0, modes});
                },
                nullptr,
                {}};
    }

    json pointOf(const Frame &frame) const
    {
        return {{"bytes", frame.bytes}, {"rows", frame.rows}, {"error", errorOf(frame)}};
    }

    /// Error against bytes, of one form after the other.
    json curves() const
    {
        json few = json::array(), rows = json::array(), zfp = json::array(), first = json::array();
        auto writer = data::StudyWriter::open(m_copy);
        for (const double factor : {10.0, 3.0, 1.0, 0.3, 0.1}) {
            const double allowed = m_options.allowed * factor;
            if (!(allowed >= data::smallestAddedError && allowed < 1))
                continue;
            m_options.checkpoint();
            makeModes(writer, allowed);
            const auto loaded = inFewBits(writer, allowed);
            if (!loaded)
                continue;
            few.push_back(pointOf(whole("quantised POD modes", *loaded)));
            const double error = few.back()["error"];
            rows.push_back(pointOf(rowsInFewBits(error)));
            if (const auto frame = byZfp(error); frame.at)
                zfp.push_back(pointOf(frame));
        }
        writer.close();
        for (std::uint64_t modes = 1; modes < m_exact->surrogate().rows(); modes *= 2)
            first.push_back(pointOf(leading(modes)));
        first.push_back(pointOf(leading(m_exact->surrogate().rows())));
        json all = json::array();
        const auto add = [&](const char *form, const json &points) {
            if (!points.empty())
                all.push_back({{"form", form}, {"points", points}});
        };
        add("quantised POD modes", few);
        add("quantised rows", rows);
        add("POD modes by zfp", zfp);
        add("leading float32 POD modes", first);
        return all;
    }

    json measured(const std::vector<Frame> &frames) const
    {
        std::vector<float> values(m_all->values());
        std::vector<std::function<void()>> works;
        std::size_t next = 0;
        for (const auto &frame : frames)
            works.emplace_back([&frame, &values, &next, this] {
                frame.at(m_places[next++ % m_places.size()], values);
            });
        const auto timings = measureInTurns(works, m_options.measure);
        const double snapshots = static_cast<double>(m_set.snapshots)
                                 * static_cast<double>(m_all->values()) * sizeof(float);
        json list = json::array();
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const auto &of = frames[i];
            const double read =
                of.combined.surrogate ? bytesOfPicture(of.combined, m_places) : of.bytes;
            list.push_back({{"form", of.name},
                            {"rows", of.rows},
                            {"bytes", of.bytes},
                            {"picture_bytes", read},
                            {"snapshots_to_bytes", snapshots / of.bytes},
                            {"frame", rate(read, timings[i])},
                            {"speedup", timings[0].median / timings[i].median},
                            {"error", errorOf(of)}});
        }
        return {{"field", m_all->field().name},
                {"values", m_all->values()},
                {"snapshots", m_set.snapshots},
                {"snapshot_bytes", snapshots},
                {"allowed", m_options.allowed},
                {"at_snapshots", m_fewSet.quantised.value().atSnapshots},
                {"places", m_places.size()},
                {"active_rows", m_all->surrogate().activeRows(m_all->surrogate().groups())},
                {"threads", m_options.context.cpu().threads},
                {"forms", list}};
    }

    /// The same rows combined by a GPU.
    json onGpu(const std::vector<Frame> &frames) const
    {
        GpuFramesOptions how;
        how.context = m_options.context;
        how.places = m_places;
        how.measure = m_options.measure;
        const auto limits = gpu::measureDeviceLimits(m_options.context.gpus().front());
        json list = json::array();
        for (const auto &of : frames) {
            if (!of.combined.surrogate)
                continue;
            m_options.checkpoint();
            const auto errorHere = [&](const PictureAt &at) {
                auto same = of;
                same.at = at;
                return errorOf(same);
            };
            list.push_back(gpuFrame(of.name, of.combined, errorHere, *m_options.gpu, limits, how));
        }
        return {{"name", m_options.gpu->description()},
                {"limits", limitsJson(limits)},
                {"forms", list}};
    }

    const FrameBenchOptions &m_options;
    ScratchFolder m_folder;
    data::FieldIndex m_field = 0;
    fs::path m_copy;
    std::unique_ptr<FieldSurrogate> m_all, m_exact, m_few, m_kriged, m_krigedFew;
    data::ModeSet m_set, m_fewSet;
    std::vector<double> m_weights;
    RowLattice m_lattice;
    std::vector<std::vector<double>> m_places;
    std::vector<std::vector<float>> m_expected, m_expectedKriged;
};

} // namespace

json benchFrame(const FrameBenchOptions &options)
{
    return FrameCase(options).run();
}

} // namespace gridhelm::bench
