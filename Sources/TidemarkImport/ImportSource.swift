public import Foundation
public import TidemarkJSON

/// A JSON text that an import reads: bytes, a string, or a file.
///
/// `Data`, `[UInt8]`, `String` and `URL` are sources. A URL must be that of a file, which is read
/// in parts, so that its length does not matter; request what is on the network first, or let a
/// `SyncEngine` pull it. Conform a type of your own to read another container.
///
/// ```swift
/// try store.import(#"[{"id": 1, "name": "Ada"}]"#, as: User.self)
/// try store.import(URL(filePath: "users.json"), as: User.self)
/// ```
public protocol ImportSource: Sendable {
    /// Returns a reader of the items at a path.
    ///
    /// - Parameters:
    ///   - path: The path of the items; empty if the text itself is the list or the object.
    ///   - limits: The maximum depth of the text, and size of an item.
    /// - Returns: The reader.
    /// - Throws: ``ImportError/Code/unreadableSource`` if the source cannot be opened.
    func items(at path: JSONPath, limits: JSONLimits) throws -> JSONItemReader
}

extension [UInt8]: ImportSource {
    /// Returns a reader of the items at a path in the bytes.
    ///
    /// - Parameters:
    ///   - path: The path of the items.
    ///   - limits: The maximum depth of the text, and size of an item.
    /// - Returns: The reader.
    public func items(at path: JSONPath, limits: JSONLimits) -> JSONItemReader {
        JSONItemReader(self, at: path, limits: limits)
    }
}

extension Data: ImportSource {
    /// Returns a reader of the items at a path in the data.
    ///
    /// - Parameters:
    ///   - path: The path of the items.
    ///   - limits: The maximum depth of the text, and size of an item.
    /// - Returns: The reader.
    public func items(at path: JSONPath, limits: JSONLimits) -> JSONItemReader {
        JSONItemReader(self, at: path, limits: limits)
    }
}

extension String: ImportSource {
    /// Returns a reader of the items at a path in the text.
    ///
    /// - Parameters:
    ///   - path: The path of the items.
    ///   - limits: The maximum depth of the text, and size of an item.
    /// - Returns: The reader.
    public func items(at path: JSONPath, limits: JSONLimits) -> JSONItemReader {
        JSONItemReader(Array(utf8), at: path, limits: limits)
    }
}

extension URL: ImportSource {
    /// Returns a reader of the items at a path in a file.
    ///
    /// - Parameters:
    ///   - path: The path of the items.
    ///   - limits: The maximum depth of the text, and size of an item.
    /// - Returns: The reader.
    /// - Throws: ``ImportError/Code/unreadableSource`` if the URL is not that of a file, or the
    ///   file cannot be opened; the reader throws it if the file cannot be read.
    public func items(at path: JSONPath, limits: JSONLimits) throws -> JSONItemReader {
        guard isFileURL else {
            throw ImportError(
                .unreadableSource,
                "\(absoluteString) is not the URL of a file.",
                hint: "Request it and import the body, or pull it with a SyncEngine."
            )
        }
        let file = try reading { try FileHandle(forReadingFrom: self) }
        return JSONItemReader(root: path, limits: limits) { buffer in
            try reading { try file.read(upToCount: buffer.count)?.copyBytes(to: buffer) ?? 0 }
        }
    }

    /// Runs a body that reads the file, and names the file in its error.
    private func reading<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            throw ImportError(
                .unreadableSource,
                "\(path) cannot be read: \(error.localizedDescription)"
            )
        }
    }
}

extension JSONItemReader {
    /// Creates a reader of the items at a path in bytes.
    fileprivate init<Bytes: DataProtocol>(
        _ bytes: Bytes,
        at path: JSONPath,
        limits: JSONLimits
    ) {
        var rest = bytes[...]
        self.init(root: path, limits: limits) { buffer in
            let part = rest.prefix(buffer.count)
            rest = rest.dropFirst(part.count)
            return part.copyBytes(to: buffer)
        }
    }
}
