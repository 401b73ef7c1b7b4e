/**
 * Signs the sessions of one machine with an ES256 key pair, named by its RFC 7638 thumbprint. The edge gets the public
 * half; the private half signs session tokens.
 */
import { readFile } from 'node:fs/promises'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import * as z from 'zod/mini'
import { parseShopperId } from '../core/ids.ts'
import { textOfFile } from '../core/lib/file-text.ts'
import { readBy, readJson, whole } from '../core/lib/parse.ts'
import { roles } from '../core/roles.ts'
import {
  type SigningKey,
  signingKey,
  type TokenTerms,
  tokenSigner,
  toPublicJwk,
} from '../functions/lib/session-token.ts'
import { writeFileAtomic } from './atomic-file.ts'

export const issuer = 'https://sign-in.sluice.local'
export const audience = 'sluice'

/** The body of `POST /local/sign-in`. */
export const signInClaims = z.strictObject(
  {
    shopperId: readBy(parseShopperId, 'must be 1 to 128 letters, digits or _ . @ | : + -'),
    level: z.optional(whole(0, 100)),
    roles: z.optional(
      z
        .array(z.enum(roles, `must be one of ${roles.join(', ')}`), 'must be a list')
        .check(z.maxLength(roles.length, 'is too long')),
    ),
  },
  'must be a JSON object with a shopperId',
)

type Claims = z.infer<typeof signInClaims>

export type Identity = {
  publicKey: JWK
  /** The private key, for the function that signs sessions. */
  privateKey: SigningKey
  /** Signs a token with these claims for our own edge. */
  token(who: Claims, life: Omit<TokenTerms, 'audience'>): Promise<string>
}

/**
 * Reads the key pair from `file`, so that sessions outlive a restart, or creates one.
 * @throws when the file holds no key
 */
export async function createIdentity(file: string | undefined): Promise<Identity> {
  const jwk = (file && (await readKey(file))) || (await newKey(file))
  const sign = await tokenSigner(jwk)
  return { publicKey: await toPublicJwk(jwk), privateKey: jwk, token: (who, life) => sign(who, { audience, ...life }) }
}

/**
 * Reads the key in `file`; undefined when the file is missing.
 * @throws when the file holds no key
 */
export async function readKey(file: string): Promise<SigningKey | undefined> {
  const bytes = await readFile(file).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT') return undefined
    throw failure
  })
  if (bytes === undefined) return undefined
  const key = readJson(signingKey, textOfFile(file, bytes))
  if (!key.ok) throw new Error(`${file} holds no private ES256 key: ${key.detail}`)
  return key.value
}

/**
 * Creates a key, and writes it to `file` if one is given.
 * @throws when the file exists
 */
export async function newKey(file: string | undefined): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key = signingKey.parse(await exportJWK(privateKey))
  if (file !== undefined) writeFileAtomic(file, JSON.stringify(key), { isNew: true })
  return key
}
