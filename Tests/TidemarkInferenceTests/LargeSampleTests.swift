import Testing
import TidemarkInference
import TidemarkModel

/// Very large samples, for which the inference must terminate in time.
struct LargeSampleTests {
    @Test func `thousands of relationships between two entities each get an inverse`() throws {
        let items = (1...7).map { item in
            let groups = (0..<25).map { group in
                let members = (0..<40).map {
                    #""a\#($0)x_node_id": \#((item + $0 % 3) % 7 + 1)"#
                }
                return #""g\#(group)": {\#(members.joined(separator: ","))}"#
            }
            return #"{"id": \#(item), \#(groups.joined(separator: ","))}"#
        }
        let inferred = try infer(["nodes.json": "[\(items.joined(separator: ","))]"])
        let node = try #require(inferred.model["Node"])
        #expect(inferred.model.entities.map(\.name) == ["Node"])
        #expect(node.attributes.map(\.name) == ["id"])
        #expect(node.relationships.count == 2_000)
        #expect(Set(node.relationships.map(\.name)).count == 2_000)
        #expect(
            inferred.doubtfulNotes == [
                "Node: More than 100 relationships lead to Node or back, so none was taken for the "
                    + "inverse of another."
            ]
        )
    }

    @Test func `relationships beyond the limit are not compared, those within it are`() throws {
        let samples: KeyValuePairs = [
            "nodes.json": """
            [{"id": 1, "parent_node_id": 2, "other_node_id": 1},
             {"id": 2, "child_node_ids": [1], "other_node_id": 1}]
            """
        ]
        try expect(
            samples,
            give: """
                Node[id]: id integer64; childNodes →→ Node ⇄ parentNode, \
                parentNode → Node ⇄ childNodes, otherNode → Node ⇄ otherNodeOf, \
                otherNodeOf →→ Node ⇄ otherNode
                """
        )
        var limits = InferenceLimits()
        limits.rivals = 2
        try expect(
            samples,
            give: """
                Node[id]: id integer64; childNodes →→ Node ⇄ childNodesOf, \
                parentNode → Node ⇄ parentNodeOf, otherNode → Node ⇄ otherNodeOf, \
                childNodesOf →→ Node ⇄ childNodes, parentNodeOf →→ Node ⇄ parentNode, \
                otherNodeOf →→ Node ⇄ otherNode
                """,
            limits: limits
        )
    }

    @Test func `thousands of nested objects become the entities of their names`() throws {
        let groups = (0..<50).map { group in
            let members = (0..<30).map {
                #""e\#(group)_\#($0)": {"id": \#($0), "text": "x\#($0)"}"#
            }
            return #""g\#(group)": {\#(members.joined(separator: ","))}"#
        }
        let inferred = try infer([
            "things.json": #"[{"id": 1, \#(groups.joined(separator: ","))}]"#
        ])
        let thing = try #require(inferred.model["Thing"])
        #expect(thing.relationships.count == 1_500)
        #expect(
            inferred.model.entities.map(\.name) == ["Thing"] + (0..<30).map { "E0\($0)" }
        )
    }

    @Test func `rejects more lists than a model may have entities`() {
        let lists = (0..<20_000).map { #""a\#($0)": [{}]"# }
        #expect(
            errorMessage(["a.json": "{\(lists.joined(separator: ","))}"])
                == "The samples have more than 250 lists. Name those that are wanted."
        )
        var limits = InferenceLimits()
        limits.entities = 1
        #expect(
            errorMessage(["a.json": #"[{"id": 1}]"#, "b.json": #"[{"id": 1}]"#], limits: limits)
                == "The samples have more than 1 lists. Name those that are wanted."
        )
    }

    @Test func `an object with thousands of names that may be keys is data`() {
        let members = (0..<20_000).map { #""k\#($0)code": "v\#($0)""# }
        #expect(
            errorMessage(["prices.json": "[{\(members.joined(separator: ","))}]"])
                == "The objects of Price have more than 500 different names: they are data, not "
                + "properties. Name a list inside, or keep the document as it is."
        )
    }

    @Test func `a long list of objects with URLs is read to its end`() throws {
        let items = (0..<20_000).map { #"{"url": "https://h/films/\#($0)", "title": "\#($0)x"}"# }
        try expect(
            ["films.json": "[\(items.joined(separator: ","))]"],
            give: "Film[id]: id integer64 ← url, title string"
        )
    }
}
