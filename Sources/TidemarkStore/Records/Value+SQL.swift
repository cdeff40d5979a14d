import Foundation
package import GRDB
package import TidemarkModel

extension Value {
    /// Creates a value of an attribute's type from its stored form.
    package init(_ stored: DatabaseValue, type: AttributeType) {
        switch stored.storage {
        case .null: self = .null
        case .int64(let number): self.init(StoredValue.integer(number), type: type)
        case .double(let number): self.init(StoredValue.real(number), type: type)
        case .string(var text):
            self = text.withUTF8 { Value(.text(UnsafeRawBufferPointer($0)), type: type) }
        case .blob(let data): self = .binary(Array(data))
        }
    }

    /// The value as SQLite stores it.
    package var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .double(let number), .date(let number): number.databaseValue
        case .boolean(let flag): (flag ? 1 : 0).databaseValue
        case .decimal(let text), .string(let text), .uuid(let text), .uri(let text),
            .json(let text):
            text.databaseValue
        case .binary(let bytes): Data(bytes).databaseValue
        }
    }
}

extension Value {
    /// Returns whether SQLite stores the same bytes for two values.
    ///
    /// In contrast to `==`, texts are compared by their bytes: an edit may change the Unicode
    /// normalization alone.
    func isSame(as other: Value) -> Bool {
        switch (self, other) {
        case (.string(let one), .string(let other)), (.uri(let one), .uri(let other)),
            (.json(let one), .json(let other)):
            one.utf8.elementsEqual(other.utf8)
        default: self == other
        }
    }
}

extension ValueComparison {
    /// Returns whether a stored value is the one that was sent, as the service writes it.
    package func isEqual(sent: DatabaseValue, received: DatabaseValue) -> Bool {
        isEqual(sent: Value(sent, type: type), received: Value(received, type: type))
    }
}

extension StoredValue {
    /// The value as GRDB has it, with a copy of its text or bytes.
    package var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let bytes): String(decoding: bytes, as: UTF8.self).databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }

    /// Returns whether this is a value of the database, with the same storage class.
    package func equals(_ value: DatabaseValue) -> Bool {
        switch (self, value.storage) {
        case (.null, .null): true
        case (.integer(let one), .int64(let other)): one == other
        case (.real(let one), .double(let other)): one.bitPattern == other.bitPattern
        case (.text(let one), .string(let other)): other.utf8.elementsEqual(one)
        case (.blob(let one), .blob(let other)): other.elementsEqual(one)
        default: false
        }
    }
}

extension ValueArena {
    /// Returns a value of the database, with a copy of its text or bytes in the arena.
    package func stored(_ value: DatabaseValue) -> StoredValue {
        switch value.storage {
        case .null: .null
        case .int64(let number): .integer(number)
        case .double(let number): .real(number)
        case .string(let text): .text(copy(text))
        case .blob(let data): data.withUnsafeBytes { .blob(copy($0)) }
        }
    }
}
