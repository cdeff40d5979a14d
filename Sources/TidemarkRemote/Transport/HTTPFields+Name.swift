import HTTPTypes

extension HTTPFields {
    /// The value of a field whose name is known only at run time; nil if the field is absent, or
    /// the name is not one that a field can have.
    subscript(named name: String) -> String? {
        HTTPField.Name(name).flatMap { self[$0] }
    }
}
