import Testing
import TidemarkInference
import TidemarkModel

/// Words as keys of nested objects: the same word may name different objects of different parents.
struct WeakKeyTests {
    /// Returns the key of the nested objects in two posts, each with a list of one object.
    private func key(_ first: String, _ second: String, list: String = "parts") throws -> [String] {
        let inferred = try infer([
            "posts.json": """
            [{"id": 1, "\(list)": [\(first)]}, {"id": 2, "\(list)": [\(second)]}]
            """
        ])
        let nested = inferred.model.entities.first { $0.name != "Post" }
        return nested.map(inferred.model.primaryKey) ?? []
    }

    @Test(arguments: [
        // Lists of objects, of scalars, and lists that one of the objects lacks.
        (#"{"id": "a", "n": 1, "of": [{"x": 1}]}"#, #"{"id": "a", "n": 1, "of": [{"x": 2}]}"#),
        (#"{"id": "a", "n": 1, "of": [1, 2]}"#, #"{"id": "a", "n": 1, "of": [2, 1]}"#),
        (#"{"id": "a", "n": 1, "of": [1]}"#, #"{"id": "a", "n": 1, "of": []}"#),
        (#"{"id": "a", "n": 1, "of": [1]}"#, #"{"id": "a", "n": 1}"#),
        (#"{"id": "a", "n": 1, "of": [1]}"#, #"{"id": "a", "n": 1, "of": null}"#),
        (#"{"id": "a", "n": 1, "of": {"x": [[1]]}}"#, #"{"id": "a", "n": 1, "of": {"x": [[2]]}}"#),
        (#"{"id": "a", "n": 1, "of": {"x": 1}}"#, #"{"id": "a", "n": 1}"#),
        (#"{"part_id": "7", "of": [1]}"#, #"{"part_id": "7", "of": [2]}"#),
        (#"{"id": "a", "n": 1}"#, #"{"id": "a", "n": 2}"#),
    ])
    func `objects of one word with different lists are different objects`(
        first: String,
        second: String
    ) throws {
        let key = try key(first, second)
        #expect(key.first == "post" && key.count == 2, "\(key)")
    }

    @Test(arguments: [
        (#"{"code": "a", "n": 1}"#, #"{"code": "a", "n": 2}"#),
        (#"{"slug": "a", "of": [1]}"#, #"{"slug": "a", "of": [2]}"#),
        (#"{"code": "a", "on": true}"#, #"{"code": "a", "on": false}"#),
    ])
    func `a code or slug whose objects differ in any value is not a key`(
        first: String,
        second: String
    ) throws {
        #expect(try key(first, second) == [])
    }

    @Test(arguments: [
        // The members are in another order, and lists are equal.
        (
            #"{"id": "a", "n": 1, "of": [{"x": 1, "y": 2}]}"#,
            #"{"of": [{"y": 2, "x": 1}], "n": 1, "id": "a"}"#
        ),
        // A reference, and an abbreviated object.
        (#"{"id": "a", "n": 1, "of": [1]}"#, #"{"id": "a"}"#),
        (#"{"id": "a", "n": 1, "m": 2, "of": [1]}"#, #"{"id": "a", "n": 1}"#),
        // Numbers and identifiers are not repeated by chance; services page their lists.
        (#"{"id": 7, "n": 1, "of": [1]}"#, #"{"id": 7, "n": 1, "of": []}"#),
        (
            #"{"id": "507f1f77bcf86cd799439011", "n": 1, "of": [1]}"#,
            #"{"id": "507f1f77bcf86cd799439011", "n": 1, "of": []}"#
        ),
        (
            #"{"id": "550e8400-e29b-41d4-a716-446655440000", "n": 1, "of": [1]}"#,
            #"{"id": "550e8400-e29b-41d4-a716-446655440000", "n": 1, "of": [2]}"#
        ),
    ])
    func `equal objects, references and long identifiers share a row`(
        first: String,
        second: String
    ) throws {
        #expect(try key(first, second) == ["id"])
    }

    @Test func `a guessed key of a sample does not cover pages that contradict each other`() throws
    {
        let lists = [
            (#"{"slug": "a", "n": 1}"#, #"{"slug": "a", "n": 2}"#, ""),
            (#"{"name": "a", "of": [1]}"#, #"{"name": "a", "of": [2]}"#, ""),
            (#"{"slug": "a", "n": 1}"#, #"{"slug": "a", "n": 1}"#, "slug"),
        ]
        for (first, second, key) in lists {
            let inferred = try infer([
                "things.1.json": "[\(first)]", "things.2.json": "[\(second)]",
            ])
            let entity = inferred.model.entities[0]
            #expect(inferred.model.primaryKey(of: entity) == (key.isEmpty ? [] : [key]))
        }
    }
}
