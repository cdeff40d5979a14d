import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

struct PredicateTextTests {
    @Test(arguments: [
        ("", "The predicate is empty, at character 1. TRUEPREDICATE holds for every row.", "\n^"),
        ("age", "An operator is expected here, not the end", "age\n   ^"),
        ("age = ", "An attribute or a value is expected here, not the end", "age = \n      ^"),
        ("age = 1 age", "AND, OR or the end is expected here, not age", "age = 1 age\n        ^"),
        (
            "(age = 1", "AND, OR or a closing parenthesis is expected here, not the end",
            "(age = 1\n        ^"
        ),
        ("age = 1)", "AND, OR or the end is expected here, not )", "age = 1)\n       ^"),
        ("age = = 3", "An attribute or a value is expected here, not =", "age = = 3\n      ^"),
        ("name = 'Ada", "The text that begins here has no end", "name = 'Ada\n       ^"),
        ("name = 'Ada\\", "The text that begins here has no end", "name = 'Ada\\\n       ^"),
        (
            "name = '\\uD800'", "\\u must be followed by the four hexadecimal digits",
            "name = '\\uD800'\n        ^"
        ),
        ("name = “Ada”", "Write straight quotes.", "name = “Ada”\n       ^"),
        ("näme = 1", "A predicate cannot contain this character", "näme = 1\n ^"),
        ("'👨‍👩‍👧é' ? 1", "A predicate cannot contain this character", "'👨‍👩‍👧é' ? 1\n     ^"),
        ("age = 1.", "This is not a number", "age = 1.\n      ^"),
        ("age = 12abc", "This is not a number", "age = 12abc\n      ^"),
        ("age = 1e", "This is not a number", "age = 1e\n      ^"),
        ("age = 1.2.3", "This is not a number", "age = 1.2.3\n      ^"),
        ("age + 1 = 2", "Predicates do not calculate", "age + 1 = 2\n    ^"),
        ("age = 2 * 3", "Predicates do not calculate", "age = 2 * 3\n        ^"),
        ("age = -name", "An attribute or a value is expected here, not -", "age = -name\n      ^"),
        ("age = %d", "% can be followed by @ or K only", "age = %d\n      ^"),
        ("age = %@", "There are fewer arguments", "age = %@\n      ^"),
        ("%K = 1", "A text must be given for %K", "%K = 1\n^"),
        ("age = $least", "No value was given for $least", "age = $least\n      ^"),
        ("age = $", "$ must be followed by a name", "age = $\n       ^"),
        ("age NOT IN {1}", "NOT precedes the whole comparison.", "age NOT IN {1}\n    ^"),
        ("age BETWEEN 1", "BETWEEN must be followed by a list", "age BETWEEN 1\n            ^"),
        ("age BETWEEN {1}", "must have two elements, not 1", "age BETWEEN {1}\n            ^"),
        ("age = {1}", "A list can follow only IN and BETWEEN", "age = {1}\n      ^"),
        ("{1} = age", "A list can follow only IN and BETWEEN", "{1} = age\n^"),
        ("age IN {1, {2}}", "A list cannot hold lists", "age IN {1, {2}}\n           ^"),
        (
            "age IN {1 2}", "A comma or the end of the list is expected here, not 2",
            "age IN {1 2}\n          ^"
        ),
        (
            "name =[x] 'a'", "The brackets after an operator can contain only c and d",
            "name =[x] 'a'\n       ^"
        ),
        (
            "name =[c 'a'", "A closing bracket is expected here, not a text",
            "name =[c 'a'\n         ^"
        ),
        ("in = 'x'", "Write #in for an attribute of this name.", "in = 'x'\n^"),
        ("team[0].age = 1", "Elements of a list have no numbers here.", "team[0].age = 1\n    ^"),
        ("team. = 1", "The dot must be followed by a name", "team. = 1\n      ^"),
        ("team.@sum.age = 1", "@sum is not supported", "team.@sum.age = 1\n     ^"),
        (
            "team.@count.age = 1", "Nothing can follow @count",
            "team.@count.age = 1\n           ^"
        ),
        (
            "SUBQUERY(team, $x, $x.age > 1) > 0", "SUBQUERY must be followed by .@count",
            "SUBQUERY(team, $x, $x.age > 1) > 0\n^"
        ),
        (
            "SUBQUERY(team, x, age > 1)", "A variable is expected here, not x",
            "SUBQUERY(team, x, age > 1)\n               ^"
        ),
        (
            "SUBQUERY(team, $x age > 1)", "A comma and a predicate are expected here, not age",
            "SUBQUERY(team, $x age > 1)\n                  ^"
        ),
        (
            "SUBQUERY(team, $x, $x.age > 1", "AND, OR or a closing parenthesis is expected here",
            "SUBQUERY(team, $x, $x.age > 1\n                             ^"
        ),
        (
            "SUBQUERY(team, $x, TRUEPREDICATE).@count = 1 AND $x.age = 1",
            "No value was given for $x",
            "SUBQUERY(team, $x, TRUEPREDICATE).@count = 1 AND $x.age = 1\n"
                + "                                                 ^"
        ),
        (
            "bornAt < now()", "Functions such as now() are not supported",
            "bornAt < now()\n         ^"
        ),
        (
            "bornAt = CAST(1, 'NSDate')", "CAST knows the types date, binary and json",
            "bornAt = CAST(1, 'NSDate')\n                 ^"
        ),
        (
            "bornAt = CAST('soon', 'date')", "The value does not convert to the type date",
            "bornAt = CAST('soon', 'date')\n         ^"
        ),
        (
            "name = 'a'\r\nAND age ==", "An attribute or a value is expected here",
            "AND age ==\n          ^"
        ),
    ])
    func `an error describes its cause and shows its position`(
        _ format: String,
        _ message: String,
        _ excerpt: String
    ) throws {
        let text = try fault(RecordPredicate(format))
        #expect(text.contains(message), "\(text)")
        let shown = text.split(separator: "\n", omittingEmptySubsequences: false).suffix(2)
        expect(shown.joined(separator: "\n"), is: excerpt)
    }

    @Test func `rejects surplus arguments, and arguments that are not valid values`() throws {
        let tooMany = try fault(RecordPredicate("age = %@", 1, 2))
        #expect(tooMany.contains("1 too many"))
        let infinite = try fault(RecordPredicate("age = %@", .double(.infinity)))
        #expect(infinite.contains("The argument is not a finite number"))
        let number = try fault(RecordPredicate("age = %@", .decimal("1 OR 1")))
        #expect(number.contains("The argument is not a number"))
        let path = try fault(RecordPredicate("%K = 1", "age = 1 OR age"))
        #expect(path.contains("What was given for %K is not a key path"))
    }

    @Test func `shortens a long line around the error and replaces control characters`() throws {
        let text = try fault(
            RecordPredicate(
                "name = '\u{1B}[31m\t" + String(repeating: "x", count: 80) + "' AND ? "
                    + String(repeating: "y", count: 80)
            )
        )
        let lines = text.split(separator: "\n").suffix(2).map(String.init)
        expect(
            lines[0],
            is: "…" + String(repeating: "x", count: 54) + "' AND ? "
                + String(repeating: "y", count: 58)
                + "…"
        )
        expect(lines[1], is: String(repeating: " ", count: 61) + "^")
        #expect(!text.contains("\u{1B}"))
        let start = try fault(RecordPredicate("'\u{1B}\u{202E}a' ?"))
        #expect(start.hasSuffix("'  a' ?\n      ^"))
    }

    @Test(arguments: [
        (#"a==1&&b<>'x'||!c=<2.50"#, #"a = 1 AND b != "x" OR NOT c <= 2.50"#),
        ("(a = 1 and (b = 2 AND c = 3)) And d=4", "a = 1 AND b = 2 AND c = 3 AND d = 4"),
        ("a = 1 AND (b = 2 OR c = 3)", "a = 1 AND (b = 2 OR c = 3)"),
        ("NOT (a = 1 OR b => 2)", "NOT (a = 1 OR b >= 2)"),
        ("NOT NOT ((a = 1))", "NOT NOT a = 1"),
        ("some a.b IN ( 1 , nil, yes )", "ANY a.b IN {1, NULL, TRUE}"),
        ("self.a.#in.not contains[DC] 'x'", #"a.#in.#not CONTAINS[cd] "x""#),
        ("SELF = \"User:6\"", #"SELF = "User:6""#), ("a.@count > -1", "a.@count > -1"),
        (
            "subquery(a.b, $each, $each.c = d AND SUBQUERY($each.e, $each, $each = 1).@count < 2)"
                + ".@count > 0",
            "SUBQUERY(a.b, $x2, $x2.c = d AND SUBQUERY($x2.e, $x1, $x1 = 1).@count < 2).@count > 0"
        ),
        (#"a LIKE 'x\*\\"\'\u0007'"#, ##"a LIKE "x\\*\\\"'\u0007""##),
        (
            "a = cast('2014-02-14T00:00:00+01:00', 'DATE')",
            #"a = CAST("2014-02-13T23:00:00Z", "date")"#
        ),
        ("a = CAST(1e300, 'date')", #"a = CAST(1e+300, "date")"#),
        ("none a.b BETWEEN (1, 2)", "NONE a.b BETWEEN {1, 2}"),
    ])
    func `a canonical form parses to an equal predicate`(_ format: String, _ text: String) throws {
        let predicate = try RecordPredicate(format)
        expect(predicate.description, is: text)
        let again = try RecordPredicate(predicate.description)
        #expect(again == predicate)
        #expect(again.hashValue == predicate.hashValue)
        expect(again.description, is: text)
    }

    @Test func `the canonical form contains arguments as literals`() throws {
        let values: [Value] = [
            .null, .integer(.min), .double(1e-7), .boolean(false), .decimal("-0.10"), "a\"\\\n",
            .date(1.5), .date(-1e-9), .uuid("AB"), .uri("x:y"), .binary([0, 255]),
            .json(#"{"a":"\""}"#), "\u{301}\u{0}é%@ $x",
        ]
        for value in values {
            let predicate = try RecordPredicate("a = %@ OR %@ IN b", value, value)
            #expect(try RecordPredicate(predicate.description) == predicate, "\(predicate)")
        }
    }
}
