import TidemarkJSON

/// Stored values that are not of the type of their attribute.
extension StoredValue {
    /// Returns why a stored value is not of a type; nil if it is, and for null.
    ///
    /// Another program may have stored whatever the column accepts: `1,5` for a decimal, 5 for a
    /// Boolean, `{bad` for JSON, or bytes that are not UTF-8.
    ///
    /// - Parameter type: The type of the attribute.
    /// - Returns: The failure.
    package func failure(as type: AttributeType) -> CoercionFailure? {
        switch self {
        case .null: nil
        case .integer(let number): Self.failure(of: number, as: type)
        case .real(let number): Self.failure(of: number, as: type)
        case .text(let bytes): Self.failure(of: bytes, as: type)
        case .blob: Self.failure(ofOtherClassAs: type, unless: type == .binary)
        }
    }

    private static func failure(of number: Int64, as type: AttributeType) -> CoercionFailure? {
        switch type {
        // A key may be wider than its type, and any integer is a number.
        case .integer16, .integer32, .integer64, .double, .float: nil
        case .boolean: 0...1 ~= number ? nil : .notABoolean
        case .decimal, .string, .date, .binary, .uuid, .uri, .transformable, .json:
            failure(ofOtherClassAs: type)
        }
    }

    private static func failure(of number: Double, as type: AttributeType) -> CoercionFailure? {
        switch type {
        case .double, .float: number.isFinite ? nil : .outOfRange(type)
        case .date:
            DateFormat.microseconds(fromSeconds: number) == nil ? .outOfRange(.date) : nil
        case .integer16, .integer32, .integer64, .decimal, .string, .boolean, .binary, .uuid,
            .uri, .transformable, .json:
            failure(ofOtherClassAs: type)
        }
    }

    private static func failure(
        of text: UnsafeRawBufferPointer,
        as type: AttributeType
    ) -> CoercionFailure? {
        guard String(decoding: text, as: UTF8.self).utf8.elementsEqual(text) else {
            return .notUTF8
        }
        switch type {
        case .string: return nil
        case .json: return isJSON(text) ? nil : .notJSON
        // Whether `1,500` has a fraction depends on who has written it.
        case .decimal where DecimalNumber(text)?.isGrouped == true: return .notANumber
        case .decimal, .uuid, .uri:
            do throws(CoercionFailure) {
                try ValueArena.lasting { arena throws(CoercionFailure) in
                    _ = try Scalar(.string, bytes: text).stored(type, in: arena)
                }
                return nil
            } catch {
                return error
            }
        case .integer16, .integer32, .integer64, .double, .float, .boolean, .date, .binary,
            .transformable:
            return failure(ofOtherClassAs: type)
        }
    }

    /// Returns why a value in another storage class than that of a type is not of the type.
    private static func failure(
        ofOtherClassAs type: AttributeType,
        unless isOwnClass: Bool = false
    ) -> CoercionFailure? {
        guard !isOwnClass else { return nil }
        return switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float: .notANumber
        case .boolean: .notABoolean
        case .date: .notADate
        case .uuid: .notAUUID
        case .uri: .notAURI
        case .json: .notJSON
        case .string, .binary: .notAText
        // Only its transformer knows what it stores.
        case .transformable: nil
        }
    }

    private static func isJSON(_ text: UnsafeRawBufferPointer) -> Bool {
        // Within the limits of the import that has stored it.
        var limits = JSONLimits()
        limits.depth = .max
        return (try? JSONDocument(Array(text), limits: limits)) != nil
    }
}
