// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stencils as values: formulas, the literal loop by hand and by its eigenfunctions, what is told
// from weights.
#include "core/stencil/analysis.h"
#include "core/stencil/expression.h"
#include "core/stencil/generate/code.h"
#include "core/stencil/literal_stencil.h"
#include "core/stencil/stencil.h"
#include "core/stencil/stencil_stepper.h"
#include "core/support/nearest_name.h"
#include "tests/core/expect_error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <cmath>
#include <numbers>
#include <random>

using namespace gridhelm;
using namespace gridhelm::stencil;

namespace {

const Grammar coordinates{{"x", "y", "z"}, true};

double valueOf(const std::string &text, double x = 0, double y = 0, double z = 0)
{
    const std::array at{x, y, z};
    return parseExpression(text, coordinates).evaluate<double>(at);
}

/// Where the mistake is, from 0; -1: there is none.
int columnOf(const std::string &text, const Grammar &grammar = coordinates)
{
    try {
        parseExpression(text, grammar);
    } catch (const ExpressionError &error) {
        return static_cast<int>(error.column());
    }
    return -1;
}

Stencil fivePoints(std::size_t nx, std::size_t ny)
{
    Stencil stencil;
    stencil.points = {nx, ny, 1};
    for (const auto &at : {std::array{0, -1, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 1, 0}})
        stencil.neighbours.push_back({at, Expression(0.25)});
    return stencil;
}

Stencil box27(double centre, double face, double edge, double corner)
{
    Stencil stencil;
    stencil.dimension = 3;
    stencil.points = {6, 5, 4};
    const std::array weights{centre, face, edge, corner};
    for (int z = -1; z <= 1; ++z) {
        for (int y = -1; y <= 1; ++y) {
            for (int x = -1; x <= 1; ++x)
                stencil.neighbours.push_back(
                    {{x, y, z},
                     Expression(weights[static_cast<std::size_t>(x * x + y * y + z * z)])});
        }
    }
    return stencil;
}

std::vector<double> iterated(const Stencil &stencil, const std::vector<double> &from)
{
    std::vector<double> to(from.size());
    literalIteration<double>(stencil, literalFields<double>(stencil), stencil.source.factor, from,
                             to);
    return to;
}

} // namespace

class TestStencil : public QObject
{
    Q_OBJECT

private slots:
    void operatorsBindAsInMathematics_data();
    void operatorsBindAsInMathematics();
    void mistakesAreFoundAtTheirColumn_data();
    void mistakesAreFoundAtTheirColumn();
    void weightsHaveNoFunctions();
    void deepAndLongFormulasAreRefused();
    void formulasWithoutVariablesAreNumbers();
    void randomTextsNeverCrashTheParser();
    void literalLoopIsRightByHand();
    void ghostsAreRightByHand();
    void wavesAreEigenfunctions();
    void sourcesAreAdded();
    void coefficientsAreTakenAtThePoint();
    void equalWeightsAreOneProduct();
    void productsOfFactorsAreSeparable();
    void spectralBoundIsTheLargestSymbol();
    void periodicGridsHaveTheirOwnWavesAlone();
    void divergingWeightsAreWarnedOf();
    void badStencilsAreRefused();
    void literalStepperFollowsItsLiveFactor();
    void nearestNameIsFound();
    void layersTogetherFitTheRegisters();
    void codeHasNothingButOurNames();
};

void TestStencil::operatorsBindAsInMathematics_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");
    QTest::newRow("product first") << "1 + 2*3" << 7.0;
    QTest::newRow("left to right") << "10 - 4 - 3" << 3.0;
    QTest::newRow("division left to right") << "16/4/2" << 2.0;
    QTest::newRow("power right to left") << "2^3^2" << 512.0;
    QTest::newRow("minus after power") << "-2^2" << -4.0;
    QTest::newRow("negative exponent") << "2^-1" << 0.5;
    QTest::newRow("minus in product") << "2*-3" << -6.0;
    QTest::newRow("two minuses") << "5 - -3" << 8.0;
    QTest::newRow("parentheses") << "(1 + 2)*3" << 9.0;
    QTest::newRow("exponent") << "1.5e-3*2" << 0.003;
    QTest::newRow("point first") << ".5" << 0.5;
    QTest::newRow("coordinates") << "x + 10*y + 100*z" << 321.0;
    QTest::newRow("functions") << "sqrt(16) + abs(-3) + max(1, 2) + min(1, 2)" << 10.0;
    QTest::newRow("pi") << "cos(pi)" << -1.0;
    QTest::newRow("exp, log") << "log(exp(2))" << 2.0;
    QTest::newRow("tan, tanh, sin") << "tan(0) + tanh(0) + sin(0)" << 0.0;
}

void TestStencil::operatorsBindAsInMathematics()
{
    QFETCH(QString, text);
    QFETCH(double, value);
    QCOMPARE(valueOf(text.toStdString(), 1, 2, 3), value);
}

void TestStencil::mistakesAreFoundAtTheirColumn_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("column");
    QTest::newRow("empty") << "" << 0;
    QTest::newRow("missing operand") << "1 + " << 4;
    QTest::newRow("missing operator") << "x y" << 2;
    QTest::newRow("unknown name") << "x + w" << 4;
    QTest::newRow("open parenthesis") << "(x" << 2;
    QTest::newRow("closed twice") << "x)" << 1;
    QTest::newRow("one argument of two") << "max(x)" << 5;
    QTest::newRow("no argument") << "sin()" << 4;
    QTest::newRow("function without parentheses") << "sin x" << 4;
    QTest::newRow("too large") << "2*1e999" << 2;
    QTest::newRow("not finite") << "1/0" << 0;
    QTest::newRow("a command") << "system(\"rm\")" << 0;
    QTest::newRow("a semicolon") << "x; y" << 1;
    QTest::newRow("hexadecimal") << "0x10" << 1;
}

void TestStencil::mistakesAreFoundAtTheirColumn()
{
    QFETCH(QString, text);
    QFETCH(int, column);
    QCOMPARE(columnOf(text.toStdString()), column);
}

void TestStencil::weightsHaveNoFunctions()
{
    const Grammar weights{{"k"}, false};
    QCOMPARE(columnOf("1 - 4*k", weights), -1);
    QCOMPARE(columnOf("sin(k)", weights), 0);
    QCOMPARE(columnOf("k^2", weights), 1);
    QCOMPARE(columnOf("x", weights), 0);
    QCOMPARE(columnOf("pi", weights), 0);
}

void TestStencil::deepAndLongFormulasAreRefused()
{
    const std::string open(1000, '('), minus(1900, '-'), longest(longestExpression + 1, '1');
    QVERIFY(columnOf(open + "1") > 0);
    QVERIFY(columnOf(minus + "1") > 0);
    QCOMPARE(columnOf(longest), 0);
    QVERIFY(columnOf(std::string(deepestExpression - 1, '(') + "1"
                     + std::string(deepestExpression - 1, ')'))
            == -1);
}

void TestStencil::formulasWithoutVariablesAreNumbers()
{
    QVERIFY(parseExpression("2*3", coordinates).isNumber());
    QCOMPARE(parseExpression("2*3", coordinates).number(), 6.0);
    QVERIFY(!parseExpression("2*x", coordinates).isNumber());
}

void TestStencil::randomTextsNeverCrashTheParser()
{
    std::mt19937 random(7);
    const std::string alphabet = "xyz0123456789.e+-*/^(), sincomapx\"\\\n\t\xff";
    int understood = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string text;
        for (auto length = random() % 12; length > 0; --length)
            text += alphabet[random() % alphabet.size()];
        try {
            const auto tree = parseExpression(text, coordinates);
            const std::array at{0.5, 0.25, 2.0};
            static_cast<void>(tree.evaluate<double>(at));
            ++understood;
        } catch (const ExpressionError &error) {
            QVERIFY(error.column() <= text.size());
        }
    }
    QVERIFY(understood > 100);
}

void TestStencil::literalLoopIsRightByHand()
{
    auto stencil = fivePoints(3, 2);
    stencil.sides = {Side{SideRule::value, 10},
                     Side{SideRule::value, 20},
                     Side{SideRule::value, 30},
                     Side{SideRule::value, 40},
                     Side{},
                     Side{}};
    const auto u = iterated(stencil, {1, 2, 3, 4, 5, 6});
    const std::vector<double> expected{(30 + 10 + 2 + 4) / 4.0, (30 + 1 + 3 + 5) / 4.0,
                                       (30 + 2 + 20 + 6) / 4.0, (1 + 10 + 5 + 40) / 4.0,
                                       (2 + 4 + 6 + 40) / 4.0,  (3 + 5 + 20 + 40) / 4.0};
    QCOMPARE(u, expected);
}

void TestStencil::ghostsAreRightByHand()
{
    Stencil stencil;
    stencil.points = {3, 3, 1};
    stencil.spacing = 0.5;
    // Only the neighbour two to the left and one below, so that it is seen alone.
    stencil.neighbours.push_back({{-2, -1, 0}, Expression(1)});
    const std::vector<double> u{1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (std::size_t s = 0; s < 4; ++s)
        stencil.sides[s].rule = SideRule::periodic;
    QCOMPARE(iterated(stencil, u), (std::vector<double>{8, 9, 7, 2, 3, 1, 5, 6, 4}));
    // Mirrored at the sides, with slopes: 2 g + 1 halves of 4 in x, one half of 6 in y.
    stencil.sides = {Side{SideRule::slope, 4},
                     Side{SideRule::slope, 4},
                     Side{SideRule::slope, 6},
                     Side{SideRule::slope, 6},
                     Side{},
                     Side{}};
    QCOMPARE(iterated(stencil, u),
             (std::vector<double>{2 + 6 + 3, 1 + 2 + 3, 1 + 3, 2 + 6, 1 + 2, 1, 5 + 6, 4 + 2, 4}));
}

void TestStencil::wavesAreEigenfunctions()
{
    auto stencil = box27(0.2, 0.0875, 0.01875, 0.00625);
    for (auto &side : stencil.sides)
        side.rule = SideRule::periodic;
    QVERIFY(isSymmetric(stencil));
    const std::array<double, 3> theta{2 * std::numbers::pi * 2 / 6, 2 * std::numbers::pi * 1 / 5,
                                      2 * std::numbers::pi * 3 / 4};
    std::vector<double> u;
    for (int k = 0; k < 4; ++k) {
        for (int j = 0; j < 5; ++j) {
            for (int i = 0; i < 6; ++i)
                u.push_back(std::cos(theta[0] * i + theta[1] * j + theta[2] * k));
        }
    }
    const auto symbol = symbolAt(stencil, theta);
    QVERIFY(std::abs(symbol.imag()) < 1e-15);
    const auto next = iterated(stencil, u);
    for (std::size_t i = 0; i < u.size(); ++i)
        QVERIFY(std::abs(next[i] - symbol.real() * u[i]) < 1e-15);
}

void TestStencil::sourcesAreAdded()
{
    auto stencil = fivePoints(3, 3);
    stencil.spacing = 1;
    stencil.source = {0.5, ScalarField(parseExpression("x + 10*y", coordinates)), {}};
    QCOMPARE(iterated(stencil, std::vector<double>(9, 0)),
             (std::vector<double>{0, 0.5, 1, 5, 5.5, 6, 10, 10.5, 11}));
    stencil.source = {0.5, {}, std::array<std::size_t, 3>{2, 1, 0}};
    QCOMPARE(iterated(stencil, std::vector<double>(9, 0)),
             (std::vector<double>{0, 0, 0, 0, 0, 0.5, 0, 0, 0}));
}

void TestStencil::coefficientsAreTakenAtThePoint()
{
    Stencil stencil;
    stencil.points = {3, 1, 1};
    stencil.coefficients.emplace_back(std::vector<double>{1, 2, 3});
    stencil.neighbours.push_back({{1, 0, 0}, parseExpression("1 - k/2", {{"k"}, false})});
    QCOMPARE(iterated(stencil, {10, 20, 30}), (std::vector<double>{10, 0, 0}));
    stencil.sides[1] = {SideRule::value, 4};
    QCOMPARE(iterated(stencil, {10, 20, 30}), (std::vector<double>{10, 0, -2}));
}

void TestStencil::equalWeightsAreOneProduct()
{
    QCOMPARE(weightGroups(fivePoints(4, 4)).size(), std::size_t(1));
    const auto groups = weightGroups(box27(0.2, 0.08, 0.02, 0.005));
    QCOMPARE(groups.size(), std::size_t(4));
    std::size_t neighbours = 0;
    for (const auto &group : groups)
        neighbours += group.neighbours.size();
    QCOMPARE(neighbours, std::size_t(27));
    QCOMPARE(operationsPerValue(fivePoints(4, 4)), std::size_t(4)); // 3 sums, 1 product
}

void TestStencil::productsOfFactorsAreSeparable()
{
    const auto smooth = box27(8 / 64.0, 4 / 64.0, 2 / 64.0, 1 / 64.0);
    const auto factors = separableFactors(smooth);
    QVERIFY(factors.has_value());
    for (const auto &[at, weight] : smooth.neighbours) {
        double product = 1;
        for (std::size_t axis = 0; axis < 3; ++axis)
            product *= (*factors)[axis][static_cast<std::size_t>(at[axis] + 1)];
        QVERIFY(std::abs(product - weight.number()) < 1e-15);
    }
    QVERIFY(!separableFactors(box27(0.2, 0.0875, 0.01875, 0.00625)));
    QVERIFY(!separableFactors(fivePoints(4, 4)));
}

void TestStencil::spectralBoundIsTheLargestSymbol()
{
    // u + tau u'': 1 + 4 tau sin^2 in each direction, at worst 1 - 8 tau.
    auto stencil = fivePoints(8, 8);
    for (auto &neighbour : stencil.neighbours)
        neighbour.weight = Expression(0.4);
    stencil.neighbours.push_back({{0, 0, 0}, Expression(1 - 1.6)});
    const auto bound = spectralBound(stencil);
    QVERIFY(bound.isSharp);
    QVERIFY(std::abs(bound.value - 2.2) < 1e-12);
    QVERIFY(!bound.isOfThisGrid);
    for (auto &side : stencil.sides)
        side.rule = SideRule::periodic;
    QVERIFY(spectralBound(stencil).isOfThisGrid);
    QCOMPARE(spectralBound(fivePoints(8, 8)).value, 1.0);
}

/// 1 - 4 * 0.26 + 0.52 (cos + cos): at worst -1.08, at (pi, pi), which is no wave of an odd number
/// of points.
void TestStencil::periodicGridsHaveTheirOwnWavesAlone()
{
    const auto boundOf = [](std::size_t side) {
        auto stencil = fivePoints(side, side);
        for (auto &neighbour : stencil.neighbours)
            neighbour.weight = Expression(0.26);
        stencil.neighbours.push_back({{0, 0, 0}, Expression(1 - 4 * 0.26)});
        for (auto &each : stencil.sides)
            each.rule = SideRule::periodic;
        return spectralBound(stencil);
    };
    QVERIFY2(boundOf(3).value <= 1 + 1e-12, std::to_string(boundOf(3).value).c_str());
    QVERIFY(divergenceWarning(boundOf(3)).empty());
    // One that has it, few points and more than are looked at; and one that nearly has it.
    for (const std::size_t side : {4, 256, 1000})
        QVERIFY(std::abs(boundOf(side).value - 1.08) < 1e-12);
    const double nearest = std::abs(1 - 1.04 + 1.04 * std::cos(std::numbers::pi * 1000 / 1001));
    const double found = boundOf(1001).value;
    QVERIFY(found <= nearest + 1e-12 && found > nearest - 1e-4);
    QVERIFY(boundOf(1001).isOfThisGrid);
}

void TestStencil::divergingWeightsAreWarnedOf()
{
    QVERIFY(divergenceWarning({1 + 1e-7, true}).empty());
    QVERIFY(!divergenceWarning({1 + 2e-6, true}).empty());
    QVERIFY(!divergenceWarning({1.5, false}).empty());
    QVERIFY(divergenceWarning({1.5, true, true}).find("is going to") != std::string::npos);
    QVERIFY(divergenceWarning({1.5, true, false}).find("may diverge") != std::string::npos);
}

void TestStencil::badStencilsAreRefused()
{
    const auto changed = [](auto change) {
        auto stencil = fivePoints(8, 8);
        change(stencil);
        return stencil;
    };
    GRIDHELM_EXPECT_ERROR(requireStencil(changed([](Stencil &s) { s.neighbours.clear(); })));
    GRIDHELM_EXPECT_ERROR(requireStencil(changed([](Stencil &s) { s.neighbours[0].at[0] = 5; })));
    GRIDHELM_EXPECT_ERROR(requireStencil(changed([](Stencil &s) { s.neighbours[0].at[2] = 1; })));
    GRIDHELM_EXPECT_ERROR(
        requireStencil(changed([](Stencil &s) { s.neighbours[0].at = s.neighbours[1].at; })));
    GRIDHELM_EXPECT_ERROR(requireStencil(changed([](Stencil &s) {
        s.points[1] = 3;
        s.neighbours[0].at[1] = -4;
    })));
    GRIDHELM_EXPECT_ERROR(requireStencil(changed([](Stencil &s) { s.points[0] = 0; })));
    GRIDHELM_EXPECT_ERROR(requireStencil(changed([](Stencil &s) { s.spacing = 0; })));
    GRIDHELM_EXPECT_ERROR(
        requireStencil(changed([](Stencil &s) { s.sides[0].rule = SideRule::periodic; })));
    GRIDHELM_EXPECT_ERROR(requireStencil(changed([](Stencil &s) {
        s.precision = solvers::Precision::float32;
        s.neighbours[0].weight = Expression(1e300);
    })));
    GRIDHELM_EXPECT_ERROR(requireStencil(changed([](Stencil &s) {
        s.start = std::vector<double>{1, 2};
    })));
    GRIDHELM_EXPECT_ERROR(makeStencilStepper(
        changed([](Stencil &s) { s.start = parseExpression("1/(x-x)", coordinates); }), {},
        CpuDevice{}));
    requireStencil(fivePoints(8, 8));
}

void TestStencil::literalStepperFollowsItsLiveFactor()
{
    auto stencil = fivePoints(3, 3);
    stencil.source = {0.5, {}, std::array<std::size_t, 3>{1, 1, 0}};
    const auto stepper = makeStencilStepper(stencil, {}, CpuDevice{1});
    QCOMPARE(stepper->method(), std::string_view("literal"));
    QCOMPARE(stepper->report().residual, 1.0);
    stepper->advance(1);
    QCOMPARE(stepper->report().largestChange, 0.5);
    QCOMPARE(std::get<std::span<const double>>(stepper->field().values)[4], 0.5);
    stepper->setLiveParameter("source factor", 2);
    stepper->advance(1);
    QCOMPARE(std::get<std::span<const double>>(stepper->field().values)[4], 2.0);
    GRIDHELM_EXPECT_ERROR(stepper->setLiveParameter("source", 2));
    GRIDHELM_EXPECT_ERROR(stepper->setLiveParameter("source factor", 1e300));
    // Jacobi's fixed point is reached: nothing is left of the equation.
    stepper->advance(200);
    QVERIFY(stepper->report().residual < 1e-14);
}

void TestStencil::nearestNameIsFound()
{
    const std::vector<std::string> names{"points", "precision", "source"};
    QCOMPARE(nearestName("pionts", names), std::string("points"));
    QCOMPARE(nearestName("sorce", names), std::string("source"));
    QCOMPARE(nearestName("colour", names), std::string());
    QCOMPARE(nearestName(std::string(1000, 'p'), names), std::string());
}

/// In 3D; what few registers cannot hold is computed layer by layer there.
void TestStencil::layersTogetherFitTheRegisters()
{
    const auto layers = [](int radius, int neighbours, bool isWide) {
        auto stencil = fivePoints(8, 8);
        stencil.dimension = 3;
        stencil.neighbours.resize(1);
        stencil.neighbours[0].at = {radius, 0, 0};
        for (int i = 1; i < neighbours; ++i) {
            stencil.neighbours.push_back(stencil.neighbours[0]);
            stencil.neighbours.back().at = {0, i % 3 - 1, i % 5 - 2};
        }
        return sideBySideOf(stencil, isWide);
    };
    QCOMPARE(layers(1, 6, true), 4);
    QCOMPARE(layers(1, 6, false), 8);
    QCOMPARE(layers(2, 12, true), 4);
    QCOMPARE(layers(3, 18, true), 8);
    QCOMPARE(layers(3, 18, false), 4);
    QCOMPARE(layers(1, 26, true), 2);
    QCOMPARE(layers(1, 26, false), 1);
    QCOMPARE(layers(4, 24, true), 8);
    QCOMPARE(layers(4, 24, false), 1);
    QCOMPARE(layers(4, 60, true), 2);
}

void TestStencil::codeHasNothingButOurNames()
{
    auto stencil = fivePoints(8, 8);
    stencil.coefficients.emplace_back(1.0);
    stencil.neighbours[0].weight = parseExpression("evil_name - 1", {{"evil_name"}, false});
    for (const auto &[name, text] : folderCode(stencil)) {
        QVERIFY2(text.find("evil") == std::string::npos, name.c_str());
        QVERIFY2(text.find('@') == std::string::npos, name.c_str()); // no place was left unfilled
    }
}

GRIDHELM_TEST(TestStencil)
#include "tst_stencil.moc"
