import Testing
import TidemarkTestSupport

@testable import TidemarkModel

struct NamingConventionTests {
    private let naming = NamingConvention.default

    @Test(arguments: [
        ("age", "age"), ("id", "id"), ("driverIdentifier", "driver_identifier"),
        ("integer16", "integer16"), ("userID", "user_id"), ("createdAt", "created_at"),
        ("userIDFirst", "user_id_first"), ("OrderedUser", "ordered_user"), ("iUUID", "i_uuid"),
        ("GreenWallet", "green_wallet"), ("HTTPServer", "http_server"), ("URLImage", "url_image"),
        ("iPhone", "i_phone"), ("userIDs", "user_ids"), ("plannedToIDs", "planned_to_ids"),
        ("tagIds", "tag_ids"), ("imageURLID", "image_url_id"), ("md5Hash", "md5_hash"),
        ("line2Address", "line2_address"), ("description_", "description_"), ("_rev", "_rev"),
        ("body_text", "body_text"), ("some__double", "some__double"), ("first-name", "first_name"),
        ("image_URL", "image_url"), ("CDs", "cds"), ("IDsOfUsers", "ids_of_users"), ("", ""),
        ("_", "_"),
    ])
    func `writes snake case`(name: String, snake: String) {
        #expect(naming.snakeCase(name) == snake)
    }

    @Test(arguments: [
        ("user_id", "userID"), ("updated_uuid", "updatedUUID"), ("id", "id"), ("ID", "id"),
        ("UUID", "uuid"), ("GreenWallet", "greenWallet"), ("HTTPServer", "httpServer"),
        ("first-name", "firstName"), ("first name", "firstName"), ("f2f_url", "f2fURL"),
        ("tag_ids", "tagIDs"), ("_rev", "rev"), ("some__double", "someDouble"),
        ("Already_Caps", "alreadyCaps"), ("SOME_KEY", "someKey"), ("uniqueId", "uniqueId"),
        ("url_string", "urlString"), ("address_2", "address2"), ("test_!_key", nil), ("a.b", nil),
        ("größe", nil), ("", nil), ("__", nil),
    ])
    func `writes camel case`(name: String, camel: String?) {
        #expect(naming.camelCase(name) == camel)
    }

    @Test(arguments: [
        ("imageURL", "imageUrl"), ("image_url", "imageUrl"), ("userIDs", "userIds"),
        ("firstName", "firstName"), ("uuid", "uuid"), ("test_!_key", nil),
    ])
    func `writes camel case with acronyms as words`(name: String, camel: String?) {
        #expect(naming.plainCamelCase(name) == camel)
    }

    @Test func `writes kebab case`() {
        #expect(naming.kebabCase("imageURL") == "image-url")
        #expect(naming.kebabCase("first_name") == "first-name")
    }

    @Test func `accepts additional acronyms`() {
        var naming = NamingConvention.default
        naming.acronyms.insert("html")
        #expect(naming.camelCase("body_html") == "bodyHTML")
        #expect(naming.snakeCase("bodyHTMLURL") == "body_html_url")
    }

    @Test(
        .enabled(if: ConformanceData.isPresent, "the conformance data is not next to the package")
    )
    func `agrees with the inflection cases of the conformance suite`() throws {
        struct Case: Decodable {
            struct Step: Decodable {
                var fn: String
                var input: String
                var equals: String?
            }
            var steps: [Step]
        }
        var count = 0
        for name in [
            "CamelCase", "SnakeCase", "CamelCaseCapitalizedString",
            "StorageForSameWordButDifferentInflections",
        ] {
            for step in try ConformanceData.json("sync/cases/\(name).json", as: Case.self).steps {
                let actual =
                    step.fn == "camel" ? naming.camelCase(step.input) : naming.snakeCase(step.input)
                #expect(actual == step.equals, "\(step.fn) of \(step.input)")
                count += 1
            }
        }
        #expect(count == 27)
    }
}
