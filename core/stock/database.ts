/** The databases that stocks are placed in, as the secret of a stage lists them. */
import * as z from 'zod/mini'
import { decodeJson } from '../lib/json.ts'
import { whole } from '../lib/parse.ts'

/** At most so many, as a stock has at most so many shards (`maxShards` in core/sale/settings.ts). */
export const maxDatabases = 64

/** A process reads a list that is older again, ms. */
export const maxListAgeMs = 5 * 60_000

/** An http or https address. */
export const address = z
  .string('is missing')
  .check(z.refine(isHttpAddress, { error: 'must be an http or https address' }))

/** Any text that is not empty: a table name, a token. */
export const nonEmpty = z.string('is missing').check(z.minLength(1, 'is empty'))

const namePattern = /^[a-z0-9-]{1,20}$/

/** The REST address of an Upstash Redis, its token, and the commands that it takes in a second. */
const stockDatabase = z.strictObject({
  name: z.string('is missing').check(z.refine((name) => namePattern.test(name), 'must be 1 to 20 of a-z, 0-9 and -')),
  url: address,
  token: nonEmpty,
  commandsPerSecond: whole(1, 10_000_000),
})

export type StockDatabase = z.infer<typeof stockDatabase>

/** The list as JSON text; a sale keeps the name of its database, so names stay when others come. */
export const stockDatabases = z.pipe(
  z.pipe(z.string('is missing'), z.transform(listIn)),
  z.array(stockDatabase, 'must be a list in JSON').check(
    z.minLength(1, 'must list a database'),
    z.maxLength(maxDatabases, `must list at most ${maxDatabases} databases`),
    z.refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'must have unique names'),
  ),
)

/** Returns the value in `text`. Text that is not JSON is undefined, which the schema refuses. */
function listIn(text: string): unknown {
  const decoded = decodeJson(text)
  return decoded.ok ? decoded.value : undefined
}

function isHttpAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
