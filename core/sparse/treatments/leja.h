// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/host_device.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace gridhelm::sparse::treatments {

/// x_0 = 1/2, x_1 = 0, x_2 = 1, then the place where prod |x - x_k| over those before is largest in
/// [0, 1], the smallest one where two are as large ([Leja1957]; docs/theory/sparse-grids.md).
/// Computed to 40 digits, rounded once; tests/reference/leja_points.json has them, too.
inline constexpr std::array<double, 64> lejaPoints{
    0.5,
    0.0,
    1.0,
    0.2113248654051871,
    0.8293532972077817,
    0.08037291321912209,
    0.9350035748540827,
    0.652806664558611,
    0.3391461939425205,
    0.02851040891504691,
    0.9763366356155825,
    0.7397061644613235,
    0.14368067982120764,
    0.4220203177601994,
    0.8874361707552161,
    0.010261190657043309,
    0.5805826342666481,
    0.9916631547689285,
    0.269314698789435,
    0.054053589540399224,
    0.7859485420595284,
    0.9562798715774856,
    0.175373237775191,
    0.5399089866587929,
    0.37884673023065446,
    0.8611471939317247,
    0.003665688108115862,
    0.6953947576218453,
    0.10893465586676886,
    0.9970283737386765,
    0.30121155299936775,
    0.9131923388205913,
    0.0399758095995361,
    0.6175787559952417,
    0.4594056440437528,
    0.984074326369574,
    0.01790192418175708,
    0.23778482842130436,
    0.764179231560319,
    0.12528926503661614,
    0.9461646127391197,
    0.8097847427753773,
    0.06735366190066625,
    0.4005474177877314,
    0.6743067035652277,
    0.00127104981721015,
    0.9676891180076024,
    0.1931344401546552,
    0.5596551880815182,
    0.9000551044499944,
    0.31990757591654756,
    0.9989671478571643,
    0.09394649489519952,
    0.7185317545373662,
    0.0068934564166056355,
    0.47989896028113826,
    0.8469155941861897,
    0.15921519970255454,
    0.9882374686701093,
    0.2542041799905643,
    0.6008502127284998,
    0.023211084290506008,
    0.9243893457999607,
    0.3598392064366261,
};

/// One point a level; its function is a polynomial over the whole range that vanishes at all points
/// of the levels below.
struct Leja
{
    static constexpr std::string_view name = "leja";
    static constexpr std::string_view help = "one point a level, polynomials over the whole range";
    static constexpr int highestDegree = 1; // there is nothing to choose
    static constexpr int highestLevel = static_cast<int>(lejaPoints.size()) - 1;

    GRIDHELM_HOST_DEVICE static constexpr int bits(int) { return 0; }
    static constexpr double coordinate(int level, std::uint32_t)
    {
        return lejaPoints[static_cast<std::size_t>(level)];
    }
};

} // namespace gridhelm::sparse::treatments
