package import GRDB
import TidemarkModel

/// A change of a row that the service has accepted, and what an object of the service has yet to
/// show of it.
///
/// A service that accepts a change may nevertheless keep its own value: only an object that it
/// sends shows what it has. Until then the properties that were sent have *former* values here. An
/// object with a former value shows that the change was not taken; with any other value, it was.
package struct AcknowledgedChange: Sendable, Hashable {
    /// A property of the row, as a base value names it: see ``CapturePlan``.
    package struct Property: Sendable, Hashable {
        package let name: String
        package let member: Int64

        package init(_ name: String, member: Int64 = 0) {
            self.name = name
            self.member = member
        }
    }

    /// Why the object has to be read.
    package enum Doubt: String, Sendable {
        /// The response to the change has a former value.
        case response
        /// A list has a former value, or the object that was deleted.
        case list
        /// A complete list lacks the object.
        case absent
    }

    /// The kind of the change; a creation that was changed since is a creation.
    package let kind: LocalChangeKind

    /// Whether no object of a creation has been received: all values that were sent are
    /// unconfirmed, and had no value before.
    package var isUnshown = false

    /// Whether no complete object of a creation has been received: members that were not sent have
    /// values of the service that were never read.
    package var isUnread = false

    /// The values that properties had at the service before they were changed.
    ///
    /// There may be several, if a property was changed again before an object has shown it.
    package var formers: [Property: [DatabaseValue]] = [:]

    package init(_ kind: LocalChangeKind) {
        self.kind = kind
    }

    /// The former values as base values.
    var baseValues: [BaseValue] {
        formers.flatMap { property, values in
            values.map {
                BaseValue(
                    property: CapturedProperty(property.name),
                    member: property.member,
                    value: $0
                )
            }
        }
    }

    /// Whether an object of the service has yet to show something.
    package var isUnconfirmed: Bool { isUnshown || !formers.isEmpty || kind == .delete }
}
