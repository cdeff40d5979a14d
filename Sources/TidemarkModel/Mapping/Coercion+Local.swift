import TidemarkJSON

extension Coercion {
    /// Converts a local value by the rules for JSON values.
    static func local(
        _ value: Value,
        _ type: AttributeType,
        _ encoding: Attribute.BinaryEncoding,
        _ dateFormat: DateFormat
    ) throws(CoercionFailure) -> Value {
        if value == .null { return .null }
        return try ValueArena.lasting { arena throws(CoercionFailure) in
            try local(value, type, encoding, dateFormat, arena)
        }
    }

    private static func local(
        _ value: Value,
        _ type: AttributeType,
        _ encoding: Attribute.BinaryEncoding,
        _ dateFormat: DateFormat,
        _ arena: ValueArena
    ) throws(CoercionFailure) -> Value {
        switch type {
        case .json: return .json(try json(of: value, arena))
        case .binary: return .binary(try bytes(of: value, encoding, arena))
        case .transformable:
            // A transformable column has no type other than SQLite's storage classes.
            return Value(value.stored(in: arena), type: .transformable)
        case .date:
            guard let moment = try moment(value, dateFormat, arena) else { throw .notADate }
            return .date(DateFormat.seconds(fromMicroseconds: moment))
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean,
            .uuid,
            .uri:
            let scalar = try scalar(value, for: type, arena)
            return Value(try scalar.stored(type, in: arena), type: type)
        }
    }

    private static func moment(
        _ value: Value,
        _ format: DateFormat,
        _ arena: ValueArena
    ) throws(CoercionFailure) -> Int64? {
        if case .date(let seconds) = value {
            guard let moment = DateFormat.microseconds(fromSeconds: seconds) else {
                throw .outOfRange(.date)
            }
            return moment
        }
        let scalar = try scalar(value, for: .date, arena)
        guard scalar.kind == .string || scalar.kind == .number else { return nil }
        if let moment = format.microseconds(from: scalar.bytes) { return moment }
        // A local string may be in a common format, whichever format the service uses.
        return scalar.kind == .string ? DateFormat.automatic(scalar.bytes, nil) : nil
    }

    /// Returns a local value in the form in which a service would send it.
    private static func scalar(
        _ value: Value,
        for type: AttributeType,
        _ arena: ValueArena
    ) throws(CoercionFailure) -> Scalar {
        switch value {
        case .integer(let number): Scalar(.number, arena.copy(String(number)))
        case .double(let number):
            if number.isFinite {
                Scalar(.number, arena.copy("\(number)"))
            } else {
                throw type == .string ? .notAText : .notANumber
            }
        case .boolean(let flag): Scalar(flag ? .true : .false, arena.copy(flag ? "true" : "false"))
        case .decimal(let text): Scalar(type == .string ? .string : .number, arena.copy(text))
        case .string(let text), .uuid(let text), .uri(let text): Scalar(.string, arena.copy(text))
        case .date(let seconds): try dateText(seconds, arena)
        case .json(let text): try jsonScalar(text, arena)
        case .null, .binary: Scalar(.object, arena.copy(""))
        }
    }

    private static func dateText(
        _ seconds: Double,
        _ arena: ValueArena
    ) throws(CoercionFailure) -> Scalar {
        guard let moment = DateFormat.microseconds(fromSeconds: seconds) else {
            throw .outOfRange(.date)
        }
        return Scalar(.string, arena.copy(DateFormat.automatic.string(from: moment)))
    }

    private static func jsonScalar(
        _ text: String,
        _ arena: ValueArena
    ) throws(CoercionFailure) -> Scalar {
        let document = try document(text)
        return document.withRoot { root in
            let scalar = Scalar(root, in: arena)
            return Scalar(scalar.kind, arena.copy(scalar.bytes))
        }
    }

    private static func document(_ text: String) throws(CoercionFailure) -> JSONDocument {
        do throws(JSONError) {
            return try JSONDocument(Array(text.utf8))
        } catch {
            throw .notJSON
        }
    }

    /// Returns a local value as compact JSON text.
    ///
    /// Types that JSON does not have become strings.
    private static func json(
        of value: Value,
        _ arena: ValueArena
    ) throws(CoercionFailure) -> String {
        if case .json(let text) = value {
            return try document(text).withRoot { root in
                String(decoding: root.compactText(in: arena), as: UTF8.self)
            }
        }
        if case .binary = value { throw .notJSON }
        let scalar = try scalar(value, for: .json, arena)
        guard scalar.kind == .string else { return String(decoding: scalar.bytes, as: UTF8.self) }
        var writer = JSONWriter()
        writer.string(scalar.bytes)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func bytes(
        of value: Value,
        _ encoding: Attribute.BinaryEncoding,
        _ arena: ValueArena
    ) throws(CoercionFailure) -> [UInt8] {
        if case .binary(let bytes) = value { return bytes }
        switch encoding {
        case .json: return Array(try json(of: value, arena).utf8)
        case .base64:
            let scalar = try scalar(value, for: .binary, arena)
            guard scalar.kind == .string, let bytes = Base64.decode(scalar.bytes, in: arena) else {
                throw .notBase64
            }
            return Array(bytes)
        }
    }
}
