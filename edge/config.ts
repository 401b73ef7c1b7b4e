/**
 * The gate's settings. Lambda@Edge has no environment variables, so they come as custom headers of the
 * origin, which CloudFront adds and no client can set. There is no default for any of them.
 */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { decodeJson } from '../core/json.ts'
import { type EdgeRequest, headerOf } from './cloudfront.ts'

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

const names = [
  'gate-url',
  'gate-token',
  'public-key',
  'issuer',
  'audience',
  'origins',
  'challenge-key',
  'challenge-cost',
].map((name) => configPrefix + name)

const maxChallengeCost = 1_000_000

/** What each of the settings' headers says; undefined where it is not there once. */
export type RawConfig = readonly (string | undefined)[]

/** The raw values in the order of `names`; two requests with the same values share one parsed configuration. */
export function rawConfig(request: EdgeRequest): RawConfig {
  const headers = request.origin?.custom?.customHeaders ?? {}
  return names.map((name) => {
    const found = headerOf(headers, name)
    return found.kind === 'one' ? found.value : undefined
  })
}

/** The configuration, or every problem in it at once. No problem repeats a value: some values are secrets. */
export function parseConfig(raw: RawConfig): ConfigResult {
  const problems: string[] = []

  let at = 0

  /** The value of the next name. */
  function setting<T>(read: (text: string) => T | undefined, what = 'text'): T | undefined {
    const [name, text] = [names[at], raw[at]]
    at += 1
    if (text === undefined || text === '') {
      problems.push(`${name} is ${text === undefined ? 'missing' : 'empty'}`)
      return undefined
    }
    const value = read(text)
    if (value === undefined) problems.push(`${name} is not ${what}`)
    return value
  }

  // In the order of `names`.
  const values = {
    gateUrl: setting(readHttpUrl, 'an http(s) address'),
    gateToken: setting(readText),
    publicKey: setting(readPublicKey, 'a public P-256 key in JWK form'),
    issuer: setting(readText),
    audience: setting(readText),
    allowedOrigins: setting(readOrigins, 'a comma separated list of web origins'),
    challengeKey: setting(readText),
    challengeCost: setting(readCost, `a whole number from 1 to ${maxChallengeCost}`),
  }
  return isWhole(values) ? { ok: true, config: values } : { ok: false, problems }
}

function isWhole(values: { [Name in keyof Config]: Config[Name] | undefined }): values is Config {
  return Object.values(values).every((value) => value !== undefined)
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

function readOrigins(text: string): ReadonlySet<string> | undefined {
  const origins = text.split(',').map((origin) => origin.trim())
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
