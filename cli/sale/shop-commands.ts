/** Commands about the brand of the shop and the issuers of its customers' tokens. */
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { type BrandRecord, type BrandText, brand as brandSchema, offeredLanguages } from '../../core/brand.ts'
import { textOfFile } from '../../core/lib/file-text.ts'
import { readJson } from '../../core/lib/parse.ts'
import { type CustomerIssuerView, keySet } from '../../core/people/customer-issuer.ts'
import type { TokenFault } from '../../core/people/customer-keys.ts'
import type { Context } from './context.ts'
import { readFields, validated } from './definition.ts'
import { columns } from './print.ts'
import { showTime } from './time.ts'

type IssuerFlags = { jwksUrl?: string; jwks?: string; signInUrl?: string }

export function addCustomerCommands(program: Command, { reader, writer, show }: Context): void {
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
      const client = await writer()
      const saved = await client.saveCustomerIssuer({ name, body: { issuer, signInUrl, jwksUrl, jwks: keys } })
      show(saved, () => `tokens of ${saved.issuer} count, everywhere within 2 seconds\n${keysTable([saved])}`)
    })
  customers
    .command('remove <name>')
    .description('take no tokens of that issuer any more')
    .action(async (name: string) => {
      await (await writer()).deleteCustomerIssuer({ name })
      show({ removed: name }, () => `tokens of ${name} count no more, everywhere within 2 seconds`)
    })
}

/** Reads a JSON Web Key Set from a file. @throws RangeError when the file holds none */
async function keysIn(file: string) {
  const read = readJson(keySet, textOfFile(file, await readFile(file)))
  if (read.ok) return read.value
  throw new RangeError(`${file} is no set of keys: ${read.detail}`)
}

const faultWords: Readonly<Record<TokenFault, string>> = {
  future: 'made in the future, so the clock of the shop is ahead',
  expired: 'expired',
  key: 'not signed with one of the keys',
  audience: 'made for another site (aud)',
  'too-long': 'valid for more than an hour',
  claims: 'sub, iat, exp or level is missing or wrong',
}

function issuersTable({ issuers }: { issuers: readonly CustomerIssuerView[] }): string {
  if (issuers.length === 0) return 'No issuers of customers yet.'
  const failures = issuers.flatMap(({ name, jwksUrl, failedSince, failure }) =>
    failure === null
      ? []
      : [`${name}: ${jwksUrl} ${failure} (since ${showTime(failedSince ?? 0)}); the keys above stay good`],
  )
  const refused = issuers.flatMap(({ name, refused }) =>
    (refused ?? []).map(
      ({ reason, count, lastAt }) =>
        `${name}: ${count} tokens refused in 24 hours: ${faultWords[reason]} (last one after ${showTime(lastAt)})`,
    ),
  )
  return [keysTable(issuers), ...failures, ...refused].join('\n')
}

function keysTable(issuers: readonly CustomerIssuerView[]): string {
  const rows = issuers.flatMap(({ name, issuer, keys }) =>
    keys.map(({ id, kid, alg, until }) => [
      ...[name, issuer, alg, kid ?? '-', id, until === null ? 'good' : `until ${showTime(until)}`],
    ]),
  )
  return columns(['NAME', 'ISSUER', 'ALG', 'KID', 'KEY', 'STATE'], rows)
}

export function addBrandCommand(program: Command, { reader, writer, show }: Context): void {
  program
    .command('brand [file]')
    .description('show the brand of the shop, or change the parts that a JSON file names')
    .option('--reset', 'forget what was set before')
    .action(async (file: string | undefined, { reset }: { reset?: true }) => {
      const isChange = reset === true || file !== undefined
      const client = await (isChange ? writer() : reader())
      const record = await client.getBrand()
      if (!isChange) return show(record, brandLines)
      const given = file === undefined ? {} : readFields(file)
      const brand = validated(brandSchema, { ...(reset !== true && record.brand), ...given })
      show(await client.changeBrand({ body: { revision: record.revision, brand } }), brandLines)
    })
}

function brandLines({ revision, brand }: BrandRecord): string {
  const languages = offeredLanguages(brand)
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
