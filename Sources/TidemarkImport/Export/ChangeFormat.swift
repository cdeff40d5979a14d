import Foundation
package import TidemarkModel
package import TidemarkStore

/// How the properties of a row are written in a request that changes its object.
///
/// An export writes what an import reads. A request contains what the service expects: it may spell
/// names and write references, missing values and dates in a way of its own.
package struct ChangeFormat: Sendable {
    /// How references to other objects are written.
    package var references = References.keys

    /// How the lack of a value is written.
    package var nulls = Nulls.explicit

    /// How linked rows without a primary key are embedded.
    package var embedding = ExportOptions.Relationships.objects

    /// The names of members that the service's objects have, and the forms of their values, by
    /// entity.
    ///
    /// A value is written in the form in which the service writes it.
    package var names: [String: ObservedNames] = [:]

    /// Whether a property is written under the name under which the service sends it.
    ///
    /// Others have the name of the options.
    package var spellsAsObserved = true

    /// Returns what is written for a row without a key; nil if links to it are left out.
    ///
    /// Only a request that is shown, and not sent, contains it.
    package var unknownKey: (@Sendable (RowReference) -> String)?

    /// How references to other objects are written.
    package enum References: Sendable {
        /// The key.
        case keys
        /// As in the service's own objects: the key, an object with it, or the URL of the object.
        case observed(url: URLMaker)
        /// The URL of the object, by its entity and the values of its key as text.
        case urls(URLMaker)
        /// A pointer of Parse with the class of an entity. Dates and bytes have types, too.
        ///
        /// Source: Parse REST API, “Data Types”.
        case pointers(type: @Sendable (_ entity: String) -> String)
        /// A resource identifier of JSON:API with the type of an entity, apart from the attributes.
        ///
        /// Source: JSON:API 1.1, “Resource Linkage”.
        case linkage(type: @Sendable (_ entity: String) -> String)
    }

    /// Returns the URL of an object; nil if it has none.
    package typealias URLMaker = @Sendable (_ entity: String, _ key: [String]) throws -> String?

    /// How the lack of a value is written.
    package enum Nulls: Sendable {
        /// As `null`.
        case explicit
        /// By leaving the member out.
        case omitted
        /// As an operation of Parse: `{"__op": "Delete"}`.
        case operation
    }

    /// Creates the format of a service that expects objects as it sends them.
    package init() {}

    /// Whether values have types, as those of Parse.
    var isTyped: Bool { if case .pointers = references { true } else { false } }

    /// Whether links are apart from the attributes, as those of JSON:API.
    var isLinkage: Bool { if case .linkage = references { true } else { false } }

    /// Whether references are as in the service's own objects.
    var isObserved: Bool { if case .observed = references { true } else { false } }

    /// Whether references are those of an export.
    var hasKeys: Bool {
        switch references {
        case .keys, .observed: true
        case .urls, .pointers, .linkage: false
        }
    }

    /// Returns the lack of a value.
    ///
    /// - Parameter isOwn: Whether it is a member of the object itself, and not of one within it.
    /// - Returns: What a request contains.
    func null(isOwn: Bool) -> ExportTree {
        switch nulls {
        case .explicit: .null
        case .operation where isOwn: .object(["__op": "Delete"])
        case .omitted, .operation: .removed
        }
    }

    /// The lack of a linked row.
    var nullLink: ExportTree {
        switch references {
        // A pointer cannot be null.
        case .pointers where nulls != .omitted: .object(["__op": "Delete"])
        case .linkage where nulls != .omitted: data(.null)
        case .keys, .observed, .urls, .pointers, .linkage: null(isOwn: true)
        }
    }

    /// Returns a reference to an object; nil if it cannot be written.
    func reference(to entity: String, key: [String]) throws -> ExportTree? {
        switch references {
        case .keys, .observed: nil
        case .urls(let url): try url(entity, key).map { .string($0) }
        case .pointers(let type):
            key.count == 1
                ? .object(["__type": "Pointer", "className": type(entity), "objectId": key[0]])
                : nil
        case .linkage(let type):
            key.count == 1 ? .object(["type": type(entity), "id": key[0]]) : nil
        }
    }

    /// Returns the value of a relationship: one reference, or a list of them.
    func links(_ references: [ExportTree], isToMany: Bool) -> ExportTree? {
        let value = isToMany ? .array(references) : references.first
        return value.map { isLinkage ? data($0) : $0 }
    }

    private func data(_ value: ExportTree) -> ExportTree {
        var members = ExportTree.Members()
        // Next to its links and metadata.
        members.isPart = true
        members.add(value, at: "data")
        return .object(members)
    }
}

extension Value {
    /// The value of a key as text: in a URL, and in references that are texts.
    package var requestText: String {
        switch self {
        case .null: ""
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .uuid(let text): text.lowercased()
        case .decimal(let text), .string(let text), .uri(let text), .json(let text): text
        case .date(let seconds):
            DateFormat.microseconds(fromSeconds: seconds).map {
                DateFormat.iso8601(.whenNeeded).string(from: $0)
            } ?? ""
        case .binary(let bytes): Data(bytes).base64EncodedString()
        }
    }
}
