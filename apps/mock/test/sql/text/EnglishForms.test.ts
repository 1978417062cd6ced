/** Compares the forms of English words with PostgreSQL's configuration `english`. */
import { assert, describe, it } from "@effect/vitest"
import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import postgres from "postgres"
import * as EnglishForms from "../../../src/sql/text/EnglishForms.ts"

const root = fileURLToPath(new URL("../../../../..", import.meta.url))

/** The English words of the documents. */
const documents = ["README.md", "CONTRIBUTING.md", ...readdirSync(`${root}/docs`).map((name) => `docs/${name}`)]
const written = documents
  .filter((name) => name.endsWith(".md"))
  .flatMap(
    (name) =>
      readFileSync(`${root}/${name}`, "utf8")
        .toLowerCase()
        .match(/(?<![\w./`-])[a-z]{2,20}(?![\w(/`])/g) ?? []
  )

/** Words with many forms. */
const families =
  "connect connects connected connecting connection connections connective connectivity run runs running agree agrees " +
  "agreed agreeing agreement happy happily happiness happier nation national nationally nationalize nationalization " +
  "relate relation relational relative relatively operate operates operating operator operation operational general " +
  "generally generalize generous generously die dies dying lie lies lying sky skies early only singly ugly gently news " +
  "hope hopes hoped hoping hop hops hopped hopping create creates created creating creation creative creativity " +
  "possible possibly possibility able ably ability assemble assembly assemblies assembled inspect inspects inspection " +
  "inspector supply supplies supplied supplier suppliers deliver delivery deliveries delivered screw screws screwed " +
  "transfer transfers transferred transferring warehouse warehouses warehousing manufacture manufacturer manufacturing"

const words = [...new Set([...written, ...families.split(" ")])]

describe("the forms of English words", () => {
  it.live("are those to which PostgreSQL gives the same lexeme", () =>
    Effect.gen(function* () {
      const url = yield* PostgresServer.url
      const rows = yield* Effect.promise(async () => {
        const sql = postgres(url, { max: 1, onnotice: () => {} })
        const found = await sql<ReadonlyArray<{ word: string; query: string }>>`
          SELECT word, to_tsquery('english', word)::text AS query FROM unnest(${words}::text[]) AS word`
        await sql.end()
        return found
      })
      assert.isAbove(rows.length, 1500)
      const ignored = rows.filter(({ query }) => query === "").map(({ word }) => word)
      assert.deepStrictEqual(
        words.filter((word) => EnglishForms.isStopWord(word)),
        ignored
      )
      // PostgreSQL 18 has Snowball 3, which knows that these are forms of "add"; earlier versions say "ad".
      const changed = new Set(["ad", "ads", "add", "adds", "added", "adding"])
      const compared = rows.filter(({ query, word }) => query !== "" && !changed.has(word))
      const groups = new Map<string, Array<string>>()
      for (const { query, word } of compared) groups.set(query, [...(groups.get(query) ?? []), word])
      for (const [query, group] of groups) {
        for (const word of group) {
          const forms = new Set(EnglishForms.of(word))
          const found = compared.filter((row) => forms.has(row.word)).map(({ word }) => word)
          assert.deepStrictEqual(found, group, `${word}, ${query}`)
        }
      }
    })
  )
})
