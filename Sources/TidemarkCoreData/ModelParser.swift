import Foundation
import TidemarkModel

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Parses the XML in the `contents` file of a Core Data model.
///
/// Documents with a document type declaration are rejected: no model has one, and entities allow a
/// small file to expand to any size or to include other files.
final class ModelParser: NSObject, XMLParserDelegate {
    /// The maximum nesting depth of elements; Xcode uses five levels.
    private static let depthLimit = 64

    /// The name of the file in messages.
    private let name: String

    /// The model as parsed so far.
    private(set) var model = Model()

    /// The error that stopped the parser, or nil.
    private var failure: ModelError?

    /// The names of the open elements, outermost first.
    private var path: [String] = []

    /// The annotations of the open entity, attribute or relationship.
    var annotations = Annotations()

    /// The annotations of the open entity, saved while those of a property are parsed.
    var entityAnnotations = Annotations()

    var entity: EntityDescription?
    var attribute: Attribute?
    var relationship: Relationship?
    var constraint: [String]?
    var index: FetchIndex?
    var indexIsSupported = true

    private init(name: String) {
        self.name = name
    }

    /// Parses the data of a `contents` file.
    ///
    /// - Throws: `ModelError` with the line and column.
    static func model(from data: Data, named name: String) throws -> Model {
        try requireXML(data, named: name)
        let delegate = ModelParser(name: name)
        let parser = XMLParser(data: data)
        parser.shouldResolveExternalEntities = false
        parser.delegate = delegate
        let isWhole = parser.parse()
        if let failure = delegate.failure { throw failure }
        guard isWhole else {
            throw ModelError(
                .unreadable,
                "“\(name)” is not XML.",
                hint: "Check that the file is whole."
            )
        }
        return delegate.model
    }

    /// Rejects data that is not plain XML in UTF-8 before it is passed to the parser.
    private static func requireXML(_ data: Data, named name: String) throws {
        if data.starts(with: Data("bplist".utf8)) || data.starts(with: Data("momv".utf8)) {
            throw ModelError(
                .unreadable,
                "“\(name)” is a compiled model.",
                hint: "Give the .xcdatamodeld it was made from."
            )
        }
        if data.starts(with: Data("SQLite format 3\0".utf8)) {
            throw ModelError(
                .unreadable,
                "“\(name)” is a SQLite database.",
                hint: "If it is a store, `tidemark model show --store` prints its model."
            )
        }
        guard String(data: data, encoding: .utf8) != nil, !data.contains(0),
            declaresUTF8(data.prefix(200))
        else {
            throw ModelError(
                .unreadable,
                "“\(name)” is not XML in UTF-8.",
                hint: "Give an .xcdatamodeld, an .xcdatamodel or the “contents” file inside it."
            )
        }
        guard data.range(of: Data("<!DOCTYPE".utf8)) == nil,
            data.range(of: Data("<!ENTITY".utf8)) == nil
        else {
            throw ModelError(
                .unreadable,
                "“\(name)” has a document type, which no model has.",
                hint: "Save the model in Xcode again."
            )
        }
        guard !hasInstruction(data) else {
            throw ModelError(
                .unreadable,
                "“\(name)” has a processing instruction, which no model has.",
                hint: "Save the model in Xcode again."
            )
        }
    }

    /// Returns whether there are processing instructions in addition to the XML declaration.
    ///
    /// Foundation's parser on Linux crashes if an instruction consists of only a target.
    private static func hasInstruction(_ data: Data) -> Bool {
        let start = data.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let head = data.dropFirst(start)
        let isDeclared =
            head.starts(with: Data("<?xml".utf8))
            && head.dropFirst(5).first.map { $0 <= 0x20 } == true
        return head.dropFirst(isDeclared ? 2 : 0).range(of: Data("<?".utf8)) != nil
    }

    private static func declaresUTF8(_ head: Data) -> Bool {
        let text = String(decoding: head, as: UTF8.self)
        guard text.drop(while: { $0 == "\u{FEFF}" }).hasPrefix("<?xml"),
            let end = text.range(of: "?>"), let mark = text.range(of: "encoding"),
            mark.upperBound < end.lowerBound
        else { return true }
        let declared = text[mark.upperBound..<end.lowerBound].lowercased()
        return declared.contains("utf-8") || declared.contains("ascii")
    }

    // MARK: XMLParserDelegate

    func parser(
        _ parser: XMLParser,
        didStartElement element: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard failure == nil else { return }
        path.append(element)
        guard path.count <= Self.depthLimit else {
            return stop(
                parser,
                with: ModelError(.unreadable, "Elements are nested deeper than in any model.")
            )
        }
        do {
            try start(path.joined(separator: "/"), fields: attributes)
        } catch let error as ModelError {
            stop(parser, with: error)
        } catch {
            stop(parser, with: ModelError(.invalid, "\(error)"))
        }
    }

    func parser(
        _ parser: XMLParser,
        didEndElement element: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard failure == nil else { return }
        do {
            try end(path.joined(separator: "/"))
            path.removeLast()
        } catch let error as ModelError {
            stop(parser, with: error)
        } catch {
            stop(parser, with: ModelError(.invalid, "\(error)"))
        }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        // Aborting the parser also reports an error, which must not replace its cause.
        guard failure == nil else { return }
        failure = ModelError(
            .unreadable,
            "“\(name)”, \(position(parser)): this is not well-formed XML.",
            hint: "Check that the file is whole."
        )
    }

    /// Stops the parser with an error, and adds the file, line and column to its message.
    private func stop(_ parser: XMLParser, with error: ModelError) {
        guard failure == nil else { return }
        failure = ModelError(
            error.code,
            "“\(name)”, \(position(parser)): \(error.message)",
            hint: error.hint
        )
        parser.abortParsing()
    }

    private func position(_ parser: XMLParser) -> String {
        "line \(parser.lineNumber), column \(parser.columnNumber)"
    }

    /// Adds a complete entity to the model.
    func add(_ entity: EntityDescription) {
        model.entities.append(entity)
    }
}
