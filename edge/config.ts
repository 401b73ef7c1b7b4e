/**
 * The gate's settings. Lambda@Edge has no environment variables, so they come as custom headers of the
 * origin, which CloudFront adds and no client can set. There is no default for any of them.
 */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { decodeJson } from '../core/json.ts'
import { type EdgeEvent, headerOf } from './cloudfront.ts'

/** `challengeKey` signs the challenges; `challengeCost` is the iterations of one try at solving one. */
export type Config = {
  gateUrl: string
  gateToken: string
  publicKey: KeyObject
  issuer: string
  audience: string
  allowedOrigins: ReadonlySet<string>
  challengeKey: string
  challengeCost: number
}

export type ConfigResult = { ok: true; config: Config } | { ok: false; problems: string[] }

/** Every origin custom header that begins so is the gate's own and never reaches the origin. */
export const configPrefix = 'x-sluice-'

const maxChallengeCost = 1_000_000

/**
 * The rest of a setting's header name, how its value is read, and what a value that cannot be read is not. `domain` is that of
 * the distribution itself, which its own settings cannot name.
 */
type Setting<T> = readonly [
  name: string,
  read: (text: string, domain: string) => T | undefined,
  what?: string,
]

const settings: { readonly [Name in keyof Config]: Setting<Config[Name]> } = {
  gateUrl: ['gate-url', readHttpUrl, 'an http(s) address'],
  gateToken: ['gate-token', readText],
  publicKey: ['public-key', readPublicKey, 'a public P-256 key in JWK form'],
  issuer: ['issuer', readText],
  audience: ['audience', readText],
  allowedOrigins: ['origins', readOrigins, 'a comma separated list of web origins'],
  challengeKey: ['challenge-key', readText],
  challengeCost: ['challenge-cost', readCost, `a whole number from 1 to ${maxChallengeCost}`],
}

const names = Object.values(settings).map(([name]) => configPrefix + name)

/** The domain of the distribution, and what each of the settings' headers says; undefined where it is not there once. */
export type RawConfig = readonly [domain: string, ...values: (string | undefined)[]]

/** The raw values in the order of `settings`; two requests with the same values share one parsed configuration. */
export function rawConfig({ request, config }: EdgeEvent['Records'][number]['cf']): RawConfig {
  const headers = request.origin?.custom?.customHeaders ?? {}
  const values = names.map((name) => {
    const found = headerOf(headers, name)
    return found.kind === 'one' ? found.value : undefined
  })
  return [config.distributionDomainName, ...values]
}

/** The configuration, or every problem in it at once. No problem repeats a value: some values are secrets. */
export function parseConfig(raw: RawConfig): ConfigResult {
  const problems: string[] = []
  const config = readAll(settings, raw, problems)
  return isWhole(config) ? { ok: true, config } : { ok: false, problems }
}

function readAll<T>(
  table: { readonly [Name in keyof T]: Setting<T[Name]> },
  [domain, ...raw]: RawConfig,
  problems: string[],
): Partial<T> {
  const values: Partial<T> = {}
  for (const key in table) {
    const [name, read, what = 'text'] = table[key]
    const header = configPrefix + name
    const text = raw[names.indexOf(header)]
    const value = text ? read(text, domain) : undefined
    if (value !== undefined) values[key] = value
    else problems.push(`${header} is ${text ? `not ${what}` : text === '' ? 'empty' : 'missing'}`)
  }
  return values
}

function isWhole(config: Partial<Config>): config is Config {
  return Object.keys(config).length === names.length
}

function readText(text: string): string {
  return text
}

function readHttpUrl(text: string): string | undefined {
  return isHttpUrl(text) ? text : undefined
}

/** A key with `d` in it is a private one: a leak in the making, though its public half would do. */
function readPublicKey(text: string): KeyObject | undefined {
  const json = decodeJson(text)
  if (!json.ok || typeof json.value !== 'object' || json.value === null) return undefined
  const { kty, crv, x, y, d }: Record<string, unknown> = { ...json.value }
  if (kty !== 'EC' || crv !== 'P-256' || typeof x !== 'string' || typeof y !== 'string' || d !== undefined) {
    return undefined
  }
  try {
    return createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' })
  } catch {
    return undefined
  }
}

/** The word `self` in the list stands for the distribution's own address. */
function readOrigins(text: string, domain: string): ReadonlySet<string> | undefined {
  const origins = text.split(',').map((word) => (word.trim() === 'self' ? `https://${domain}` : word.trim()))
  return origins.every(isOrigin) ? new Set(origins) : undefined
}

function readCost(text: string): number | undefined {
  const cost = /^[1-9]\d*$/.test(text) ? Number(text) : 0
  return cost >= 1 && cost <= maxChallengeCost ? cost : undefined
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function isOrigin(text: string): boolean {
  return isHttpUrl(text) && new URL(text).origin === text
}
