import TidemarkJSON

extension Coercion {
    /// Converts a local value to a type by the rules for JSON values.
    static func local(
        _ value: Value,
        to type: AttributeType,
        encoding: Attribute.BinaryEncoding,
        dateFormat: DateFormat
    ) throws(CoercionFailure) -> Value {
        if value == .null { return .null }
        if type == .date, case .date(let seconds) = value {
            // Without an arena, which takes longer than the conversion.
            let moment = try LocalValue.moment(seconds)
            return .date(DateFormat.seconds(fromMicroseconds: moment))
        }
        return try ValueArena.lasting { arena throws(CoercionFailure) in
            let local = LocalValue(value: value, arena: arena)
            return try local.converted(to: type, encoding: encoding, dateFormat: dateFormat)
        }
    }
}

/// A local value that is being converted, and the memory for its forms.
private struct LocalValue {
    let value: Value
    let arena: ValueArena

    func converted(
        to type: AttributeType,
        encoding: Attribute.BinaryEncoding,
        dateFormat: DateFormat
    ) throws(CoercionFailure) -> Value {
        switch type {
        case .json: return .json(try json())
        case .binary: return .binary(try bytes(encoding))
        case .transformable:
            // A transformable column has no type other than SQLite's storage classes.
            return Value(value.stored(in: arena), type: .transformable)
        case .date:
            guard let moment = try moment(dateFormat) else { throw .notADate }
            return .date(DateFormat.seconds(fromMicroseconds: moment))
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean,
            .uuid, .uri:
            return Value(try scalar(for: type).stored(type, in: arena), type: type)
        }
    }

    private func moment(_ format: DateFormat) throws(CoercionFailure) -> Int64? {
        let scalar = try scalar(for: .date)
        guard scalar.kind == .string || scalar.kind == .number else { return nil }
        if let moment = format.microseconds(from: scalar.bytes) { return moment }
        // A local string may be in a common format, whichever format the service uses.
        return scalar.kind == .string ? DateFormat.automatic(scalar.bytes) : nil
    }

    static func moment(_ seconds: Double) throws(CoercionFailure) -> Int64 {
        guard let moment = DateFormat.microseconds(fromSeconds: seconds) else {
            throw .outOfRange(.date)
        }
        return moment
    }

    /// Returns the value in the form in which a service would send it.
    private func scalar(for type: AttributeType) throws(CoercionFailure) -> Scalar {
        switch value {
        case .integer(let number): return Scalar(.number, bytes: arena.copy(String(number)))
        case .double(let number):
            guard number.isFinite else { throw type == .string ? .notAText : .notANumber }
            return Scalar(.number, bytes: arena.copy("\(number)"))
        case .boolean(let flag):
            return Scalar(flag ? .true : .false, bytes: arena.copy(flag ? "true" : "false"))
        case .decimal(let text):
            return Scalar(type == .string ? .string : .number, bytes: arena.copy(text))
        case .string(let text), .uuid(let text), .uri(let text):
            return Scalar(.string, bytes: arena.copy(text))
        case .date(let seconds):
            let text = DateFormat.automatic.string(from: try Self.moment(seconds))
            return Scalar(.string, bytes: arena.copy(text))
        case .json(let text):
            return try Self.document(text).withRoot { root in
                let scalar = Scalar(root, in: arena)
                return Scalar(scalar.kind, bytes: arena.copy(scalar.bytes))
            }
        case .null, .binary: return Scalar(.object, bytes: arena.copy(""))
        }
    }

    private static func document(_ text: String) throws(CoercionFailure) -> JSONDocument {
        do throws(JSONError) {
            return try JSONDocument(Array(text.utf8))
        } catch {
            throw .notJSON
        }
    }

    /// Returns the value as compact JSON text.
    ///
    /// Types that JSON does not have become strings.
    private func json() throws(CoercionFailure) -> String {
        if case .json(let text) = value {
            return try Self.document(text).withRoot { root in
                String(decoding: root.compactText(in: arena), as: UTF8.self)
            }
        }
        if case .binary = value { throw .notJSON }
        let scalar = try scalar(for: .json)
        guard scalar.kind == .string else { return String(decoding: scalar.bytes, as: UTF8.self) }
        var writer = JSONWriter()
        writer.string(scalar.bytes)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func bytes(_ encoding: Attribute.BinaryEncoding) throws(CoercionFailure) -> [UInt8] {
        if case .binary(let bytes) = value { return bytes }
        switch encoding {
        case .json: return Array(try json().utf8)
        case .base64:
            let scalar = try scalar(for: .binary)
            guard scalar.kind == .string, let bytes = Base64.decode(scalar.bytes, in: arena) else {
                throw .notBase64
            }
            return Array(bytes)
        }
    }
}
