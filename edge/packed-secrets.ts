/**
 * The secret settings of the gate as a short list, since CloudFront limits what the headers of all origins
 * take together: values in a fixed order, and each public key as its compressed point. Settings with their
 * names and keys as JWK, as they were stored before, are read as well (config.ts).
 */
import { createHash, createPublicKey, ECDH, type KeyObject } from 'node:crypto'

/** The order of the list. Names may be added at its end only. */
const names = ['gateUrl', 'readerToken', 'writerToken', 'publicKeys', 'challengeKeys', 'turnstile'] as const

type Fields = Readonly<Record<string, unknown>>
type Jwk = { x: string; y: string; kid?: string }

/** `given` has been checked (`problemsOfSecrets`). */
export function packSecrets({ publicKeys, ...given }: Fields & { publicKeys: readonly (Jwk | string)[] }): unknown[] {
  const packed: Fields = {
    ...given,
    publicKeys: publicKeys.map((key) => (typeof key === 'string' ? key : packKey(key))),
  }
  const values = names.map((name) => packed[name] ?? null)
  return values.at(-1) === null ? values.slice(0, -1) : values
}

export function unpackSecrets(values: readonly unknown[]): Fields {
  return Object.fromEntries(names.map((name, index) => [name, values[index]]))
}

/** `<point>.<kid>`; `<point>` alone where the `kid` is the key's thumbprint, `<point>.` without a `kid`. */
export function packKey({ x, y, kid }: Jwk): string {
  const whole = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const point = convert(whole, 'compressed').toString('base64url')
  return kid === thumbprintOf({ x, y }) ? point : `${point}.${kid ?? ''}`
}

/**
 * The key in a text of `packKey`.
 * @throws when it is no point of the curve
 */
export function unpackKey(text: string): { kid: string | undefined; key: KeyObject } {
  const [point = '', ...rest] = text.split('.')
  const whole = convert(Buffer.from(point, 'base64url'), 'uncompressed')
  const [x, y] = [whole.subarray(1, 33), whole.subarray(33)].map((part) => part.toString('base64url'))
  if (x === undefined || y === undefined) throw new TypeError('not a point of P-256')
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  return { key, kid: rest.length === 0 ? thumbprintOf({ x, y }) : rest.join('.') || undefined }
}

function convert(point: Buffer, form: 'compressed' | 'uncompressed'): Buffer {
  const converted = ECDH.convertKey(point, 'prime256v1', undefined, undefined, form)
  return Buffer.isBuffer(converted) ? converted : Buffer.from(converted, 'latin1')
}

/** RFC 7638. */
export function thumbprintOf({ x, y }: Jwk): string {
  return createHash('sha256').update(`{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`).digest('base64url')
}
