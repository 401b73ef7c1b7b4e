/**
 * `npm run deploy -- --check --redis`: checks the Redis databases of a stage before its functions use them, and prints
 * the value of their secret. A mistake in the secret would stop every function at its start, and a list without the
 * database of a sale would stop that sale until it is archived. Upstash's REST API does not say whether eviction is on
 * or a budget is set (https://upstash.com/docs/redis/commands/server/config-get).
 */
import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { textOfFile } from '../core/lib/file-text.ts'
import { decodeJson } from '../core/lib/json.ts'
import { parse, readJson } from '../core/lib/parse.ts'
import { salesQuery } from '../core/sale/sale-search.ts'
import { address, nonEmpty, type StockDatabase, stockDatabases } from '../core/stock/database.ts'
import type { ControlClient } from './control-client.ts'
import { RequestFailed, type SendRequest, summarizeReply } from './smoke/request.ts'

/** Returns a sender of requests to the REST address of a database. */
export type SenderFor = (url: string) => SendRequest

/**
 * `answering` names every database that answers. `warnings` do not fail the check. `checked`, absent when there is a
 * problem, has the value of the secret `sluice/<stage>/redis` and the names of its databases.
 */
export type DatabaseCheck = {
  problems: string[]
  warnings: string[]
  answering: string[]
  checked?: { secret: string; names: string[] }
}

/** Limit of Secrets Manager (https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html). */
export const maxSecretBytes = 65_536

/** Deleting this key needs the right to write and changes nothing: no such key is ever set. */
const writeProbe = 'sluice:deploy-check'

/** The list as JSON written by hand, or as the string that the secret contains. */
const list = z.pipe(
  z.pipe(
    z.unknown(),
    z.transform((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
  ),
  stockDatabases,
)

/** The fields of the secret `sluice/<stage>/redis`. */
export const redisSecret = z.strictObject({ stockDatabases: list, gateUrl: address, gateToken: nonEmpty })

type DatabaseAccess = Pick<StockDatabase, 'name' | 'url' | 'token'>

export async function checkDatabases(json: string, senderFor: SenderFor): Promise<DatabaseCheck> {
  const decoded = decodeJson(json)
  const read = decoded.ok ? parse(redisSecret, decoded.value) : decoded
  if (!read.ok) return { problems: [read.detail], warnings: [], answering: [] }
  const { stockDatabases: databases, ...others } = read.value
  const gate: DatabaseAccess = { name: 'the gate’s database', url: others.gateUrl, token: others.gateToken }
  const secretText = JSON.stringify({ stockDatabases: JSON.stringify(databases), ...others })
  const problems = [
    ...addressProblems([...databases, gate]),
    ...duplicateProblems(databases),
    ...lengthProblems(secretText),
  ]
  if (problems.length > 0) return { problems, warnings: [], answering: [] }

  const all: DatabaseAccess[] = [...databases, gate]
  const failures = await Promise.all(all.map((place) => probeDatabase(place, senderFor(place.url))))
  const answering = all.filter((_, at) => failures[at] === undefined).map(({ name }) => name)
  const failed = failures.filter((failure) => failure !== undefined)
  const warnings = sharedDatabaseWarnings(databases, gate)
  if (failed.length > 0) return { problems: failed, warnings, answering }
  const names = databases.map(({ name }) => name)
  return { problems: [], warnings, answering, checked: { secret: secretText, names } }
}

/** Returns a problem for each address without TLS: a token must not be sent in the clear. */
function addressProblems(all: readonly DatabaseAccess[]): string[] {
  return all
    .filter(({ url }) => new URL(url).protocol !== 'https:')
    .map(({ name }) => `${name}: its address must begin with https://`)
}

function duplicateProblems(databases: readonly DatabaseAccess[]): string[] {
  return databases.flatMap(({ name, url }, at) => {
    const first = databases.slice(0, at).find((other) => new URL(other.url).host === new URL(url).host)
    return first === undefined ? [] : [`${first.name} and ${name} are the same database`]
  })
}

/** Returns a warning for each stock database that is also the gate's. A trial may share one, as `dev` does to save a database. */
function sharedDatabaseWarnings(databases: readonly DatabaseAccess[], gate: DatabaseAccess): string[] {
  return databases
    .filter(({ url }) => new URL(url).host === new URL(gate.url).host)
    .map(
      ({ name }) =>
        `${name} and the gate share a database: the gate's reads take commands from its sales, and a loss stops both. Use it for trials only`,
    )
}

function lengthProblems(secretText: string): string[] {
  const length = Buffer.byteLength(secretText)
  return length <= maxSecretBytes
    ? []
    : [`the secret has ${length} bytes, ${maxSecretBytes} at most: list fewer databases, or shorter tokens`]
}

const failure = z.object({ error: z.string() })
const pong = z.tuple([z.object({ result: z.literal('PONG') }), z.object({ result: z.number() })])

/** Returns why a database cannot be used, or undefined when it answers and accepts writes. */
async function probeDatabase({ name, token }: DatabaseAccess, request: SendRequest): Promise<string | undefined> {
  try {
    const body = [['PING'], ['DEL', writeProbe]]
    const reply = await request('/pipeline', { method: 'POST', token, body })
    if (readJson(pong, reply.text).ok) return undefined
    const errors = readJson(z.union([failure, z.array(z.unknown())]), reply.text)
    const found = errors.ok ? [errors.value].flat().map((one) => parse(failure, one)) : []
    const first = found.find(({ ok }) => ok)
    return `${name}: ${first?.ok === true ? first.value.error : summarizeReply(reply)}`
  } catch (error) {
    if (error instanceof RequestFailed) return `${name}: ${error.message}`
    throw error
  }
}

export type ShopReader = Pick<ControlClient, 'listSales'>

/**
 * Returns one line for each sale that needs a database which the new list, `names`, does not have.
 * @throws ControlApiError, or an error of the connection
 */
async function findSalesLeftOut(shop: ShopReader, names: readonly string[]): Promise<string[]> {
  const problems: string[] = []
  let after: string | undefined
  do {
    const { sales, next } = await shop.listSales({ query: salesQuery({ after }) })
    for (const { saleId, warmed, databases } of sales) {
      if (!warmed) continue
      const missing = databases.filter((name) => !names.includes(name))
      for (const name of missing) problems.push(`${saleId} is in ${name}, which the list does not have`)
    }
    after = next ?? undefined
  } while (after !== undefined)
  return problems
}

const unreadableSales = (error: unknown) => [
  `the sales of the shop cannot be read: ${error instanceof Error ? error.message : error}`,
]

export type RedisCheckPorts = {
  print: (line: string) => void
  /** Writes to standard error, because the output is a secret. */
  printError: (line: string) => void
  senderFor: SenderFor
}

/**
 * `file` has the fields of the secret; `shop` is the running shop, absent before there is one.
 * Prints the value of the secret, reports the findings with `printError`, and returns the exit code.
 */
export async function checkRedis(
  file: string,
  shop: ShopReader | undefined,
  { print, printError, senderFor }: RedisCheckPorts,
): Promise<number> {
  let json: string
  try {
    json = textOfFile(file, await readFile(file))
  } catch (error) {
    if (error instanceof RangeError) printError(`✗ --redis: ${error.message}`)
    else
      printError(
        `✗ --redis: ${file} cannot be read (${error instanceof Error && 'code' in error ? error.code : error})`,
      )
    return 1
  }
  const { problems, warnings, answering, checked } = await checkDatabases(json, senderFor)
  for (const name of answering) printError(`✓ ${name} answers and takes writes`)
  for (const warning of warnings) printError(`~ ${warning}`)
  const leftOut =
    checked === undefined || shop === undefined
      ? []
      : await findSalesLeftOut(shop, checked.names).catch(unreadableSales)
  for (const problem of [...problems, ...leftOut]) printError(`✗ ${problem}`)
  if (checked === undefined || leftOut.length > 0) return 1
  printError(
    shop === undefined
      ? 'Not compared with the sales of a shop: give --url and a marketer’s token once it runs.'
      : '✓ every sale of the shop keeps its database',
  )
  printError('Check by hand, in Upstash’s console: eviction is off and no budget is set, for each of them.')
  print(checked.secret)
  return 0
}
