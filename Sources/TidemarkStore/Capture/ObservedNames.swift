package import GRDB
package import TidemarkModel

/// The names of members that the objects of a service have, as the service spells them, and the
/// forms of their values.
///
/// A request has to spell them in the same way: a service that is sent `due_date` instead of its
/// `dueDate` would ignore it, or get a second member. Many services reject a number where their
/// own objects have a text.
package struct ObservedNames: Hashable, Sendable {
    /// The names, as key paths have them: a name that contains dots is in quotation marks.
    package var all: Set<String> = []

    /// Those whose values are whole objects with a primary key.
    package var embedded: Set<String> = []

    /// Those that were null or an empty list: the service does not leave out what is missing.
    package var empty: Set<String> = []

    /// The forms of the values by name, or by key path for a value within an object.
    package var forms: [String: ObservedForm] = [:]

    /// Creates names.
    package init() {}

    /// Whether nothing was observed.
    package var isEmpty: Bool { all.isEmpty && forms.isEmpty }

    /// Returns the names and forms of both: the finest form of each value.
    ///
    /// - Parameter later: What was observed later.
    /// - Returns: The names and forms.
    package func joined(with later: ObservedNames) -> ObservedNames {
        var joined = self
        joined.all.formUnion(later.all)
        // An object without a linked one shows nothing about its form.
        joined.embedded.formUnion(later.embedded)
        joined.empty.formUnion(later.empty)
        joined.forms.merge(later.forms) { $0.joined(with: $1) }
        return joined
    }

    /// Returns the form of an attribute's values; nil if it was not observed.
    ///
    /// - Parameters:
    ///   - index: The index of the attribute in the mapping.
    ///   - mapping: The names of the entity's members.
    /// - Returns: The form.
    package func form(ofAttribute index: Int, in mapping: EntityMapping) -> ValueForm? {
        forms.filter { mapping.target(at: $0.key)?.attribute == index }
            .min { $0.key < $1.key }?.value.form
    }

    /// Returns the comparison of what was sent of an attribute with what the service shows.
    ///
    /// - Parameters:
    ///   - attribute: The name of the attribute.
    ///   - mapping: The names of the entity's members.
    /// - Returns: The comparison; nil if the entity lacks the attribute.
    package func comparison(of attribute: String, in mapping: EntityMapping) -> ValueComparison? {
        guard let index = mapping.attributes.firstIndex(where: { $0.name == attribute }) else {
            return nil
        }
        return ValueComparison(
            type: mapping.attributes[index].attribute.type,
            form: form(ofAttribute: index, in: mapping)
        )
    }

    /// Returns how an object is changed that was read: as the object itself shows it.
    ///
    /// - Parameter object: The names and forms of the object.
    /// - Returns: The names and forms of the request.
    package func outranked(by object: ObservedNames) -> ObservedNames {
        var result = joined(with: object)
        // A reference of the object itself is a key.
        result.embedded.subtract(object.forms.keys)
        result.embedded.formUnion(object.embedded)
        for (name, form) in object.forms {
            guard let stored = forms[name] else { continue }
            result.forms[name] = ObservedForm(
                form.form.outranking(stored.form),
                count: max(form.count, stored.count)
            )
        }
        return result
    }
}

extension ObservedNames {
    /// The forms in words, by name, without those that JSON itself suggests.
    package var described: [String: String] {
        let objects = embedded.map { ($0, "object with the key") }
        let values = forms.filter(\.value.form.isNotable).map { ($0.key, "\($0.value.form)") }
        return Dictionary(objects + values, uniquingKeysWith: { $1 })
    }
}

/// The form of a member's values, and by how many values it is known.
package struct ObservedForm: Hashable, Sendable {
    /// The finest form.
    package var form: ValueForm

    /// The number of values, up to ``proof``.
    package var count: Int

    /// How many values prove that a service writes days where it could write times.
    package static let proof = 20

    package init(_ form: ValueForm, count: Int = 1) {
        self.form = form
        self.count = count
    }

    func joined(with later: ObservedForm) -> ObservedForm {
        ObservedForm(
            form.joined(with: later.form),
            count: min(count + later.count, Self.proof)
        )
    }
}

// MARK: The store

extension ObservedNames {
    /// Records names and forms of an entity's objects, if the store records local changes.
    ///
    /// - Parameters:
    ///   - db: A connection, inside a write transaction.
    ///   - names: The names, by entity.
    /// - Throws: `DatabaseError`.
    package static func add(_ db: Database, _ names: [String: ObservedNames]) throws {
        guard try Capture.isInstalled(db) else { return }
        let known = try read(db)
        for (entity, names) in names.sorted(by: { $0.key < $1.key }) {
            let stored = known[entity] ?? ObservedNames()
            let joined = stored.joined(with: names)
            for name in joined.names(differingFrom: stored).sorted() {
                try joined.write(db, name, of: entity)
            }
        }
    }

    /// Replaces the form of one member, as a response has shown it.
    package static func set(
        _ db: Database,
        _ form: ValueForm,
        of name: String,
        in entity: String
    ) throws {
        var names = try read(db)[entity] ?? ObservedNames()
        names.forms[name] = ObservedForm(form)
        try names.write(db, name, of: entity)
    }

    private func names(differingFrom other: ObservedNames) -> Set<String> {
        all.subtracting(other.all).union(embedded.subtracting(other.embedded))
            .union(empty.subtracting(other.empty))
            .union(forms.filter { other.forms[$0.key] != $0.value }.keys)
    }

    private func write(_ db: Database, _ name: String, of entity: String) throws {
        let form = forms[name]
        try db.cachedStatement(
            sql: """
                INSERT INTO _tidemark_name (entity, name, isEmbedded, form, seen, isEmpty) \
                VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE \
                SET isEmbedded = ?3, form = ?4, seen = ?5, isEmpty = ?6
                """
        ).execute(arguments: [
            entity, name, embedded.contains(name), form?.form.stored, form?.count ?? 0,
            empty.contains(name),
        ])
    }

    /// Returns what is recorded, by entity.
    package static func read(_ db: Database) throws -> [String: ObservedNames] {
        guard try Capture.isInstalled(db) else { return [:] }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT entity, name, isEmbedded, form, seen, isEmpty FROM _tidemark_name"
            )
        )
        return rows.reduce(into: [:]) { names, row in
            names[row[0], default: ObservedNames()].add(row)
        }
    }

    private mutating func add(_ row: Row) {
        let name: String = row[1]
        let form = (row[3] as String?).flatMap(ValueForm.init(stored:))
        if let form { forms[name] = ObservedForm(form, count: row[4]) }
        // Key paths lead through the value, or to it.
        if case .members = form { return }
        guard !name.isNestedKeyPath else { return }
        all.insert(name)
        if row[2] { embedded.insert(name) }
        if row[5] { empty.insert(name) }
    }
}
