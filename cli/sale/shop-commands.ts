/** The shop beside its sales at the command line: its brand, its own customers, and its systems that receive events. */
import { readFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import * as z from 'zod/mini'
import { type BrandRecord, type BrandText, brand as brandSchema, offeredBy } from '../../core/brand.ts'
import { readJson } from '../../core/lib/parse.ts'
import { type CustomerIssuerView, keySet } from '../../core/people/customer-issuer.ts'
import {
  type EndpointView,
  type EventDelivery,
  endpointInput,
  endpointName,
  type SavedEndpoint,
} from '../../options/events/core/endpoint.ts'
import type { Context } from './context.ts'
import { checked, readFields } from './definition.ts'
import { columns } from './print.ts'
import { showTime } from './time.ts'

type Flags = { types?: string; sales?: string; disable?: true; enable?: true }

const listIn = (text: string): string[] => text.split(',').map((part) => part.trim())

export function addEventCommands(program: Command, { reader, changer, show }: Context): void {
  const events = program.command('events').description("where the shop's own systems receive events, and what was sent")
  events
    .command('list [name]')
    .description('list the addresses that receive events or, with a name, what was sent there and what waits')
    .action(async (name: string | undefined) => {
      const client = await reader()
      if (name === undefined) return show(await client.listEventEndpoints(), endpointsTable)
      show(await client.listEventDeliveries({ name }), deliveriesTable)
    })
  events
    .command('add <name> <url>')
    .description('send events to that address; the secret of a new one is shown this once')
    .option('--types <list>', 'only these types of events, with commas between them')
    .option('--sales <list>', 'only events of these sales')
    .addOption(new Option('--disable', 'send nothing there until it is enabled').conflicts('enable'))
    .option('--enable', 'send again, also after the address has answered 410')
    .action(async (name: string, url: string, { types, sales, disable, enable }: Flags) => {
      checked(z.object({ name: endpointName }), { name })
      const body = checked(endpointInput, {
        url,
        ...(types !== undefined && { types: listIn(types) }),
        ...(sales !== undefined && { sales: listIn(sales) }),
        ...((disable ?? enable) && { enabled: disable === undefined }),
      })
      show(await (await changer()).saveEventEndpoint({ name, body }), secretOf)
    })
  events
    .command('remove <name>')
    .description('send no events there any more, also none that wait')
    .action(async (name: string) => {
      await (await changer()).deleteEventEndpoint({ name })
      show({ removed: name }, () => `${name} receives no events any more`)
    })
  events
    .command('rotate-secret <name>')
    .description('make a new secret, which is shown this once; the former one signs as well for a day')
    .action(async (name: string) => show(await (await changer()).rotateEventSecret({ name }), secretOf))
  events
    .command('test <name>')
    .description('post a test event to that address at once')
    .action(async (name: string) => {
      const answer = await (await changer()).testEventEndpoint({ name })
      const what = answer.status === null ? answer.failure : `it answers ${answer.status}`
      show(answer, () => (answer.delivered ? `delivered: ${what}` : `not delivered: ${what}`))
    })
  events
    .command('replay <name> <eventId>')
    .description('send an event once more that was delivered or given up')
    .action(async (name: string, eventId: string) => {
      const client = await changer()
      const { deliveries } = await client.listEventDeliveries({ name })
      const finishedAt = deliveries.find((one) => one.eventId === eventId && one.finishedAt !== null)?.finishedAt
      if (finishedAt === undefined || finishedAt === null) {
        throw new RangeError(`${eventId} is not among the newest events that were sent to ${name}`)
      }
      await client.replayEventDelivery({ name, body: { eventId, finishedAt } })
      show({ replayed: eventId }, () => `${eventId} is sent to ${name} once more`)
    })
}

function secretOf({ endpoint, secret }: SavedEndpoint): string {
  const table = endpointsTable({ endpoints: [endpoint] })
  return secret === null ? table : `${table}\nIts secret, which is not shown again: ${secret}`
}

function endpointsTable({ endpoints }: { endpoints: readonly EndpointView[] }): string {
  if (endpoints.length === 0) return 'No address receives events yet.'
  return columns(
    ['NAME', 'STATE', 'ADDRESS', 'TYPES', 'SALES'],
    endpoints.map(({ name, state, url, types, sales }) => [
      ...[name, state, url, types?.join(',') ?? 'all', sales?.join(',') ?? 'all'],
    ]),
  )
}

function deliveriesTable({ deliveries }: { deliveries: readonly EventDelivery[] }): string {
  if (deliveries.length === 0) return 'Nothing was sent there yet.'
  return columns(
    ['HAPPENED', 'TYPE', 'EVENT', 'STATE', 'TRIES', 'ANSWER'],
    deliveries.map(({ at, type, eventId, state, tries, status, failure, nextAt }) => [
      ...[showTime(at), type, eventId],
      nextAt === null ? state : `again ${showTime(nextAt)}`,
      ...[String(tries), status === null ? (failure ?? '-') : String(status)],
    ]),
  )
}

type IssuerFlags = { jwksUrl?: string; jwks?: string; signInUrl?: string }

export function addCustomerCommands(program: Command, { reader, changer, show }: Context): void {
  const customers = program.command('customers').description("who signs tokens for the shop's own customers")
  customers
    .command('list')
    .description("list who signs tokens for the shop's own customers, with their keys")
    .action(async () => show(await (await reader()).listCustomerIssuers(), issuersTable))
  customers
    .command('add <name> <issuer>')
    .description(
      "take tokens of that issuer (iss) for the shop's own customers; their shopper ids begin customer:<name>|",
    )
    .option('--jwks-url <address>', 'where the shop publishes its public keys; they are read again every ten minutes')
    .option('--jwks <file>', 'file with the public keys instead, as a set of JSON Web Keys')
    .option('--sign-in-url <address>', 'page of the shop where customers sign in')
    .action(async (name: string, issuer: string, { jwksUrl, jwks, signInUrl }: IssuerFlags) => {
      const keys = jwks === undefined ? undefined : await keysIn(jwks)
      const client = await changer()
      const saved = await client.saveCustomerIssuer({ name, body: { issuer, signInUrl, jwksUrl, jwks: keys } })
      show(saved, () => `tokens of ${saved.issuer} count, everywhere within 2 seconds\n${keysTable([saved])}`)
    })
  customers
    .command('remove <name>')
    .description('take no tokens of that issuer any more')
    .action(async (name: string) => {
      await (await changer()).deleteCustomerIssuer({ name })
      show({ removed: name }, () => `tokens of ${name} count no more, everywhere within 2 seconds`)
    })
}

/** @throws RangeError when the file holds no set of keys */
async function keysIn(file: string) {
  const read = readJson(keySet, await readFile(file))
  if (read.ok) return read.value
  throw new RangeError(`${file} is no set of keys: ${read.detail}`)
}

function issuersTable({ issuers }: { issuers: readonly CustomerIssuerView[] }): string {
  if (issuers.length === 0) return 'No issuers of customers yet.'
  const failures = issuers.flatMap(({ name, jwksUrl, failedSince, failure }) =>
    failure === null
      ? []
      : [`${name}: ${jwksUrl} ${failure} (since ${showTime(failedSince ?? 0)}); the keys above stay good`],
  )
  return [keysTable(issuers), ...failures].join('\n')
}

function keysTable(issuers: readonly CustomerIssuerView[]): string {
  const rows = issuers.flatMap(({ name, issuer, keys }) =>
    keys.map(({ id, kid, alg, until }) => [
      ...[name, issuer, alg, kid ?? '-', id, until === null ? 'good' : `until ${showTime(until)}`],
    ]),
  )
  return columns(['NAME', 'ISSUER', 'ALG', 'KID', 'KEY', 'STATE'], rows)
}

export function addBrandCommand(program: Command, { reader, changer, show }: Context): void {
  program
    .command('brand [file]')
    .description('show the brand of the shop, or change the parts that a JSON file names')
    .option('--reset', 'forget what was set before')
    .action(async (file: string | undefined, { reset }: { reset?: true }) => {
      const isChange = reset === true || file !== undefined
      const client = await (isChange ? changer() : reader())
      const record = await client.getBrand()
      if (!isChange) return show(record, brandLines)
      const given = file === undefined ? {} : readFields(file)
      const brand = checked(brandSchema, { ...(reset !== true && record.brand), ...given })
      show(await client.changeBrand({ body: { revision: record.revision, brand } }), brandLines)
    })
}

function brandLines({ revision, brand }: BrandRecord): string {
  const languages = offeredBy(brand)
  const textLine = (text: BrandText) => languages.map((language) => text[language] ?? '').join(' | ')
  const { logo, colours, links = [], support, tagline, seller } = brand
  return [
    `${brand.name ?? 'Shop'} (revision ${revision})`,
    `languages ${languages.join(', ')}`,
    ...(logo === undefined ? [] : [`logo     ${logo}`]),
    ...(colours === undefined ? [] : [`colours  ${colours.light} on light, ${colours.dark} on dark screens`]),
    ...(tagline === undefined ? [] : [`tagline  ${textLine(tagline)}`]),
    ...links.map(({ label, href }) => `link     ${textLine(label)} | ${href}`),
    ...(seller === undefined ? [] : [`seller   ${Object.values(seller).join(' | ')}`]),
    ...(support === undefined ? [] : [`support  ${support}`]),
  ].join('\n')
}
