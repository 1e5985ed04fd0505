// SPDX-License-Identifier: GPL-3.0-or-later
//
// Formulas of fields, reductions to one number, and models of several responses.
#include "core/answers/field_expression.h"
#include "core/answers/reduction.h"
#include "core/answers/response_model.h"
#include "core/modes/modal_surrogate.h"

#include "tests/core/answers_cases.h"
#include "tests/core/expect_error.h"
#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <functional>

using namespace gridhelm;
using namespace gridhelm::answers;
using namespace gridhelm::test;

namespace {

const std::vector<NamedField> fields{{"p", 1}, {"U", 3}, {"heat flux", 1}, {"stress", 6}};

double valueOf(std::string_view text, std::vector<double> values)
{
    return FieldExpression(text, fields).evaluate(values);
}

} // namespace

class ResponsesTest : public QObject
{
    Q_OBJECT

private slots:
    void formulasNameFieldsAndComponents();
    void slopesAreVariablesOfTheirOwn();
    void affineFormulasAreKnown();
    void formulasThatMeanNothingAreRefused();
    void namesThatStandForTwoFieldsAreRefused();
    void reductionsAreTheirDefinitions();
    void wordsThatMeanNothingAreRefused();
    void modelsAddTheirParts();
    void gradientsAreSlopesOfValues();
    void slopesOfSinglePrecisionAreNotItsRoundOff();
    void modesAreTheRowsTheyStandFor();
};

void ResponsesTest::formulasNameFieldsAndComponents()
{
    const FieldExpression bernoulli("p + 0.5 * 1.2 * mag(U)^2", fields);
    QCOMPARE(bernoulli.variables().size(), std::size_t{2});
    QCOMPARE(bernoulli.variables()[0].field, std::size_t{0});
    QCOMPARE(bernoulli.variables()[1].field, std::size_t{1});
    QCOMPARE(bernoulli.variables()[1].component, -1);
    QCOMPARE(bernoulli.fields(), (std::vector<std::size_t>{0, 1}));
    QCOMPARE(bernoulli.evaluate(std::vector{2.0, 3.0}), 2 + 0.6 * 9);
    const FieldExpression part("U_z - U_x", fields);
    QCOMPARE(part.variables()[0].component, 2);
    QCOMPARE(part.variables()[1].component, 0);
    QCOMPARE(valueOf("heat_flux * 2", {4}), 8.0);
    QCOMPARE(FieldExpression("stress_5", fields).variables()[0].component, 5);
    QCOMPARE(valueOf("max(p, 3) + sqrt(p)", {4}), 6.0);
}

void ResponsesTest::slopesAreVariablesOfTheirOwn()
{
    using Variable = FieldExpression::Variable;
    const auto variablesOf = [](std::string_view text) {
        return FieldExpression(text, fields).variables();
    };
    QCOMPARE(variablesOf("grad_y(p)"), (std::vector<Variable>{{0, 0, 1}}));
    QCOMPARE(variablesOf("p - grad_x( U_z )"), (std::vector<Variable>{{0, 0, -1}, {1, 2, 0}}));
    QCOMPARE(variablesOf("grad_z(heat_flux)"), (std::vector<Variable>{{2, 0, 2}}));
    // Each variable gets a number of its own, by which terms can be told.
    const auto at = [&](std::string_view text, const std::function<double(Variable)> &number) {
        std::vector<double> values;
        for (const auto &variable : variablesOf(text))
            values.push_back(number(variable));
        return valueOf(text, values);
    };
    // U = (a, b, c) with the slopes slope[c][axis].
    const double slope[3][3] = {{2, 3, 5}, {7, 11, 13}, {17, 19, 23}};
    const auto number = [&](Variable variable) {
        return variable.axis < 0 ? 1000.0 : slope[variable.component][variable.axis];
    };
    QCOMPARE(at("div(U)", number), 2.0 + 11 + 23);
    QCOMPARE(at("curl_x(U)", number), 19.0 - 13);
    QCOMPARE(at("curl_y(U)", number), 5.0 - 17);
    QCOMPARE(at("2*curl_z(U) + 1", number), 2 * (7.0 - 3) + 1);
    QCOMPARE(at("mag(curl(U))", number), std::sqrt(36.0 + 144 + 16));
    QCOMPARE(at("mag(grad(U_y))", number), std::sqrt(49.0 + 121 + 169));
    QCOMPARE(at("mag( grad( U_y ) )^2 + mag(U)", number), 49.0 + 121 + 169 + 1000);
    // In a plane, what is along z is not there.
    const std::vector<NamedField> flat{{"V", 2}};
    const auto curl = FieldExpression("curl_z(V)", flat);
    QCOMPARE(curl.variables(), (std::vector<Variable>{{0, 1, 0}, {0, 0, 1}}));
    QCOMPARE(curl.evaluate(std::vector{7.0, 3.0}), 4.0);
    QCOMPARE(FieldExpression("curl_x(V)", flat).variables(), (std::vector<Variable>{{0, 1, 2}}));
    // Sums of slopes are sums of values.
    QVERIFY(FieldExpression("div(U) - 3 * grad_x(p)", fields).affine().has_value());
    QVERIFY(!FieldExpression("mag(grad(p))", fields).affine().has_value());
    QVERIFY(!FieldExpression("grad_x(p)^2", fields).affine().has_value());
}

void ResponsesTest::affineFormulasAreKnown()
{
    const auto affine =
        FieldExpression("2 * (p - 3 * U_y) / 4 + sqrt(16) - -p * 2", fields).affine();
    QVERIFY(affine.has_value());
    QCOMPARE(affine->constant, 4.0);
    QCOMPARE(affine->factors, (std::vector<double>{2.5, -1.5}));
    // What it says is what the formula is.
    QCOMPARE(valueOf("2 * (p - 3 * U_y) / 4 + sqrt(16) - -p * 2", {7, 5}), 4 + 2.5 * 7 - 1.5 * 5);
    for (const char *text : {"p * p", "mag(U)", "1 / p", "abs(p)", "p ^ 2", "max(p, 0)", "p * U_x"})
        QVERIFY2(!FieldExpression(text, fields).affine(), text);
}

void ResponsesTest::formulasThatMeanNothingAreRefused()
{
    for (const char *text : {"",
                             "q",
                             "U",
                             "mag(p)",
                             "mag(V)",
                             "p +",
                             "p ; p",
                             "1 + 2",
                             "system(p)",
                             "p = 3",
                             "for(p)",
                             "mag(U",
                             "U_w",
                             "grad(p)",
                             "curl(U)",
                             "grad_x(U)",
                             "grad_w(p)",
                             "grad_x(p*p)",
                             "grad_x(grad_x(p))",
                             "div(p)",
                             "div(U_x)",
                             "div(stress)",
                             "curl_x(p)",
                             "mag(grad(U))",
                             "mag(grad(p)",
                             "mag(div(U))",
                             "grad_x",
                             "div()",
                             "mag()"})
        GRIDHELM_EXPECT_ERROR(FieldExpression(text, fields));
    GRIDHELM_EXPECT_ERROR(FieldExpression(std::string(5000, '('), fields));
    GRIDHELM_EXPECT_ERROR(FieldExpression(std::string(500, '(') + "p", fields));
    GRIDHELM_EXPECT_ERROR(FieldExpression("p" + std::string(3000, ' '), fields));
}

void ResponsesTest::namesThatStandForTwoFieldsAreRefused()
{
    const std::vector<NamedField> alike{{"p [Pa]", 1}, {"p (Pa)", 1}, {"U", 3},     {"U x", 1},
                                        {"V", 3},      {"V_x", 1},    {"W [m]", 3}, {"W (m)", 3},
                                        {"q [K]", 1},  {"q__K_", 1},  {"S m", 3},   {"S_m", 3}};
    const auto isRefusedFor = [&](const char *text, const char *why) {
        return isRefused([&] { FieldExpression(text, alike); }, why);
    };
    QVERIFY(isRefusedFor("2 * p__Pa_", "the field p [Pa] and the field p (Pa)"));
    QVERIFY(isRefusedFor("grad_x(p__Pa_)", "the field p [Pa] and the field p (Pa)"));
    QVERIFY(isRefusedFor("U_y + U_x", "a component of U and the field U x"));
    QVERIFY(isRefusedFor("mag(W__m_)", "the field W [m] and the field W (m)"));
    QVERIFY(isRefusedFor("div(W__m_)", "the field W [m] and the field W (m)"));
    QVERIFY(isRefusedFor("W__m__x", "a component of W [m] and a component of W (m)"));
    // What is not ambiguous itself is named beside them; a field's own name is its own.
    const auto fieldOf = [&](const char *text) { return FieldExpression(text, alike).fields(); };
    using Fields = std::vector<std::size_t>;
    QCOMPARE(fieldOf("U_y + mag(U)"), Fields{2});
    QCOMPARE(fieldOf("V_x"), Fields{5});
    QCOMPARE(fieldOf("grad_x(V_x)"), Fields{5});
    QCOMPARE(fieldOf("div(V)"), Fields{4});
    QCOMPARE(fieldOf("q__K_"), Fields{9});
    QCOMPARE(fieldOf("mag(S_m)"), Fields{11});
}

void ResponsesTest::reductionsAreTheirDefinitions()
{
    const std::vector values{3.0, -1.0, 2.0, 10.0}, weights{1.0, 2.0, 1.0, 4.0};
    const auto by = [&](const char *text) { return reduce(parseReduction(text), values, weights); };
    QCOMPARE(by("mean"), (3.0 - 2 + 2 + 40) / 8);
    QCOMPARE(by("integral"), 43.0);
    QCOMPARE(by("minimum"), -1.0);
    QCOMPARE(by("maximum"), 10.0);
    const double mean = 43.0 / 8;
    QCOMPARE(by("deviation"), std::sqrt((std::pow(3 - mean, 2) + 2 * std::pow(-1 - mean, 2)
                                         + std::pow(2 - mean, 2) + 4 * std::pow(10 - mean, 2))
                                        / 8));
    QCOMPARE(by("above 2"), 5.0 / 8);
    QCOMPARE(by("percentile 0"), -1.0);
    QCOMPARE(by("percentile 25"), -1.0);
    QCOMPARE(by("percentile 30"), 2.0);
    QCOMPARE(by("percentile 50"), 3.0);
    QCOMPARE(by("percentile 51"), 10.0);
    QCOMPARE(by("percentile 100"), 10.0);
    GRIDHELM_EXPECT_ERROR(reduce(parseReduction("mean"), {}, {}));
    GRIDHELM_EXPECT_ERROR(reduce(parseReduction("mean"), values, std::vector(4, 0.0)));
}

void ResponsesTest::wordsThatMeanNothingAreRefused()
{
    for (const char *text :
         {"", "average", "percentile", "percentile 101", "percentile x", "above", "mean 3"})
        GRIDHELM_EXPECT_ERROR(parseReduction(text));
    for (const char *text : {"point", "point 1,2", "box 1,2,3", "sphere 0,0,0,0", "patch wall",
                             "line 1,2,3,4,5,nan", "whole 3", "on", "on patch", "on =3",
                             "on patch=", "on patch=x", "on patch=2.5", "on patch=3,"})
        GRIDHELM_EXPECT_ERROR(parsePlace(text));
    QCOMPARE(parsePlace("").kind, PlaceKind::whole);
    const auto patches = parsePlace("on  the patch = 3, 4");
    QCOMPARE(patches.kind, PlaceKind::numbered);
    QCOMPARE(patches.field, std::string("the patch"));
    QCOMPARE(patches.numbers, (std::vector<double>{3, 4}));
    QCOMPARE(parsePlace("box 1,0,0,0,1,2").numbers, (std::vector<double>{0, 0, 0, 1, 1, 2}));
}

void ResponsesTest::modelsAddTheirParts()
{
    const sparse::GridShape shape(2, 4, {}, std::vector(2, sparse::BoundaryTreatment::modified));
    const sparse::GridShape other(2, 3, {}, std::vector(2, sparse::BoundaryTreatment::boundary));
    const auto f = interpolantOf([](std::span<const double> x) { return x[0] * x[1]; }, shape);
    const auto g = interpolantOf([](std::span<const double> x) { return x[0] - x[1]; }, other);
    const ResponseModel sum({f.parts()[0], g.parts()[0]}, {5.0});
    const std::vector x{0.3, 0.9};
    QCOMPARE(sum.value(x), 5 + f.value(x) + g.value(x));
    QVERIFY(!gridCoefficients(sum)); // of two grids
    QVERIFY(gridCoefficients(f).has_value());
    QVERIFY(f.hasKinks());
    GRIDHELM_EXPECT_ERROR(ResponseModel({}, {1.0}));
    GRIDHELM_EXPECT_ERROR(ResponseModel({f.parts()[0]}, {1.0, 2.0}));
    GRIDHELM_EXPECT_ERROR(f.value(std::vector{0.3, 1.5}));
}

void ResponsesTest::gradientsAreSlopesOfValues()
{
    const auto model = interpolantOf(
        ishigami, {3, 5, {}, std::vector(3, sparse::BoundaryTreatment::boundary), 0, {3, 3, 3}});
    Random random(2);
    for (int i = 0; i < 50; ++i) {
        const std::vector x{random.real(0.01, 0.99), random.real(0.01, 0.99),
                            random.real(0.01, 0.99)};
        std::vector<double> gradient(3);
        model.gradients(x, gradient);
        for (std::size_t t = 0; t < 3; ++t) {
            auto before = x, after = x;
            const double step = 1e-6;
            before[t] -= step;
            after[t] += step;
            const double slope = (model.value(after) - model.value(before)) / (2 * step);
            QVERIFY(std::abs(slope - gradient[t]) <= 1e-3 * (1 + std::abs(slope)));
        }
    }
}

void ResponsesTest::slopesOfSinglePrecisionAreNotItsRoundOff()
{
    const auto value = [](std::span<const double> x) {
        return double{static_cast<float>(300 + x[0] - 2 * x[1])};
    };
    const ResponseModel model(2, {}, {0.0}, {{0, value, ResponseModel::inSingle}});
    for (const auto &x : {std::vector{0.3, 0.7}, std::vector{0.0, 1.0}}) {
        for (const auto &each : {model, model.only(0)}) {
            std::vector<double> slopes(2);
            each.gradients(x, slopes);
            QVERIFY(std::abs(slopes[0] - 1) <= 0.01);
            QVERIFY(std::abs(slopes[1] + 2) <= 0.01);
        }
    }
}

void ResponsesTest::modesAreTheRowsTheyStandFor()
{
    const auto grid = std::make_shared<const sparse::SparseGrid>(
        sparse::GridShape(2, 3, {}, std::vector(2, sparse::BoundaryTreatment::modified)));
    const auto ofRows = std::make_shared<sparse::SparseGridSurrogate>(grid);
    Random random(9);
    auto modal = std::make_shared<modes::ModalRows>();
    modal->modes = 3;
    for (std::uint64_t i = 0; i < 3 * grid->points(); ++i)
        modal->coefficients.push_back(static_cast<float>(random.real(-1, 1)));
    modal->residuals.assign(grid->points(), 0.0F);
    const auto surrogate = std::make_shared<modes::ModalSurrogate>(ofRows, modal);
    const ResponseModel byModes({{surrogate, {2, -1, 0.5}}}, {0.0});
    const auto coefficients = gridCoefficients(byModes);
    QVERIFY(coefficients.has_value());
    const ResponseModel byRows({{ofRows, coefficients->coefficients}}, {0.0});
    for (int i = 0; i < 20; ++i) {
        const std::vector x{random.real(), random.real()};
        QVERIFY(std::abs(byModes.value(x) - byRows.value(x)) <= 1e-12);
    }
    QVERIFY(byModes.hasKinks());
}

GRIDHELM_TEST(ResponsesTest)
#include "tst_responses.moc"
