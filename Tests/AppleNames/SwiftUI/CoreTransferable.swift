// The names of the types of CoreTransferable, which SwiftUI re-exports.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public enum CodableRepresentation {}
public enum DataRepresentation {}
public enum FileRepresentation {}
public enum ProxyRepresentation {}
public enum ReceivedTransferredFile {}
public enum SentTransferredFile {}
public enum Transferable {}
public enum TransferRepresentation {}
public enum TransferRepresentationBuilder {}
public enum TransferRepresentationVisibility {}
