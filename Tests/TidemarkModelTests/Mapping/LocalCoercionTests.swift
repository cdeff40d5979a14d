import Testing

@testable import TidemarkModel

struct LocalCoercionTests {
    @Test(
        arguments: [
            (.integer16, .integer(7), .integer(7)), (.integer16, .string("7"), .integer(7)),
            (.integer64, .double(7), .integer(7)), (.integer64, .decimal("7"), .integer(7)),
            (.double, .integer(7), .double(7)), (.float, .double(0.1), .double(Double(Float(0.1)))),
            (.decimal, .double(0.1), .decimal("0.1")),
            (.decimal, .string("12.20"), .decimal("12.2")),
            (.string, .integer(7), .string("7")), (.string, .boolean(true), .string("true")),
            (.string, .date(0.5), .string("1970-01-01T00:00:00.500Z")),
            (.boolean, .integer(1), .boolean(true)), (.boolean, .string("no"), .boolean(false)),
            (.date, .string("1970-01-02"), .date(86_400)), (.date, .integer(60), .date(60)),
            (.date, .date(0.1234567), .date(0.123457)),
            (
                .uuid, .string("6f9619ff-8b86-d011-b42d-00c04fc964ff"),
                .uuid("6F9619FF-8B86-D011-B42D-00C04FC964FF")
            ),
            (.uri, .string("a:b"), .uri("a:b")), (.json, .json("[ 1 ]"), .json("[1]")),
            (.json, .string("a\"b"), .json(#""a\"b""#)), (.json, .integer(1), .json("1")),
            (.binary, .binary([1]), .binary([1])), (.binary, .json("[ ]"), .binary([91, 93])),
            (.integer16, .json("5"), .integer(5)), (.transformable, .binary([1]), .binary([1])),
            (.transformable, .decimal("1.5"), .string("1.5")),
            (.integer16, .null, .null),
        ] as [(AttributeType, Value, Value)]
    )
    func `converts local values like values of a service`(
        _ type: AttributeType,
        _ value: Value,
        _ expected: Value
    ) throws {
        #expect(try Coercion(Attribute("a", type)).coerce(value) == expected)
        let coercion = try Coercion(Attribute("a", type, defaultValue: value))
        #expect(coercion.defaultValue == expected)
    }

    @Test func `reads a local date in the format of the service and in common ones`() throws {
        let coercion = try Coercion(Attribute("a", .date, dateFormat: "dd.MM.yyyy"))
        for text in ["02.01.1970", "1970-01-02T00:00:00Z"] {
            #expect(try coercion.coerce(.string(text)) == .date(86_400))
        }
        #expect(throws: CoercionFailure.notADate) { try coercion.coerce(.integer(86_400)) }
    }

    @Test(
        arguments: [
            (.integer16, .integer(32_768), .outOfRange(.integer16)),
            (.integer64, .double(1.5), .notAWholeNumber), (.integer64, .double(.nan), .notANumber),
            (.double, .double(.infinity), .notANumber), (.integer64, .boolean(true), .notANumber),
            (.integer64, .binary([1]), .notANumber), (.string, .binary([1]), .notAText),
            (.string, .string("a\0"), .containsNull), (.date, .date(1e300), .outOfRange(.date)),
            (.date, .date(.nan), .outOfRange(.date)), (.date, .string("soon"), .notADate),
            (.date, .boolean(true), .notADate), (.json, .json("[1"), .notJSON),
            (.json, .double(.nan), .notANumber), (.uri, .string(""), .notAURI),
            (.uuid, .string("x"), .notAUUID),
            (.boolean, .string("maybe"), .notABoolean), (.decimal, .decimal("1.2.3"), .notANumber),
        ] as [(AttributeType, Value, CoercionFailure)]
    )
    func `rejects a value that does not convert`(
        _ type: AttributeType,
        _ value: Value,
        _ failure: CoercionFailure
    ) throws {
        let coercion = try Coercion(Attribute("a", type))
        #expect(throws: failure) { try coercion.coerce(value) }
    }
}
