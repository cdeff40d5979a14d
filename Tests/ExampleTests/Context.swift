import Foundation
import GRDB
import HTTPTypes
import Logging
import Tidemark
import TidemarkTesting

// The values that an example of a documentation comment may use without declaring them. Examples
// are compiled, and never executed.

var url: URL { unavailable() }
var path: String { unavailable() }
var body: [UInt8] { unavailable() }
var environment: SystemEnvironment { unavailable() }
var logger: Logger { unavailable() }

var model: Model { unavailable() }
var store: Store { unavailable() }
var pool: DatabasePool { unavailable() }
var db: Database { unavailable() }
var predicate: RecordPredicate { unavailable() }
var ada: User { unavailable() }

var importer: Importer { unavailable() }
var session: ImportSession { unavailable() }
var node: JSONNode { unavailable() }
var items: JSONDocumentItems {
    get { unavailable() }
    set {}
}
var json: JSONWriter {
    get { unavailable() }
    set {}
}

var service: Service { unavailable() }
var resource: RemoteResource { unavailable() }
var transport: URLSessionTransport { unavailable() }
var engine: SyncEngine { unavailable() }
var report: SyncReport { unavailable() }
var failure: SyncFailure { unavailable() }
var fake: FakeService { unavailable() }

private func unavailable<Value>() -> Value {
    preconditionFailure("Examples are not executed.")
}
