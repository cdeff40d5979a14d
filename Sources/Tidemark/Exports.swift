@_exported public import TidemarkImport
@_exported public import TidemarkJSON
@_exported public import TidemarkModel
@_exported public import TidemarkRemote
@_exported public import TidemarkStore
@_exported public import TidemarkSync
@_exported public import TidemarkURLSession
