/// The bounds on what an inference keeps of its samples.
package struct InferenceLimits: Hashable, Sendable {
    /// The maximum number of distinct member names of the objects at one path; 500 by default.
    ///
    /// Objects with more names are treated as dictionaries, whose names are data and not
    /// properties.
    package var names = 500

    /// The maximum number of distinct paths in all samples; 10,000 by default.
    package var paths = 10_000

    /// The maximum depth to which arrays and objects of a sample are examined; 64 by default.
    ///
    /// Deeper ones are stored as JSON.
    ///
    /// Inference recurses into each level, on threads whose stack may have only 512 KB.
    package var depth = 64

    /// The maximum number of entities of an inferred model; 250 by default.
    ///
    /// Further nested objects are stored as JSON, and further lists are rejected.
    package var entities = 250

    /// The maximum number of values of a member that are held to prove that they are unique;
    /// 1,000,000 by default.
    ///
    /// A member with more values becomes the primary key only if its name indicates one.
    package var keys = 1_000_000

    /// The maximum number of relationships from one entity to another whose inverses are inferred
    /// by comparing their links; 100 by default.
    ///
    /// If there are more, each gets a new inverse of its own.
    package var rivals = 100

    /// Creates limits with the default values.
    package init() {}
}
