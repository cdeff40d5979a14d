import TidemarkModel

/// How the names of objects are read: by where they stood last time, else by the table.
struct NameReading {
    private let plan: ImportPlan

    /// The names of the plan, and further spellings of them that the document has.
    private(set) var table: NameTable

    /// For each place among the members of an object: the entry found there last time.
    private var expected: [Int32] = []

    /// The names no one knows, with the places of their diagnostics.
    private var unknown: [[UInt8]: Int?] = [:]

    /// Beyond this many different unknown names a service is making them up.
    private static let unknownLimit = 1_000

    /// How many members of an object are expected where they stood.
    private static let expectedLimit = 1_024

    init(_ plan: ImportPlan) {
        self.plan = plan
        table = plan.names
    }

    /// The place of a name in the table's entries, given its place among the members of its object.
    mutating func entry(_ name: UnsafeRawBufferPointer, at position: Int) -> Int? {
        if position < expected.count {
            let place = Int(expected[position])
            if place >= 0, table.entries[place].name.holds(name) { return place }
        }
        guard let place = table.place(of: name) ?? otherSpelling(name) else { return nil }
        while expected.count <= position, expected.count < Self.expectedLimit {
            expected.append(-1)
        }
        if position < expected.count {
            expected[position] = Int32(place)
        }
        return place
    }

    /// The place of a name that is known in another spelling.
    private mutating func otherSpelling(_ name: UnsafeRawBufferPointer) -> Int? {
        let bytes = Array(name)
        guard unknown[bytes] == nil, unknown.count < Self.unknownLimit else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        guard !text.contains("."), let target = plan.mapping.target(for: text) else { return nil }
        table.add(text, plan.attributeTarget(target), plan.linkTarget(target))
        return table.place(of: name)
    }

    /// Whether an object has a value for each part of its entity's key.
    func hasKey(_ node: JSONNode, _ plan: ImportPlan) -> Bool {
        guard !plan.key.isEmpty else { return false }
        var missing = Set(plan.key)
        for (name, value) in node.members where value.kind != .null {
            var text = name.string
            let place = text.withUTF8 { table.place(of: UnsafeRawBufferPointer($0)) }
            if let slot = place.flatMap({ table.entries[$0].attribute?.slot }) {
                missing.remove(slot)
            }
        }
        return missing.isEmpty
    }

    /// Counts a name that no one knows; asks `note` for the place of its diagnostic the first time.
    mutating func countUnknown(
        _ name: UnsafeRawBufferPointer,
        _ log: inout DiagnosticLog,
        _ note: (inout DiagnosticLog) -> Int?
    ) {
        let bytes = Array(name)
        if let known = unknown[bytes] {
            if let known { log.repeated(known) }
            return
        }
        let place = note(&log)
        if unknown.count < Self.unknownLimit {
            unknown[bytes] = place
        }
    }
}
