// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/expression.h"

#include <array>
#include <charconv>
#include <numbers>
#include <system_error>
#include <utility>

namespace gridhelm::stencil {
namespace {

using Node = Expression::Node;

constexpr std::array<std::pair<std::string_view, Operation>, 10> functions{{
    {"abs", Operation::absolute},
    {"cos", Operation::cosine},
    {"exp", Operation::exponential},
    {"log", Operation::logarithm},
    {"max", Operation::larger},
    {"min", Operation::smaller},
    {"sin", Operation::sine},
    {"sqrt", Operation::squareRoot},
    {"tan", Operation::tangent},
    {"tanh", Operation::hyperbolicTangent},
}};

// Not those of the locale.
bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

class Parser
{
public:
    Parser(std::string_view text, const Grammar &grammar)
        : m_text(text)
        , m_grammar(grammar)
    {
    }

    Expression parse()
    {
        if (m_text.size() > longestExpression)
            fail("is longer than a formula can be (" + std::to_string(longestExpression)
                     + " characters); make it shorter",
                 0);
        readSum();
        skipBlanks();
        if (m_at < m_text.size())
            fail("has " + found() + ", where an operator (" + operators()
                     + ") or the end may stand; write one of "
                       "them",
                 m_at);
        return foldIfNumber();
    }

private:
    [[noreturn]] static void fail(const std::string &sentence, std::size_t column)
    {
        throw ExpressionError(sentence, column);
    }

    std::string operators() const { return m_grammar.hasFunctions ? "+ - * / ^" : "+ - * /"; }

    /// What stands here, for a sentence.
    std::string found() const
    {
        if (m_at >= m_text.size())
            return "its end";
        const auto c = static_cast<unsigned char>(m_text[m_at]);
        if (c <= ' ' || c >= 0x7f)
            return "a character that no formula has";
        return std::string("'") + m_text[m_at] + "'";
    }

    std::string operands() const
    {
        std::string text = "a number";
        for (const auto &name : m_grammar.variables)
            text += ", " + name;
        if (m_grammar.hasFunctions)
            text += ", pi, a function (" + functionNames() + ")";
        return text + ", - or ( may stand; write one of them";
    }

    void skipBlanks()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t'))
            ++m_at;
    }
    bool take(char c)
    {
        skipBlanks();
        if (m_at >= m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }

    std::size_t push(Operation operation, std::size_t left, std::size_t right = 0)
    {
        m_nodes.push_back({operation, 0, 0, left, right});
        return m_nodes.size() - 1;
    }
    std::size_t pushNumber(double number)
    {
        m_nodes.push_back({Operation::number, number, 0, 0, 0});
        return m_nodes.size() - 1;
    }

    /// What calls itself is counted, and refused before the stack is full.
    struct Deeper
    {
        explicit Deeper(Parser &parser)
            : m_parser(parser)
        {
            if (++m_parser.m_depth > deepestExpression)
                fail("is nested too deeply (at most " + std::to_string(deepestExpression)
                         + " parentheses, signs and powers in each other); write it flatter",
                     m_parser.m_at);
        }
        ~Deeper() { --m_parser.m_depth; }
        Deeper(const Deeper &) = delete;
        Deeper &operator=(const Deeper &) = delete;

        Parser &m_parser;
    };

    std::size_t readSum() // NOLINT(misc-no-recursion): bounded by Deeper
    {
        auto left = readProduct();
        for (;;) {
            if (take('+'))
                left = push(Operation::add, left, readProduct());
            else if (take('-'))
                left = push(Operation::subtract, left, readProduct());
            else
                return left;
        }
    }
    std::size_t readProduct() // NOLINT(misc-no-recursion)
    {
        auto left = readFactor();
        for (;;) {
            if (take('*'))
                left = push(Operation::multiply, left, readFactor());
            else if (take('/'))
                left = push(Operation::divide, left, readFactor());
            else
                return left;
        }
    }
    std::size_t readFactor() // NOLINT(misc-no-recursion)
    {
        const Deeper deeper(*this);
        if (take('-'))
            return push(Operation::negate, readFactor());
        const auto base = readAtom();
        const auto column = m_at;
        if (!take('^'))
            return base;
        if (!m_grammar.hasFunctions)
            fail("has a power, which weights cannot have (they are computed for each value in each "
                 "iteration); put it into a coefficient",
                 column);
        return push(Operation::power, base, readFactor());
    }
    std::size_t readAtom() // NOLINT(misc-no-recursion)
    {
        skipBlanks();
        if (take('(')) {
            const auto inside = readSum();
            if (!take(')'))
                fail("has " + found() + ", where ) or an operator (" + operators()
                         + ") may stand; write one of them",
                     m_at);
            return inside;
        }
        if (m_at < m_text.size() && (isDigit(m_text[m_at]) || m_text[m_at] == '.'))
            return readNumber();
        if (m_at < m_text.size() && isNameStart(m_text[m_at]))
            return readName();
        fail("has " + found() + ", where " + operands(), m_at);
    }

    std::size_t readNumber()
    {
        double number = 0;
        const auto *begin = m_text.data() + m_at;
        const auto [end, code] = std::from_chars(begin, m_text.data() + m_text.size(), number);
        if (code != std::errc() || !std::isfinite(number))
            fail("has a number that cannot be read, or is too large or too small; write one like "
                 "2.5 or 1e-3",
                 m_at);
        m_at += static_cast<std::size_t>(end - begin);
        return pushNumber(number);
    }

    std::size_t readName() // NOLINT(misc-no-recursion)
    {
        const auto begin = m_at;
        while (m_at < m_text.size() && (isNameStart(m_text[m_at]) || isDigit(m_text[m_at])))
            ++m_at;
        const auto name = m_text.substr(begin, m_at - begin);
        const auto variable = std::ranges::find(m_grammar.variables, name);
        if (variable != m_grammar.variables.end()) {
            Node node;
            node.operation = Operation::variable;
            node.variable = static_cast<std::size_t>(variable - m_grammar.variables.begin());
            m_nodes.push_back(node);
            return m_nodes.size() - 1;
        }
        if (m_grammar.hasFunctions && name == "pi")
            return pushNumber(std::numbers::pi);
        const auto *function =
            std::ranges::find(functions, name, [](const auto &f) { return f.first; });
        if (!m_grammar.hasFunctions || function == functions.end())
            fail("has a name that means nothing here, where " + operands(), begin);
        return readCall(function->second, std::string(name));
    }
    std::size_t readCall(Operation operation, const std::string &name) // NOLINT(misc-no-recursion)
    {
        const Deeper deeper(*this);
        const bool hasTwo = operandsOf(operation) == 2;
        const auto usage = name + (hasTwo ? "(a, b)" : "(a)");
        if (!take('('))
            fail("has " + found() + " behind " + name + "; write " + usage, m_at);
        const auto left = readSum();
        std::size_t right = 0;
        if (hasTwo) {
            if (!take(','))
                fail("has " + found() + " in " + name + "(...), where a comma may stand; write "
                         + usage,
                     m_at);
            right = readSum();
        }
        if (!take(')'))
            fail("has " + found() + " in " + name + "(...), where ) may stand; write " + usage,
                 m_at);
        return push(operation, left, right);
    }

    Expression foldIfNumber()
    {
        Expression whole(std::move(m_nodes));
        const auto isVariable = [](const Node &node) {
            return node.operation == Operation::variable;
        };
        if (std::ranges::any_of(whole.nodes(), isVariable))
            return whole;
        const double number = whole.evaluate<double>({});
        if (!std::isfinite(number))
            fail("is no finite number; change it", 0);
        return Expression(number);
    }

    std::string_view m_text;
    const Grammar &m_grammar;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::vector<Node> m_nodes;
};

} // namespace

int operandsOf(Operation operation)
{
    switch (operation) {
    case Operation::number:
    case Operation::variable:
        return 0;
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::power:
    case Operation::smaller:
    case Operation::larger:
        return 2;
    default:
        return 1;
    }
}

Expression::Expression(double number)
    : m_nodes{{Operation::number, number, 0, 0, 0}}
{
}

Expression::Expression(std::vector<Node> nodes)
    : m_nodes(std::move(nodes))
{
}

Expression parseExpression(std::string_view text, const Grammar &grammar)
{
    return Parser(text, grammar).parse();
}

std::string functionNames()
{
    std::string names;
    for (const auto &[name, operation] : functions)
        names += (names.empty() ? "" : ", ") + std::string(name);
    return names;
}

} // namespace gridhelm::stencil
