/**
 * The gate's settings. Lambda@Edge has no environment variables, so they come in one custom header
 * of the origin, which CloudFront adds and no client can set. There is no default for any of them;
 * the keys of Turnstile are the only ones that a stage may lack.
 *
 * The header holds JSON objects in base64url, joined by tildes: the settings that a template may
 * show, then the secret ones as CloudFormation reads them from Secrets Manager. Base64url needs no
 * quotes (`encodeConfig`). The secret ones may be a list in place of an object (packed-secrets.ts).
 */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { decodeJson } from '../core/lib/json.ts'
import { type EdgeEvent, headerOf } from './cloudfront.ts'
import { unpackKey, unpackSecrets } from './packed-secrets.ts'

type SessionKey = { kid: string | undefined; key: KeyObject }

/**
 * `readerToken` and `writerToken` belong to two Redis users. Sessions signed by any of `publicKeys` are valid, and
 * challenges signed by any of `challengeKeys`; the first of these signs new challenges. `challengeCost` is the
 * iterations of one try at solving a challenge. Without `turnstile` this stage has no sales that check shoppers by it.
 */
export type Config = {
  gateUrl: string
  readerToken: string
  writerToken: string
  publicKeys: readonly SessionKey[]
  challengeKeys: readonly string[]
  issuer: string
  audience: string
  origins: ReadonlySet<string>
  challengeCost: number
  turnstile?: TurnstileKeys
}

/** The keys of a Turnstile widget; a page sees the first. `verifyUrl` is Cloudflare's unless the secret names one. */
export type TurnstileKeys = { siteKey: string; secret: string; verifyUrl: string }

export type ConfigResult = { ok: true; config: Config } | { ok: false; problems: string[] }

/** Origin custom headers with this prefix are the gate's own and never reach the origin. */
export const configPrefix = 'x-sluice-'
export const configHeader = `${configPrefix}config`

const maxChallengeCost = 1_000_000
/** A key in use, its successor and a spare. Each costs a signature check for a token without a `kid`. */
const maxKeys = 3

/** The parser of a setting, and the wanted form for its problem text. `domain` is the distribution's own. */
type Setting<T> = readonly [read: (value: unknown, domain: string) => T | undefined, what: string]
type Settings<T> = { readonly [Name in keyof T]: Setting<T[Name]> }
type SecretName = 'gateUrl' | 'readerToken' | 'writerToken' | 'publicKeys' | 'challengeKeys'

const secretSettings: Settings<Pick<Config, SecretName>> = {
  gateUrl: [readHttpUrl, 'an http(s) address'],
  readerToken: [readText, 'text'],
  writerToken: [readText, 'text'],
  publicKeys: [readKeys, `a list of 1 to ${maxKeys} public P-256 keys in JWK form, each with a kid of its own`],
  challengeKeys: [(value) => readList(value, readText), `a list of 1 to ${maxKeys} texts`],
}

/** Secret settings that a stage may lack. */
const optionalSettings: Settings<Required<Pick<Config, 'turnstile'>>> = {
  turnstile: [readTurnstile, 'an object with siteKey and secret'],
}

const openSettings: Settings<Omit<Config, SecretName | keyof typeof optionalSettings>> = {
  issuer: [readText, 'text'],
  audience: [readText, 'text'],
  origins: [readOrigins, 'a list of web origins'],
  challengeCost: [readCost, `a whole number from 1 to ${maxChallengeCost}`],
}

/** The domain of the distribution, and the value of the header; undefined unless it is there exactly once. */
export type RawConfig = readonly [domain: string, value: string | undefined]

/** Two requests with the same raw values share one parsed configuration. */
export function rawConfig({ request, config }: EdgeEvent['Records'][number]['cf']): RawConfig {
  const found = headerOf(request.origin?.custom?.customHeaders ?? {}, configHeader)
  return [config.distributionDomainName, found.kind === 'one' ? found.value : undefined]
}

/** The value of the header for `parts`, each an object of settings or a list of packed ones. */
export function encodeConfig(...parts: readonly object[]): string {
  return parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('~')
}

/** The configuration, or all its problems. A problem never contains a value: some values are secrets. */
export function parseConfig([domain, value]: RawConfig): ConfigResult {
  if (!value) return { ok: false, problems: [`${configHeader} is ${value === '' ? 'empty' : 'missing'}`] }
  const parts = value.split('~').map(readPart)
  const given: Fields = Object.assign({}, ...parts)
  const problems = parts.flatMap((part, at) =>
    part === undefined ? [`part ${at + 1} of ${configHeader} is not JSON of settings in base64url`] : [],
  )
  const secrets = readSecrets(given, domain, problems)
  const open = readAll(openSettings, given, domain, problems)
  if (secrets === undefined || open === undefined || problems.length > 0) return { ok: false, problems }
  return { ok: true, config: { ...secrets, ...open } }
}

/** All problems of secret settings before they are stored; an unknown name is a problem. */
export function problemsOfSecrets(given: object): string[] {
  const problems: string[] = []
  readSecrets({ ...given }, '', problems)
  const known = { ...secretSettings, ...optionalSettings }
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name))
  return [...problems, ...unknown.map((name) => `${name} is not a setting`)]
}

type Fields = Readonly<Record<string, unknown>>

/** The settings in one part of the header; undefined for another text. */
export function readPart(part: string): Fields | undefined {
  const json = decodeJson(Buffer.from(part, 'base64url'))
  if (!json.ok) return undefined
  if (Array.isArray(json.value)) return unpackSecrets(json.value)
  return isObject(json.value) ? { ...json.value } : undefined
}

function readSecrets(given: Fields, domain: string, problems: string[]) {
  const optional = given.turnstile === undefined ? {} : readAll(optionalSettings, given, domain, problems)
  const secrets = readAll(secretSettings, given, domain, problems)
  return secrets && { ...secrets, ...optional }
}

/** Undefined when a setting is missing or cannot be read. */
function readAll<T>(table: Settings<T>, given: Fields, domain: string, problems: string[]): T | undefined {
  const values: Partial<T> = {}
  for (const key in table) {
    const [read, what] = table[key]
    const isGiven = given[key] !== undefined && given[key] !== null
    const value = isGiven ? read(given[key], domain) : undefined
    if (value !== undefined) values[key] = value
    else problems.push(isGiven ? `${key} is not ${what}` : `${key} is missing`)
  }
  return isComplete(values, table) ? values : undefined
}

function isComplete<T>(values: Partial<T>, table: Settings<T>): values is T {
  return Object.keys(values).length === Object.keys(table).length
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A list of one to `maxKeys` items, each of which `read` accepts. */
function readList<T>(value: unknown, read: (item: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxKeys) return undefined
  const items = value.map(read).filter((item) => item !== undefined)
  return items.length === value.length ? items : undefined
}

function readHttpUrl(value: unknown): string | undefined {
  return typeof value === 'string' && isHttpUrl(value) ? value : undefined
}

/** Only a single key may have no `kid`: among several, a token must name its key. */
function readKeys(value: unknown): readonly SessionKey[] | undefined {
  const keys = readList(value, readPublicKey)
  if (keys === undefined) return undefined
  const kids = new Set(keys.map(({ kid }) => kid))
  return keys.length === 1 || (kids.size === keys.length && !kids.has(undefined)) ? keys : undefined
}

/** A key with `d` is private and is refused: it must not be stored here. */
function readPublicKey(value: unknown): SessionKey | undefined {
  if (typeof value === 'string') return readPackedKey(value)
  if (!isObject(value)) return undefined
  const { kty, crv, x, y, d, kid }: Fields = { ...value }
  if (kty !== 'EC' || crv !== 'P-256' || typeof x !== 'string' || typeof y !== 'string' || d !== undefined) {
    return undefined
  }
  if (kid !== undefined && readText(kid) === undefined) return undefined
  try {
    return { kid: readText(kid), key: createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' }) }
  } catch {
    return undefined
  }
}

function readPackedKey(text: string): SessionKey | undefined {
  try {
    return unpackKey(text)
  } catch {
    return undefined
  }
}

/** `self` in the list is the distribution's own address. */
function readOrigins(value: unknown, domain: string): ReadonlySet<string> | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const origins = value.map((word) => (word === 'self' ? `https://${domain}` : word))
  return origins.every(isOrigin) ? new Set(origins) : undefined
}

const cloudflareSiteverify = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'

function readTurnstile(value: unknown): TurnstileKeys | undefined {
  if (!isObject(value)) return undefined
  const { siteKey, secret, verifyUrl = cloudflareSiteverify, ...others }: Fields = { ...value }
  const [key, password, url] = [readText(siteKey), readText(secret), readHttpUrl(verifyUrl)]
  if (key === undefined || password === undefined || url === undefined) return undefined
  return Object.keys(others).length === 0 ? { siteKey: key, secret: password, verifyUrl: url } : undefined
}

function readCost(value: unknown): number | undefined {
  const isCost = typeof value === 'number' && Number.isInteger(value) && value >= 1
  return isCost && value <= maxChallengeCost ? value : undefined
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function isOrigin(value: unknown): value is string {
  return typeof value === 'string' && isHttpUrl(value) && new URL(value).origin === value
}
