/// A position in a sorted list: the content of an opaque pagination token or cursor.
package struct FakePosition {
    /// The values of the last object for each field of the order.
    let values: [FakeValue]

    package init(_ record: FakeRecord, in order: [FakeQuery.Order]) {
        values = order.map { $0.field.value(of: record) }
    }

    /// Decodes a token created by ``text`` for an order with `fields` fields.
    package init?(_ text: String, fields: Int) {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2), digits.count < 20_000 else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
        }
        guard bytes.count * 2 == digits.count,
            let elements = FakeJSON(ifValid: bytes)?.elements, elements.count == fields
        else { return nil }
        values = elements.map { FakeValue($0) }
    }

    /// The position as a token of hexadecimal digits.
    package var text: String {
        FakeJSON.array(values.map(\.json)).bytes
            .map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }

    /// Returns a filter for the objects after the position.
    package func following(_ order: [FakeQuery.Order]) -> FakeFilter {
        .or(
            order.indices.map { index in
                let same = order.indices.prefix(index).map { earlier in
                    FakeFilter.ordered(.at, order[earlier].field, values[earlier])
                }
                let part = order[index]
                return .and(
                    same + [
                        .ordered(part.isDescending ? .before : .after, part.field, values[index])
                    ]
                )
            }
        )
    }
}

extension FakeValue {
    /// The value as JSON.
    var json: FakeJSON {
        switch self {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .number(let number):
            .number(Int64(exactly: number).map { "\($0)" } ?? "\(number)")
        case .text(let text): .string(text)
        case .other(let json): json
        }
    }
}
