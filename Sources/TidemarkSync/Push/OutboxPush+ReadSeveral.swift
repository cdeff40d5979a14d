import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkStore

import struct Foundation.URL

/// Several objects are read in one request, if their service can select them by key.
extension OutboxPush {
    /// Changes of one list whose objects are read together.
    private struct ReadBatch: Sendable {
        let readings: [Reading]
        let resource: RemoteResource
        let url: URL
    }

    /// What was read for a change.
    typealias ReadResult = (reading: Reading, result: Result<ReadObject, any Error>)

    /// How many objects are read in one request: fewer than the usual page of a list, and than the
    /// usual limit of a URL.
    private static let readBatch = 25

    /// Reads objects in lists, as far as their services support that.
    ///
    /// - Parameter readings: The changes whose objects are read.
    /// - Returns: The objects that were found. One that a list lacks is not missing: it may be on
    ///   the next page, and is read by itself.
    /// - Throws: `CancellationError`; `DatabaseError`.
    func readInLists(_ readings: [Reading]) async throws -> [ReadResult] {
        let batches = try readings.readInLists(upTo: Self.readBatch).compactMap { group in
            let keys = group.compactMap(\.key)
            let url = try run.remote.url(ofObjectsWithKeys: keys, in: group[0].resource)
            return url.map { ReadBatch(readings: group, resource: group[0].resource, url: $0) }
        }
        guard !batches.isEmpty else { return [] }
        let lists = await perform(batches) { [run] batch, attempts in
            let list: Result<JSONDocument, any Error>
            do {
                list = .success(try await run.remote.list(at: batch.url, attempts: attempts))
            } catch {
                list = .failure(error)
            }
            return (batch: batch, list: list)
        } judge: {
            $0.list.verdictOfReading
        }
        var results: [ReadResult] = []
        for (batch, list) in lists {
            switch list {
            case .success(let document): results += try match(document, with: batch)
            case .failure(let error as CancellationError): throw error
            // If it ends the run, no other request shows the reason. Otherwise, reading each object
            // does.
            case .failure(let error):
                if ReadConsequence(error) == .next { continue }
                results.append((batch.readings[0], .failure(error)))
            }
        }
        return results
    }

    /// Finds the objects of changes in a list.
    private func match(_ document: JSONDocument, with batch: ReadBatch) throws -> [ReadResult] {
        let resource = batch.resource
        let model = run.store.model
        guard var objects = try resource.items(of: document, limits: run.limits),
            let mapping = run.importer.mapping(of: resource.entity),
            let entity = model[resource.entity],
            let part = model.keyParts(of: entity).first
        else { return [] }
        var found: [String: JSONDocument] = [:]
        var isLeft = true
        while isLeft {
            isLeft = try objects.next { object in
                guard let key = mapping.text(of: part.attribute.name, in: object) else { return }
                found[key] = try JSONDocument(Array(object.source), limits: run.limits.json)
            }
        }
        return batch.readings.compactMap { reading in
            guard let object = reading.key.flatMap({ found[$0] }) else { return nil }
            return (reading, .success(.found(object, at: .none, entityTag: nil)))
        }
    }
}

extension EntityMapping {
    /// Returns the value of an attribute in an object, as it would be in a URL; nil if it is not
    /// one member with a text or a number.
    fileprivate func text(of attribute: String, in object: JSONNode) -> String? {
        for (name, value) in object.members {
            guard let index = target(for: name.string)?.attribute,
                attributes[index].name == attribute
            else { continue }
            switch value.kind {
            case .string: return value.string
            case .number: return String(decoding: value.text, as: UTF8.self)
            case .object, .array, .true, .false, .null: return nil
            }
        }
        return nil
    }
}

extension [OutboxPush.Reading] {
    /// Returns the changes whose objects can be read in a list, at least two of each list.
    fileprivate func readInLists(upTo limit: Int) -> [[OutboxPush.Reading]] {
        let listed = filter { $0.key != nil && $0.resource.style.content == .list }
        return Dictionary(grouping: listed, by: \.resource.path).sorted { $0.key < $1.key }
            .flatMap { _, readings in
                stride(from: 0, to: readings.count, by: limit).map { start in
                    Array(readings[start..<Swift.min(start + limit, readings.count)])
                }
            }
            // One object is read at its own URL, which also gives its entity tag.
            .filter { $0.count > 1 }
    }
}

extension Result where Failure == any Error {
    /// What a request that reads means for those after it.
    var verdictOfReading: RequestVerdict {
        guard case .failure(let error) = self else { return .next(atMost: .max) }
        return ReadConsequence(error).verdict(after: error)
    }
}
