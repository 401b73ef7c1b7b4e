/**
 * The gate's settings. Lambda@Edge has no environment variables, so they come as custom headers of the
 * origin, which CloudFront adds and no client can set. There is no default for any of them.
 */
import { createPublicKey, type KeyObject } from 'node:crypto'
import * as z from 'zod/mini'
import { readJson } from '../core/parse.ts'
import { type EdgeRequest, headerOf } from './cloudfront.ts'

export type Config = {
  gateUrl: string
  gateToken: string
  publicKey: KeyObject
  issuer: string
  audience: string
  allowedOrigins: ReadonlySet<string>
}

export type ConfigResult = { ok: true; config: Config } | { ok: false; problems: string[] }

/** Every origin custom header that begins so is the gate's own and never reaches the origin. */
export const configPrefix = 'x-sluice-'

const names = [
  'x-sluice-gate-url',
  'x-sluice-gate-token',
  'x-sluice-public-key',
  'x-sluice-issuer',
  'x-sluice-audience',
  'x-sluice-origins',
] as const

const text = () => z.string('is missing').check(z.minLength(1, 'is empty'))

const schema = z.object({
  'x-sluice-gate-url': text().check(z.refine(isHttpUrl, 'is not an http(s) address')),
  'x-sluice-gate-token': text(),
  'x-sluice-public-key': text().check(
    z.refine((jwk) => readPublicKey(jwk) !== undefined, 'is not a public P-256 key in JWK form'),
  ),
  'x-sluice-issuer': text(),
  'x-sluice-audience': text(),
  'x-sluice-origins': text().check(
    z.refine((list) => splitOrigins(list).every(isOrigin), 'is not a comma separated list of web origins'),
  ),
})

/** The raw values in the order of `names`; two requests with the same values share one parsed configuration. */
export function rawConfig(request: EdgeRequest): (string | undefined)[] {
  const headers = request.origin?.custom?.customHeaders ?? {}
  return names.map((name) => {
    const found = headerOf(headers, name)
    return found.kind === 'one' ? found.value : undefined
  })
}

/** The configuration, or every problem in it at once. No problem repeats a value: some values are secrets. */
export function parseConfig(raw: readonly (string | undefined)[]): ConfigResult {
  const result = schema.safeParse(Object.fromEntries(names.map((name, index) => [name, raw[index]])))
  if (!result.success) {
    return {
      ok: false,
      problems: result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`),
    }
  }
  const values = result.data
  const publicKey = readPublicKey(values['x-sluice-public-key'])
  if (publicKey === undefined) throw new Error('x-sluice-public-key was valid a moment ago')
  const config: Config = {
    gateUrl: values['x-sluice-gate-url'],
    gateToken: values['x-sluice-gate-token'],
    publicKey,
    issuer: values['x-sluice-issuer'],
    audience: values['x-sluice-audience'],
    allowedOrigins: new Set(splitOrigins(values['x-sluice-origins'])),
  }
  return { ok: true, config }
}

const publicJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  // A private key here is a leak in the making, though its public half would do.
  d: z.optional(z.never()),
})

function readPublicKey(text: string): KeyObject | undefined {
  const jwk = readJson(publicJwk, text)
  if (!jwk.ok) return undefined
  const { kty, crv, x, y } = jwk.value
  try {
    return createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' })
  } catch {
    return undefined
  }
}

function splitOrigins(list: string): string[] {
  return list.split(',').map((origin) => origin.trim())
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function isOrigin(text: string): boolean {
  return isHttpUrl(text) && new URL(text).origin === text
}
