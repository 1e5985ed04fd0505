// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/field_pieces.h"

#include "core/solvers/field_layers.h"
#include "core/solvers/vti_file.h"
#include "core/support/output_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gridhelm::solvers {
namespace {

/// The layers of a rank's piece: its slab's, and the first one of the next slab. None where the
/// piece before has all of them: there is one layer, and behind it the end.
std::optional<Slab> pieceOf(const Slab &slab)
{
    const Slab piece{slab.begin, std::min(slab.end + 1, slab.of), slab.of};
    if (slab.size() == 0 || (piece.size() == 1 && slab.hasLower()))
        return std::nullopt;
    return piece;
}

/// The layers here, and that of the next rank's slab.
template <typename T>
std::vector<T> valuesOfPiece(std::span<const T> values, const FieldPart &part)
{
    std::vector<T> piece(values.begin(), values.end());
    if (part.ranks == nullptr || part.slab.size() == 0)
        return piece;
    auto &ranks = part.ranks->ranks();
    const auto perLayer = values.size() / part.slab.size();
    if (part.slab.hasUpper()) {
        piece.resize(values.size() + perLayer);
        ranks.receive(ranks.number() + 1, writableBytesOf(piece.data() + values.size(), perLayer));
    }
    if (part.slab.hasLower()) {
        ranks.send(ranks.number() - 1, bytesOf(values.data(), perLayer));
        ranks.await(ranks.number() - 1);
    }
    if (part.slab.hasUpper())
        ranks.await(ranks.number() + 1);
    return piece;
}

std::vector<IndexedPiece> piecesOf(const std::filesystem::path &index, const FieldPart &part)
{
    const auto slabs = part.ranks != nullptr ? part.ranks->all() : std::vector{part.slab};
    std::vector<IndexedPiece> pieces;
    for (std::size_t rank = 0; rank < slabs.size(); ++rank) {
        const auto slab = pieceOf(slabs[rank]);
        if (!slab)
            continue;
        IndexedPiece piece{pathOfPiece(index, rank).filename().string(), {}, part.field.points};
        piece.first[part.axis] = slab->begin;
        piece.points[part.axis] = slab->size();
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

/// Of the whole field.
ImageGrid wholeOf(const FieldPart &part)
{
    const auto &field = part.field;
    ImageGrid whole{field.points, field.origin, field.spacing, {}};
    whole.points[part.axis] = part.slab.of;
    return whole;
}

} // namespace

std::filesystem::path pathOfPiece(const std::filesystem::path &index, std::size_t rank)
{
    auto path = index;
    path.replace_filename(fmt::format("{}_{}.vti", index.stem().string(), rank));
    return path;
}

bool isPieceIndex(const std::filesystem::path &path)
{
    return path.extension() == ".pvti";
}

void saveFieldPieces(const std::filesystem::path &path, const std::string &name,
                     const FieldPart &part, std::optional<int> layers)
{
    auto *ranks = part.ranks != nullptr ? &part.ranks->ranks() : nullptr;
    double highest = highestOf(part.field);
    if (ranks != nullptr)
        highest = largestOfAll(*ranks, highest);
    const auto whole = wholeOf(part);
    const auto save = [&](auto here) {
        const auto values = valuesOfPiece(here, part);
        const auto slab = pieceOf(part.slab);
        const auto number = ranks != nullptr ? static_cast<std::size_t>(ranks->number()) : 0;
        FieldView field = part.field;
        field.values = std::span(values);
        // An index never names pieces of several runs.
        std::optional<OutputFile> file;
        doneByAll(ranks, [&] {
            if (!slab)
                return;
            auto grid = whole;
            grid.points[part.axis] = slab->size();
            grid.first[part.axis] = slab->begin;
            const FieldArrays arrays(name, field, layers, highest);
            file.emplace(pathOfPiece(path, number));
            writeVti(file->temporaryPath(), grid, arrays.views());
        });
        doneByFirst(ranks, [&] { std::filesystem::remove(path); });
        doneByAll(ranks, [&] {
            if (file)
                file->commit();
        });
        doneByFirst(ranks, [&] {
            const FieldArrays arrays(name, field, layers, highest);
            writeTextFile(path, pvtiText(whole, arrays.views(), piecesOf(path, part)));
        });
    };
    std::visit(save, part.field.values);
}

} // namespace gridhelm::solvers
