import TidemarkJSON
import TidemarkModel

/// How an object is imported, as far as that depends on where the document contains it.
struct ObjectContext {
    /// The allowed operations on the object's row.
    var operations: ImportOperations

    /// The object's row, if its key does not identify it.
    var row = Row.byKey

    /// The link to the object that contains it.
    var parent: ParentLink?

    /// Whether the object itself names its entity.
    var isTyped = false

    /// Whether the object is an item of the document.
    var isItem = false

    /// Whether the object has all properties that are not null: see ``ImportOptions/omitsNulls``.
    ///
    /// Objects without a key that a whole object contains are parts of its value, and whole as
    /// well. Those with a key may be summaries of what their own list contains.
    var isWhole = false

    /// Whether only the to-many lists are imported that the run has chosen: see
    /// ``ImportRun/chosenLists``.
    var hasChosenLists = false

    /// Whether the object is imported after the whole document has been read.
    var isPostponed = false

    /// Whether the object is an element of a to-many list that is imported.
    ///
    /// It is then reported if the operations do not allow writing it.
    var isListed = false

    /// Whether the object is embedded in another list although its entity has a list of its own.
    ///
    /// Only that list inserts rows.
    var isWithheld = false

    /// Whether the object's row may be inserted or updated.
    var mayWrite: Bool { !operations.isDisjoint(with: [.insert, .update]) }

    /// The allowed operations on the object of a to-one relationship.
    ///
    /// It belongs to the row, so it is written whenever the row is.
    var operationsOnOne: ImportOperations {
        mayWrite ? operations.union([.insert, .update]) : []
    }

    /// The row of an object.
    enum Row {
        /// The row with the object's key.
        case byKey
        /// This row: the object contains no part of a key.
        case number(Int64)
        /// This row, which has the object's position in a list of objects without a key, or its
        /// unique value.
        ///
        /// If the object is rejected it has no row, because objects nested in it would be written
        /// to another object's row.
        case atPosition(Int64)
        /// The same row.
        ///
        /// If the object is rejected, however, the row belongs to another object, because there are
        /// no more rows than objects that follow.
        case candidate(Int64)
        /// A new row.
        case new

        /// Whether the row is only presumed to be the object's, because of its position in a list.
        var isPresumed: Bool {
            switch self {
            case .atPosition, .candidate: true
            case .byKey, .number, .new: false
            }
        }
    }

    /// The link from an object to the object that contains it.
    struct ParentLink {
        /// The index of the inverse relationship, in the plan of the contained object's entity.
        let relationship: Int

        /// The containing row, if the link is stored in the contained row.
        ///
        /// Otherwise nil: the object's own list of this relationship only adds links, because the
        /// container's list specifies the members.
        var row: Int64?

        /// The key of the containing row as its own object contains it, if it is one value.
        ///
        /// It recognizes a child that names its parent without a query.
        var key: StoredValue?
    }
}

/// An object that has to be imported before the object that contains it can continue.
struct NestedObject {
    let node: JSONNode
    let entity: EntityImport
    var context: ObjectContext

    /// The parent that is part of the object's key but has no row.
    var unstoredParent: UnstoredParent?

    /// A parent without a row.
    struct UnstoredParent {
        /// The index of the relationship to the parent, in the plan of the object's entity.
        let relationship: Int

        /// The primary key of the parent.
        let key: [StoredValue]
    }
}

/// The result of importing an object.
enum ImportedObject {
    /// The object has this row.
    ///
    /// A row is left unchanged if the object breaks a rule: it then lacks the link to the object
    /// that contains it.
    case row(Int64, isUnchanged: Bool)

    /// The object has no row, because it was rejected or must not be inserted.
    ///
    /// The object that contains it gets an unresolved reference to this key, unless the key is
    /// empty.
    case rejected(key: [StoredValue])

    /// The object has no usable key, so that it may be any row.
    case unidentified

    /// Whether the object was stored, or equals what is stored.
    var isStored: Bool {
        if case .row(_, isUnchanged: false) = self { true } else { false }
    }

    /// The row number; nil if the object has no row.
    var row: Int64? {
        if case .row(let number, _) = self { number } else { nil }
    }
}
