/// What a closure on the properties of a row returns: a predicate, or a Boolean attribute.
///
/// ```swift
/// let done = Note.filter { $0.isDone }
/// let short = Note.filter { $0.isDone && $0.text.like("???") }
/// ```
public protocol RecordPredicateConvertible {
    /// The predicate that it is true.
    var predicate: RecordPredicate { get }
}
