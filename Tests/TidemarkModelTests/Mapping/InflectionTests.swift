import Testing

@testable import TidemarkModel

struct InflectionTests {
    @Test(arguments: [
        ("person", "people"), ("SalesPerson", "SalesPeople"), ("sales_person", "sales_people"),
        ("chairperson", "chairpeople"), ("Woman", "Women"), ("human", "humans"),
        ("Child", "Children"),
        ("grandchild", "grandchildren"), ("category", "categories"), ("day", "days"),
        ("OrderStatus", "OrderStatuses"), ("quiz", "quizzes"), ("matrix", "matrices"),
        ("Ox", "Oxen"), ("Box", "Boxes"), ("mouse", "mice"), ("computer_mouse", "computer_mice"),
        ("tomato", "tomatoes"), ("photo", "photos"), ("analysis", "analyses"), ("axis", "axes"),
        ("wife", "wives"), ("shelf", "shelves"), ("datum", "data"), ("medium", "media"),
        ("alias", "aliases"), ("address", "addresses"), ("movie", "movies"), ("cache", "caches"),
        ("cookie", "cookies"), ("database", "databases"), ("wave", "waves"), ("curve", "curves"),
        ("objective", "objectives"), ("toy", "toys"), ("soliloquy", "soliloquies"),
        ("hive", "hives"),
        ("testEntityOne", "testEntityOnes"), ("imageURL", "imageURLs"), ("specimen", "specimens"),
    ])
    func `forms the plural and restores the singular`(singular: String, plural: String) {
        #expect(Inflection.default.plural(singular) == plural)
        #expect(Inflection.default.singular(plural) == singular)
        #expect(Inflection.default.plural(plural) == plural)
    }

    @Test(arguments: [
        "news", "series", "Species", "sheep", "equipment", "office_equipment", "", "_",
    ])
    func `leaves a word without a plural unchanged`(word: String) {
        #expect(Inflection.default.plural(word) == word)
        #expect(Inflection.default.singular(word) == word)
    }

    @Test func `keeps the underscores around a word`() {
        #expect(Inflection.default.plural("note_") == "notes_")
        #expect(Inflection.default.singular("_notes") == "_note")
    }

    @Test func `rules of an app take precedence, also in compounds`() {
        let inflection = Inflection.default
            .adding(singular: "campus", plural: "campuses")
            .adding(uncountable: "feedback")
            .adding(singular: "person", plural: "persons")
        #expect(inflection.plural("MainCampus") == "MainCampuses")
        #expect(inflection.singular("main_campuses") == "main_campus")
        #expect(inflection.plural("userFeedback") == "userFeedback")
        #expect(inflection.plural("salesPerson") == "salesPersons")
        #expect(Inflection.default.plural("salesPerson") == "salesPeople")
    }
}
