import Testing
import TidemarkTestSupport

@testable import TidemarkJSON

struct JSONWriterTests {
    static func sample(_ style: JSONWriter.Style) -> JSONWriter {
        var writer = JSONWriter(style)
        writer.beginObject()
        writer.key("a")
        writer.beginArray()
        writer.integer(.min)
        writer.double(0.1)
        writer.boolean(false)
        writer.null()
        writer.beginObject()
        writer.endObject()
        writer.endArray()
        writer.key("b\"")
        writer.raw("[]")
        writer.endObject()
        return writer
    }

    @Test func `writes compact text`() {
        let text = String(decoding: Self.sample(.compact).bytes, as: UTF8.self)
        #expect(text == #"{"a":[-9223372036854775808,0.1,false,null,{}],"b\"":[]}"#)
    }

    @Test func `writes pretty text`() {
        let text = String(decoding: Self.sample(.pretty).bytes, as: UTF8.self)
        #expect(
            text == """
                {
                  "a": [
                    -9223372036854775808,
                    0.1,
                    false,
                    null,
                    {}
                  ],
                  "b\\"": []
                }
                """
        )
    }

    @Test func `writes null for values that JSON cannot express`() {
        for number in [Double.nan, .infinity, -.infinity] {
            var writer = JSONWriter()
            writer.double(number)
            #expect(writer.bytes == Array("null".utf8))
        }
    }

    @Test func `escapes only what must be escaped`() {
        var writer = JSONWriter()
        writer.string("\"\\/\u{8}\t\n\u{C}\r\u{0}\u{1F}\u{7F}é\u{2028}😀")
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == "\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u001f\u{7F}é\u{2028}😀\""
        )
    }

    @Test func `continues after the bytes that were drained`() {
        var writer = JSONWriter()
        var text: [UInt8] = []
        writer.beginArray()
        for number in 1...3 {
            writer.integer(Int64(number))
            writer.drain { text.append(contentsOf: $0) }
            #expect(writer.bytes.isEmpty)
        }
        writer.endArray()
        writer.drain { text.append(contentsOf: $0) }
        #expect(String(decoding: text, as: UTF8.self) == "[1,2,3]")
    }

    @Test func `reads back whatever it writes`() throws {
        for seed in UInt64(1)...300 {
            var generator = SeededGenerator(seed: seed)
            let value = RandomJSON.make(&generator, depth: 5)
            for style in [JSONWriter.Style.compact, .pretty] {
                var writer = JSONWriter(style)
                value.write(to: &writer)
                let document = try JSONDocument(writer.bytes)
                #expect(document.withRoot(RandomJSON.init) == value, "seed \(seed)")
                var list = JSONItemReader(
                    Array("[".utf8) + writer.bytes + Array("]".utf8),
                    window: Int.random(in: 1...64, using: &generator)
                )
                var read: [RandomJSON] = []
                while try list.next({ read.append(RandomJSON($0)) }) {}
                #expect(read == [value], "seed \(seed)")
            }
        }
    }
}

/// A plain JSON value in memory.
enum RandomJSON: Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([RandomJSON])
    case object([String], [RandomJSON])

    static func make(_ generator: inout SeededGenerator, depth: Int) -> RandomJSON {
        switch Int.random(in: 0...(depth > 0 ? 7 : 4), using: &generator) {
        case 0: .null
        case 1: .boolean(.random(using: &generator))
        case 2: .integer(Int64(bitPattern: generator.next()) >> Int64(generator.next() % 64))
        case 3: .double(double(&generator))
        case 4: .string(string(&generator))
        case 5, 6: .array(list(&generator, depth))
        default: object(list(&generator, depth), &generator)
        }
    }

    private static func list(_ generator: inout SeededGenerator, _ depth: Int) -> [RandomJSON] {
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in make(&generator, depth: depth - 1)
        }
    }

    private static func object(
        _ values: [RandomJSON],
        _ generator: inout SeededGenerator
    ) -> RandomJSON {
        .object(values.map { _ in string(&generator) }, values)
    }

    private static func double(_ generator: inout SeededGenerator) -> Double {
        let number = Double(bitPattern: generator.next())
        return number.isFinite ? number : 0.5
    }

    private static func string(_ generator: inout SeededGenerator) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "\"", "\\", "\n", "\0", "\u{1F}", "é", "€", "😀", " ", "/",
        ]
        var string = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...20, using: &generator) {
            string.append(scalars[Int.random(in: 0..<scalars.count, using: &generator)])
        }
        return String(string)
    }

    init(_ node: JSONNode) {
        self =
            switch node.kind {
            case .null: .null
            case .true: .boolean(true)
            case .false: .boolean(false)
            case .number:
                node.isComplex ? .double(node.double ?? .nan) : .integer(node.integer ?? -1)
            case .string: .string(node.string)
            case .array: .array(node.elements.map(RandomJSON.init))
            case .object:
                .object(node.members.map(\.name.string), node.members.map { RandomJSON($0.value) })
            }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .boolean(let flag): writer.boolean(flag)
        case .integer(let number): writer.integer(number)
        case .double(let number): writer.double(number)
        case .string(let text): writer.string(text)
        case .array(let values):
            writer.beginArray()
            for value in values { value.write(to: &writer) }
            writer.endArray()
        case .object(let names, let values):
            writer.beginObject()
            for (name, value) in zip(names, values) {
                writer.key(name)
                value.write(to: &writer)
            }
            writer.endObject()
        }
    }
}
