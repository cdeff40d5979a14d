import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// The forms in which a service writes the values of one entity, as one transaction has seen them.
///
/// Only an import into a store that pushes has one. It is in the inner loop: a value is looked at
/// only if its shape differs from those before it, which are a few for each attribute.
final class FormSample {
    /// The attributes whose values may have different forms, and on what their shapes depend.
    private let watches: UnsafeMutablePointer<Watch>
    private let count: Int

    /// The shapes that were seen: ``memory`` of each attribute.
    private let shapes: UnsafeMutablePointer<UInt64>

    /// What was seen, by the order of ``watches``.
    private var forms: [ObservedForm?]

    private let types: [AttributeType]

    /// An attribute that is watched.
    private struct Watch {
        let slot: Int
        let kind: Kind

        /// The number of values.
        var values = 0

        /// Whether the member was null.
        var isNull = false
    }

    /// What the form of a value depends on.
    fileprivate enum Kind {
        /// Whether it is a number or a string.
        case type
        /// Also the number of its decimals.
        case number
        /// Also its length.
        case flag
        /// Also the characters that separate its parts.
        case date
    }

    /// How many shapes of an attribute are remembered: services that leave out what is zero write
    /// dates of several lengths.
    private static let memory = 8

    /// Creates an empty sample; nil if no attribute of the entity has different forms.
    init?(_ plan: ImportPlan) {
        var watched: [(watch: Watch, type: AttributeType)] = []
        for (slot, attribute) in plan.entity.attributes.enumerated() {
            guard attribute.attribute.hasObservedForm,
                let kind = Kind(attribute.attribute.type)
            else { continue }
            watched.append((Watch(slot: slot, kind: kind), attribute.attribute.type))
        }
        guard !watched.isEmpty else { return nil }
        count = watched.count
        types = watched.map(\.type)
        forms = Array(repeating: nil, count: watched.count)
        watches = .allocate(capacity: count)
        for (index, watched) in watched.enumerated() {
            (watches + index).initialize(to: watched.watch)
        }
        shapes = .allocate(capacity: count * Self.memory)
        shapes.initialize(repeating: 0, count: count * Self.memory)
    }

    deinit {
        watches.deallocate()
        shapes.deallocate()
    }

    /// Adds the values of an object, after they were converted.
    func add(_ frame: ObjectFrame, of node: JSONNode) {
        for index in 0..<count {
            let slot = watches[index].slot
            let token = Int(frame.tokens[slot])
            guard token >= 0, frame.isGiven[slot] else { continue }
            guard !frame.values[slot].isNull else {
                watches[index].isNull = true
                continue
            }
            let value = node.node(at: token)
            let shape = Self.shape(of: value, watches[index].kind)
            watches[index].values &+= 1
            let place = index * Self.memory + Int((shape &* 0x9E37_79B9_7F4A_7C15) >> 61)
            guard shapes[place] != shape else { continue }
            shapes[place] = shape
            learn(value, at: index)
        }
    }

    @inline(never)
    private func learn(_ value: JSONNode, at index: Int) {
        guard let form = ValueForm(of: value, type: types[index]) else { return }
        forms[index] = ObservedForm(forms[index]?.form.joined(with: form) ?? form)
    }

    /// Returns a number that is the same for values of one form; never 0.
    @inline(__always)
    private static func shape(of value: JSONNode, _ kind: Kind) -> UInt64 {
        let isText = value.kind == .string
        let base: UInt64 = isText ? 3 : value.kind == .number ? 2 : 1
        // All numbers are written as numbers are, but a date may be one in several units.
        guard kind != .type, isText || kind == .date && value.kind == .number else { return base }
        let text = value.text
        switch kind {
        case .type: return base
        case .number: return base | UInt64(truncatingIfNeeded: ValueForm.decimals(of: text)) << 8
        case .flag: return base | UInt64(truncatingIfNeeded: text.count) << 8 | first(text) << 16
        case .date:
            var shape = base | UInt64(truncatingIfNeeded: text.count & 0xFF) << 8
            // Where a hyphen, the separator before the time, a point and the time zone may be.
            shape |= mark(text, 4) << 16 | mark(text, 10) << 24 | mark(text, 19) << 32
            return shape | mark(text, text.count - 1) << 40
        }
    }

    private static func first(_ text: UnsafeRawBufferPointer) -> UInt64 {
        text.isEmpty ? 0 : UInt64(text[0])
    }

    /// Returns the byte at an offset; the same for all digits.
    @inline(__always)
    private static func mark(_ text: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        guard offset >= 0, offset < text.count else { return 0 }
        let byte = text[offset]
        return ASCII.isDigit(byte) ? UInt64(ASCII.zero) : UInt64(byte)
    }

    /// Returns whether objects had null for an attribute.
    func hasNull(_ slot: Int) -> Bool {
        (0..<count).contains { watches[$0].slot == slot && watches[$0].isNull }
    }

    /// Returns the form of an attribute; nil if it has none, or no value was seen.
    subscript(slot: Int) -> ObservedForm? {
        for index in 0..<count where watches[index].slot == slot {
            var form = forms[index]
            form?.count = min(watches[index].values, ObservedForm.proof)
            return form
        }
        return nil
    }
}

extension FormSample.Kind {
    /// Returns nil for a type whose values are always written in the same way.
    fileprivate init?(_ type: AttributeType) {
        switch type {
        case .string: self = .type
        case .integer16, .integer32, .integer64, .decimal, .double, .float: self = .number
        case .boolean: self = .flag
        case .date: self = .date
        case .uuid, .uri, .binary, .json, .transformable: return nil
        }
    }
}
