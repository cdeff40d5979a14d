import Combine
import CoreData
import Foundation
import GRDB
import HTTPTypes
import Observation
import RealityKit
import SwiftData
import SwiftUI
import Testing
import Tidemark

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if canImport(FoundationXML)
import FoundationXML
#endif

/// The names that Tidemark exports, in a file that also imports the frameworks of an app.
///
/// Where Apple's frameworks do not exist, the modules of `Tests/AppleNames` have the names of their
/// types.
struct NameCollisionTests {
    // An ambiguous name is an error in a list of types. In an expression, such as `Model.self`, the
    // compiler would choose one of its meanings.
    private typealias Exported = Types<
        AssetReport,
        Assets,
        Attribute,
        AttributeExpression<Int>,
        AttributeTransformer,
        AttributeType,
        any AttributeValue,
        BatchUpdate<Word>,
        CachePolicy,
        ChangeBatch,
        ChangeBatches,
        ChangeQuery,
        Conflict,
        ConflictPolicies,
        ConflictPolicy,
        Conflicts,
        CountRequest,
        Credentials,
        DateFormat,
        DeletePolicy,
        DeletionDetection,
        DeletionGuard,
        Diagnostic,
        DocumentExpression,
        Draft<Word>,
        DraftConflict,
        DraftConflictPolicy,
        DraftOutcome<Word>,
        Durability,
        EncodedRow,
        EntityDescription,
        any EntityProperties,
        EntityProperty,
        any EntityRecord,
        EntityRequest<Word>,
        EntityRow,
        Envelope,
        ExportOptions,
        Exporter,
        FetchIndex,
        ImportError,
        ImportHooks,
        ImportOperations,
        ImportOptions,
        ImportOrigin,
        ImportReport,
        ImportScope,
        ImportSession,
        any ImportSource,
        Importer,
        Inflection,
        InvalidValuePolicy,
        JSONDocument,
        JSONDocumentItems,
        JSONError,
        JSONItemReader,
        any JSONItems,
        JSONItemsError,
        JSONKind,
        JSONLimits,
        JSONNode,
        JSONPath,
        JSONText,
        JSONWriter,
        Keyset,
        Limits,
        ListBuilder<Never>,
        ListParameters,
        LiveChanges,
        LiveFailure,
        LiveList<Word>,
        LiveMove,
        LivePosition,
        LiveResults<Word>,
        LiveSection<Word>,
        LiveSnapshot<Word>,
        LocalChange,
        LocalChangeSummary,
        LocalChangeKind,
        LocalChangeState, UnrecordedEdits,
        Many<Word>,
        Migration,
        MigrationRejection,
        MigrationStep,
        MissingLink,
        Model,
        ModelError,
        ModelIssue,
        NamingConvention,
        One<Word>,
        Origin,
        Outbox,
        PageStability,
        Pagination,
        PendingDeletion,
        PendingServiceDeletion,
        PlannedRequest,
        ProcessIdentity,
        PropertyPath,
        PullOptions,
        PushOptions,
        PushReport,
        PushStyle,
        QueryItem,
        RecordKey,
        RecordLocator,
        RecordPredicate,
        any RecordPredicateConvertible,
        RecordPredicateError,
        RecordRequest,
        Relationship,
        RemoteError,
        RemoteResource,
        ResourceStyle,
        ResponseBody,
        RowChange,
        RowDifference,
        RowExpression<Word>,
        RowID<Word>,
        RowReference,
        Service,
        SortDirection,
        Store,
        StoreDifferences,
        StoreError,
        StoreReader,
        StoreWriter,
        StoredRecord,
        SyncEngine,
        SyncError,
        SyncEvent,
        SyncFailure,
        SyncProgress,
        SyncPull,
        SyncReport,
        SyncSchedule,
        SyncStatus,
        SyncVerification,
        SyncWarning,
        SystemEnvironment,
        TextFolding,
        ToManyExpression<Word, Word>,
        ToOneExpression<Word, Word>,
        TotalCount,
        any Transport,
        TransportResponse,
        URLSessionTransport,
        UnconfirmedChange,
        UnprovenEnd,
        UnpushedChangePolicy,
        UnpushedChanges,
        UnresolvedReferencePolicy,
        UnresolvedReferences,
        Value,
        ValueConflict
    >

    @Test func `an exported name is a type of Tidemark`() {
        let others = Exported.all.map { String(reflecting: $0) }.filter { !$0.contains("Tidemark") }
        #expect(others.isEmpty)
    }

    @Test func `the macros of SwiftData and the types of Tidemark share names`() {
        let film = Film(title: "Metropolis")
        let model = Model {
            EntityDescription("Film") {
                Attribute("title", .string)
                Relationship("sequels", to: "Film", isToMany: true)
            }
        }
        #expect(model.entities[0].attributes.map(\.name) == ["title"])
        #expect(film.title == "Metropolis" && film.sequels.isEmpty)
    }
}

@Model
final class Film {
    @Attribute(.unique) var title: String
    @Relationship(deleteRule: .cascade) var sequels: [Film] = []

    init(title: String) {
        self.title = title
    }
}

/// A list of types.
private struct Types<each Element> {
    static var all: [Any.Type] {
        var types: [Any.Type] = []
        repeat types.append((each Element).self)
        return types
    }
}

private struct Word: EntityRecord {
    var rowID = RowID<Word>.unsaved

    static let entityName = "Word"
    static let entity = EntityDescription(entityName) { Tidemark.Attribute("text", .string) }

    struct Properties: EntityProperties {
        typealias Record = Word
        init(_ path: PropertyPath) {}
    }

    init(from row: EntityRow) throws {}

    func encode(to row: inout EncodedRow) throws {}
}
