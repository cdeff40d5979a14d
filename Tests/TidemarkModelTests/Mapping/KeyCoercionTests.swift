import Testing

@testable import TidemarkModel

struct KeyCoercionTests {
    @Test func `the last component of a URL path is an integer key`() throws {
        let not = "The value is not a number."
        try CoercionTests.check(
            Attribute("id", .integer32),
            [
                ("1", "1"), (#""12""#, "12"), (#""https://host/api/people/1/""#, "1"),
                (#""http://127.0.0.1:8080/people/1""#, "1"), (#""/api/people/1""#, "1"),
                (#""//host/people/7""#, "7"),
                (#""https:\/\/host\/people\/1\/?format=json#x""#, "1"),
                (#""https://host/1//""#, "1"), (#""/1""#, "1"),
                (#""https://host/""#, not), (#""https://host""#, not), (#""https://1""#, not),
                (#""/""#, not), (#""people/1""#, not), (#""""#, not), (#""//1""#, not),
                (#""https://host/people/one""#, not), (#""https://host/?id=1""#, not),
                (#""https://host/1/edit""#, not), (#""://host/1""#, not),
                (
                    #""https://host/people/99999999999999999999""#,
                    "The value does not fit into 64 bits."
                ),
            ],
            asKey: true
        )
    }

    @Test func `a key may exceed the integer size of its attribute`() throws {
        try CoercionTests.check(
            Attribute("id", .integer16),
            [
                ("702377", "702377"), (#""702377""#, "702377"), (#""/lists/702377""#, "702377"),
                ("99999999999999999999", "The value does not fit into 64 bits."),
            ],
            asKey: true
        )
        try CoercionTests.check(
            Attribute("n", .integer16),
            [("702377", "The value does not fit into 16 bits.")]
        )
    }

    @Test func `a string key keeps the whole URL`() throws {
        try CoercionTests.check(
            Attribute("id", .string),
            [(#""https://host/1/""#, "'https://host/1/'"), ("30", "'30'")],
            asKey: true
        )
    }

    @Test func `an attribute that is not a key does not read URLs`() throws {
        try CoercionTests.check(
            Attribute("n", .integer32),
            [(#""https://host/1/""#, CoercionTests.notNumber)]
        )
    }
}
