import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// What the values of one entity's members have shown: whether they are whole objects, and in which
/// form the service writes them.
///
/// It is in the inner loop of an import: a reference is looked at only if its kind differs from
/// that of the one before.
final class MemberSample {
    private let plan: ImportPlan
    private let relationshipCount: Int

    /// The forms of attributes; nil if they are not recorded.
    private(set) var attributes: FormSample?

    /// Whether forms are recorded, for the requests of a push.
    private var recordsForms = false

    /// For each relationship, whether objects had whole objects under its name.
    private var embedded: [Bool]

    /// For each relationship, whether objects had null or an empty list under its name.
    private var empty: [Bool]

    /// For each relationship, and after them for each part of the keys of all of them, the form of
    /// the references under its name, and the kind of the last one.
    private var references: [ValueForm?]
    private let kinds: UnsafeMutablePointer<JSONKind>

    /// For each member through which key paths lead, what its objects had.
    private var passages: [Passage]

    /// What the objects had through which key paths lead.
    enum Passage {
        /// There were none.
        case none
        /// Only members to which key paths lead.
        case mapped
        /// Others as well.
        case unmapped
    }

    init(_ plan: ImportPlan) {
        self.plan = plan
        relationshipCount = plan.relationships.count
        embedded = Array(repeating: false, count: plan.relationships.count)
        empty = embedded
        let partCount = plan.relationships.last?.parts.upperBound ?? 0
        references = Array(repeating: nil, count: relationshipCount + partCount)
        kinds = .allocate(capacity: references.count)
        kinds.initialize(repeating: .null, count: references.count)
        passages = Array(repeating: .none, count: plan.names.nested.count)
    }

    deinit { kinds.deallocate() }

    /// Lets the forms of values be recorded.
    func recordForms() {
        guard !recordsForms else { return }
        recordsForms = true
        attributes = FormSample(plan)
    }

    // MARK: Observing

    /// Records the value of a relationship under its own name.
    @inline(__always)
    func observe(_ value: JSONNode, ofRelationship index: Int) {
        guard value.kind != .null else {
            empty[index] = true
            return
        }
        guard value.kind != kinds[index] else { return }
        learn(value, ofRelationship: index)
    }

    /// Records the value of a part of a relationship's key.
    @inline(__always)
    func observe(_ value: JSONNode, ofRelationship index: Int, part: Int) {
        let place = relationshipCount + part
        guard value.kind != kinds[place], value.kind != .null else { return }
        learn(value, ofRelationship: index, at: place)
    }

    @inline(never)
    private func learn(_ value: JSONNode, ofRelationship index: Int) {
        guard value.kind == .object || value.kind == .array else {
            return learn(value, ofRelationship: index, at: index)
        }
        guard !embedded[index] else { return }
        let element = value.kind == .array ? value.elements.first { _ in true } : value
        // An empty list shows nothing of its elements.
        guard let element else {
            empty[index] = true
            return
        }
        if element.kind == .object {
            // A pointer of Parse has a type, and is a reference. Objects without a key are parts.
            embedded[index] =
                element.member("__type") == nil && !plan.relationships[index].leadsToKeyless
        } else {
            learn(element, ofRelationship: index, at: index)
        }
        kinds[index] = value.kind
    }

    @inline(never)
    private func learn(_ value: JSONNode, ofRelationship index: Int, at place: Int) {
        kinds[place] = value.kind
        let isNumeric = plan.relationships[index].key == .integer
        guard let form = ValueForm(ofReference: value, isNumeric: isNumeric) else { return }
        references[place] = references[place]?.joined(with: form) ?? form
    }

    /// Records that there was an object through which key paths lead, or one with a member that is
    /// not mapped.
    ///
    /// - Parameters:
    ///   - passage: What the object had.
    ///   - nested: The index of its names among the nested tables.
    func record(_ passage: Passage, in nested: Int) {
        if passages[nested] != .unmapped { passages[nested] = passage }
    }

    // MARK: Results

    /// Returns whether objects had whole objects under the name of a relationship.
    func isEmbedded(_ relationship: Int) -> Bool { embedded[relationship] }

    /// Returns whether objects had null, or an empty list, for a target; false if forms are not
    /// recorded.
    func isEmpty(_ target: NameTable.Target) -> Bool {
        guard recordsForms else { return false }
        if target.slot >= 0, target.nested < 0, attributes?.hasNull(Int(target.slot)) == true {
            return true
        }
        return target.relationship >= 0 && empty[Int(target.relationship)]
    }

    /// Returns the form of the values with a target; nil if it is not known.
    func form(of target: NameTable.Target) -> ObservedForm? {
        guard recordsForms else { return nil }
        if target.slot >= 0, target.nested < 0, let form = attributes?[Int(target.slot)] {
            return form
        }
        if target.relationship >= 0 {
            let index = Int(target.relationship)
            let part = plan.relationships[index].firstPart + Int(target.part)
            let place = target.part < 0 ? index : relationshipCount + part
            return references[place].map { ObservedForm($0) }
        }
        guard target.nested >= 0 else { return nil }
        return switch passages[Int(target.nested)] {
        case .none: nil
        case .mapped: ObservedForm(.members(areMapped: true))
        case .unmapped: ObservedForm(.members(areMapped: false))
        }
    }

    /// The forms of values to which key paths lead, by the path.
    var nestedForms: [String: ObservedForm] {
        guard recordsForms else { return [:] }
        var forms: [String: ObservedForm] = [:]
        for (slot, description) in plan.slots.enumerated() where description.path.contains(".") {
            forms[description.path] = attributes?[slot]
        }
        for relationship in plan.relationships where relationship.path.contains(".") {
            let part = relationshipCount + relationship.firstPart
            let form = references[relationship.index] ?? references[part]
            forms[relationship.path] = form.map { ObservedForm($0) }
        }
        return forms
    }
}
