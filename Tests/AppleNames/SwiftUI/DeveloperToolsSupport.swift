// The names of the types of DeveloperToolsSupport, which SwiftUI re-exports.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public enum ColorResource {}
public enum ImageResource {}
public enum LibraryContentBuilder {}
public enum LibraryContentProvider {}
public enum LibraryItem {}
public enum PreviewRegistry {}
