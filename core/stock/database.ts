/** The databases of stocks, as listed in the secret of a stage. */
import * as z from 'zod/mini'
import { decodeJson } from '../lib/json.ts'
import { whole } from '../lib/parse.ts'

/** A stock has at most as many shards (`maxShards` in core/sale/settings.ts). */
export const maxDatabases = 64

/** A process reloads the list after this time, ms. */
export const maxListAgeMs = 5 * 60_000

export const address = z
  .string('is missing')
  .check(z.refine(isHttpAddress, { error: 'must be an http or https address' }))

/** A non-empty text, such as a table name or a token. */
export const nonEmpty = z.string('is missing').check(z.minLength(1, 'is empty'))

const namePattern = /^[a-z0-9-]{1,20}$/

/** `url` is the REST address of an Upstash Redis. `commandsPerSecond` is its capacity. */
const stockDatabase = z.strictObject({
  name: z.string('is missing').check(z.refine((name) => namePattern.test(name), 'must be 1 to 20 of a-z, 0-9 and -')),
  url: address,
  token: nonEmpty,
  commandsPerSecond: whole(1, 10_000_000),
})

export type StockDatabase = z.infer<typeof stockDatabase>

/** The list as JSON text. Sales store the names of their databases, so names must not change. */
export const stockDatabases = z.pipe(
  z.pipe(z.string('is missing'), z.transform(listIn)),
  z.array(stockDatabase, 'must be a list in JSON').check(
    z.minLength(1, 'must list a database'),
    z.maxLength(maxDatabases, `must list at most ${maxDatabases} databases`),
    z.refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'must have unique names'),
  ),
)

/** Returns the value in `text`; undefined for invalid JSON, which the schema rejects. */
function listIn(text: string): unknown {
  const decoded = decodeJson(text)
  return decoded.ok ? decoded.value : undefined
}

function isHttpAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
