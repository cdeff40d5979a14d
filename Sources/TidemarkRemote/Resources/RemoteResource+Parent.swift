/// Resources with a parent in their path, which have a list for each row of the parent's entity.
extension RemoteResource {
    /// The key paths in braces in the path, in order: `[["post"]]` for `posts/{post}/comments`.
    ///
    /// Each starts with the name of a to-one relationship of ``entity``.
    package var parentKeys: [[String]] {
        PathTemplate(path[...]).names.map { name in
            name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// Whether the resource has a list for each row of a parent.
    package var hasParent: Bool { !parentKeys.isEmpty }

    /// Returns the resource of one parent: each key path in braces is replaced by a value,
    /// percent-encoded as one path segment.
    ///
    /// - Parameter values: The values, in the order of ``parentKeys``.
    /// - Returns: The resource; nil if a value cannot be a path segment. An empty one, `.` and `..`
    ///   would lead to another list.
    package func filled(with values: [String]) -> RemoteResource? {
        var rest = values[...]
        guard let path = PathTemplate(path[...]).filled(with: { _ in rest.popFirst() }) else {
            return nil
        }
        var filled = self
        filled.path = path
        return filled
    }
}
