/**
 * The identity provider of this machine: one ES256 key pair. The edge gets the public half, as it would get
 * your provider's; the private half signs whatever the sign-in page asks for.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import * as z from 'zod/mini'
import { parseShopperId } from '../core/ids.ts'
import { readBy, readJson, whole } from '../core/parse.ts'

export const issuer = 'https://sign-in.sluice.local'
export const audience = 'sluice'

/** The body of `POST /local/sign-in`. */
export const claims = z.strictObject(
  {
    shopperId: readBy(parseShopperId, 'must be 1 to 128 letters, digits or _ . @ | : + -'),
    level: z.optional(whole(0, 100)),
    roles: z.optional(
      z
        .array(z.enum(['marketer'], 'must be "marketer"'), 'must be a list')
        .check(z.maxLength(1, 'is too long')),
    ),
  },
  'must be a JSON object with a shopperId',
)

export type Claims = z.infer<typeof claims>

export type Identity = {
  /** The public key as JWK, in JSON. */
  publicKey: string
  /** A signed token for these claims; `life` says by whom, and for how long (negative: expired already). */
  token(who: Claims, life: { expiresInSeconds: number; issuer: string }): Promise<string>
}

const storedKey = z.looseObject({ kty: z.literal('EC'), crv: z.literal('P-256'), d: z.string() })

/** A new key pair, or the one kept in `file`, so that sign-ins outlive a restart. Throws if the file is no key. */
export async function createIdentity(file: string | undefined): Promise<Identity> {
  const jwk = (file && (await readKey(file))) || (await newKey(file))
  const { d: _private, ...publicJwk } = jwk
  const key = await importJWK(jwk, 'ES256')
  return {
    publicKey: JSON.stringify(publicJwk),
    token({ shopperId, level, roles }, { expiresInSeconds, issuer }) {
      const now = Math.floor(Date.now() / 1000)
      return new SignJWT({ ...(level !== undefined && { level }), ...(roles !== undefined && { roles }) })
        .setProtectedHeader({ alg: 'ES256' })
        .setSubject(shopperId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(now + expiresInSeconds)
        .sign(key)
    },
  }
}

type Key = z.infer<typeof storedKey>

async function readKey(file: string): Promise<Key | undefined> {
  const text = await readFile(file, 'utf8').catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT') return undefined
    throw failure
  })
  if (text === undefined) return undefined
  const key = readJson(storedKey, text)
  if (!key.ok) throw new Error(`${file} is not the key this system wrote: ${key.detail}`)
  return key.value
}

async function newKey(file: string | undefined): Promise<Key> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key = storedKey.parse(await exportJWK(privateKey))
  if (file !== undefined) await writeFile(file, JSON.stringify(key), { mode: 0o600 })
  return key
}
