// What an expansion refers to.
@_exported public import TidemarkModel
@_exported public import TidemarkStore
