package import GRDB
package import TidemarkJSON
import TidemarkModel
package import TidemarkStore

/// What single objects show about the way in which their service writes them.
extension Importer {
    /// Returns the names and forms of one object, such as one that was read before it is changed.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - entity: The entity of its row.
    /// - Returns: The names and forms.
    /// - Throws: `ModelError` if the model is invalid; `StoreError` if it lacks the entity.
    package func observed(in object: JSONNode, of entity: String) throws -> ObservedNames {
        let plan = try plans.plan(store.layout.index(ofEntity: entity))
        var reader = ObjectForms(plan)
        reader.read(object, in: plan.names, at: [])
        return reader.names
    }

    /// Returns the names and forms that are recorded in the store and proven, by entity.
    package func observedNames(_ db: Database) throws -> [String: ObservedNames] {
        let names = try ObservedNames.read(db)
        return Dictionary(
            uniqueKeysWithValues: try names.map { entity, names in
                (entity, try withProvenDays(db, names, of: entity))
            }
        )
    }

    /// Returns names and forms without those of days that are not proven.
    ///
    /// Where few values were seen, the service may write a day for midnight, and times otherwise.
    /// Then all rows of the store have to be days, except for those that were changed here.
    ///
    /// - Parameters:
    ///   - db: A connection.
    ///   - names: The names and forms.
    ///   - entity: The entity.
    /// - Returns: The names and forms.
    /// - Throws: `ModelError` if the model is invalid; `DatabaseError`.
    package func withProvenDays(
        _ db: Database,
        _ names: ObservedNames,
        of entity: String
    ) throws -> ObservedNames {
        var proven = names
        for (name, form) in names.forms {
            guard case .date(let date) = form.form, date.isDay, form.count < ObservedForm.proof,
                let index = store.layout.index(of: entity)
            else { continue }
            let plan = try plans.plan(index)
            guard let slot = plan.mapping.target(at: name)?.attribute else { continue }
            let table = store.layout.tables[plan.entity.table]
            let column = table.columns[plan.slots[slot].column].name.quotedDatabaseIdentifier
            let hasTimes = try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM (SELECT \(column) AS value \
                        FROM \(table.name.quotedDatabaseIdentifier) \
                        WHERE \(column) IS NOT NULL AND _id NOT IN \
                        (SELECT row FROM _tidemark_change WHERE tree = ?) LIMIT 1000) \
                        WHERE value / 86400 != CAST(value / 86400 AS INTEGER))
                        """
                ),
                arguments: [table.name]
            )
            if hasTimes == true { proven.forms[name] = nil }
        }
        return proven
    }
}

/// Reads the names and forms of one object.
private struct ObjectForms {
    let plan: ImportPlan

    /// The mapping of the plan, which is used for each member.
    private let mapping: EntityMapping

    private(set) var names = ObservedNames()

    init(_ plan: ImportPlan) {
        self.plan = plan
        mapping = plan.mapping
        names.all.reserveCapacity(mapping.attributes.count)
        names.forms.reserveCapacity(mapping.attributes.count)
    }

    /// Reads the members of an object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - table: The names of its members.
    ///   - path: The names of the members that lead to it.
    mutating func read(_ object: JSONNode, in table: NameTable, at path: [String]) {
        for (name, value) in object.members {
            let name = name.string
            read(value, named: name, in: table, at: path + [name])
        }
    }

    private mutating func read(
        _ value: JSONNode,
        named name: String,
        in table: NameTable,
        at path: [String]
    ) {
        var text = name
        let found = text.withUTF8 { table.index(of: UnsafeRawBufferPointer($0)) }
        let full = JSONPath(path).description
        if let found, table.targets[found].nested >= 0 {
            let nested = table.nested[Int(table.targets[found].nested)]
            switch value.kind {
            case .object: read(value, in: nested, at: path)
            case .array:
                for (index, element) in value.elements.enumerated() {
                    read(element, named: String(index), in: nested, at: path + [String(index)])
                }
            case .string, .number, .true, .false, .null: break
            }
            let isObject = value.kind == .object || value.kind == .array
            if path.count == 1, isObject, table.targets[found].relationship < 0 {
                let areMapped = value.kind == .object && nested.maps(value)
                names.forms[full] = ObservedForm(.members(areMapped: areMapped))
            }
            // The value is in the object under the name, not the object itself.
            guard table.targets[found].relationship >= 0 else { return }
        }
        // A name of the object itself may have another spelling.
        let target =
            path.count == 1
            ? mapping.target(at: full) : mapping.names[ByteExactString(full)]
        guard let target else { return }
        add(value, of: target, as: full, isNested: path.count > 1)
    }

    private mutating func add(
        _ value: JSONNode,
        of target: EntityMapping.Target,
        as name: String,
        isNested: Bool
    ) {
        if !isNested {
            names.all.insert(name)
            let isEmptyList = value.kind == .array && value.firstChild == value.next
            if value.kind == .null || isEmptyList { names.empty.insert(name) }
        }
        if let slot = target.attribute {
            let attribute = mapping.attributes[slot].attribute
            let form = attribute.hasObservedForm ? ValueForm(of: value, type: attribute.type) : nil
            if let form { names.forms[name] = ObservedForm(form) }
        }
        guard let index = target.relationship else { return }
        let element = value.kind == .array ? value.elements.first { _ in true } : value
        guard let element else { return }
        if element.kind == .object {
            // A pointer of Parse has a type, and is a reference.
            if target.keyPart == nil, element.member("__type") == nil, !isNested,
                !plan.relationships[index].leadsToKeyless
            {
                names.embedded.insert(name)
            }
            return
        }
        let isNumeric = plan.relationships[index].key == .integer
        if let form = ValueForm(ofReference: element, isNumeric: isNumeric) {
            names.forms[name] = ObservedForm(form)
        }
    }
}

extension NameTable {
    /// Returns whether all members of an object are stored.
    fileprivate func maps(_ object: JSONNode) -> Bool {
        object.members.allSatisfy { name, value in
            var text = name.string
            let index = text.withUTF8 { self.index(of: UnsafeRawBufferPointer($0)) }
            guard let target = index.map({ targets[$0] }), target.isMapped else { return false }
            guard target.nested >= 0 else { return true }
            return value.kind != .array
                && (value.kind != .object || nested[Int(target.nested)].maps(value))
        }
    }
}
