extension EntityDescription {
    /// The entry of the user info that marks a guessed key.
    private static let guessedKey = "tidemark.guessedKey"

    /// Whether the primary key is a member that was different in all objects of a sample, although
    /// its name does not say that it identifies them.
    package var isKeyGuessed: Bool {
        get { userInfo[Self.guessedKey] == "true" }
        set { userInfo[Self.guessedKey] = newValue ? "true" : nil }
    }
}
