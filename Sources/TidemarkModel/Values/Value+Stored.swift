extension Value {
    /// Creates a value of an attribute's type from its stored form.
    package init(_ stored: StoredValue, type: AttributeType) {
        switch stored {
        case .null: self = .null
        case .integer(let number):
            self = type == .boolean ? .boolean(number != 0) : .integer(number)
        case .real(let number): self = type == .date ? .date(number) : .double(number)
        case .blob(let bytes): self = .binary(Array(bytes))
        case .text(let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
            switch type {
            case .decimal: self = .decimal(text)
            case .uuid: self = .uuid(text)
            case .uri: self = .uri(text)
            case .json: self = .json(text)
            case .string, .integer16, .integer32, .integer64, .double, .float, .boolean, .date,
                .binary, .transformable:
                self = .string(text)
            }
        }
    }

    /// Returns the stored form of the value.
    ///
    /// Text and bytes are copied into the arena.
    package func stored(in arena: ValueArena) -> StoredValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .double(let number), .date(let number): .real(number)
        case .boolean(let flag): .integer(flag ? 1 : 0)
        case .decimal(let text), .string(let text), .uuid(let text), .uri(let text),
            .json(let text):
            .text(arena.copy(text))
        case .binary(let bytes): .blob(bytes.withUnsafeBytes { arena.copy($0) })
        }
    }
}
