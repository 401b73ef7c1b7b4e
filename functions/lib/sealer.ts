/**
 * Encrypts texts that only this shop can read, with A256GCM, each for one purpose and one owner. A text that was copied to
 * another owner, or is used for another purpose, does not open.
 */
import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose'
import * as z from 'zod/mini'
import { jsonText } from './env.ts'

/** `owner` is the origin of the shop for a cookie, and an id otherwise. */
export type Purpose = {
  purpose: 'sign-in' | 'refresh' | 'delivery' | 'contact' | 'unsubscribe' | 'event-secret'
  owner: string
}

/** The purpose of the token in a link "Unsubscribe". The link names no owner, so all shoppers share one. */
export const unsubscribeSeal: Purpose = { purpose: 'unsubscribe', owner: 'email' }

export type Sealer = {
  /** Without `lifeSeconds` the text never expires. */
  seal(purpose: Purpose, content: Record<string, unknown>, lifeSeconds?: number): Promise<string>
  /** Returns the content; undefined when the text is expired, or not ours for this purpose and owner. */
  open(purpose: Purpose, text: string): Promise<JWTPayload | undefined>
}

/** A key in use, its successor and a spare. */
export const maxSealerKeys = 3

const keyBytes = 32

/** The schema of a variable with keys: a JSON list of 1 to 3 texts, each 32 bytes in base64. The first one encrypts. */
export const sealerKeys = jsonText(
  z.array(z.string().check(z.refine(isKey))).check(z.minLength(1), z.maxLength(maxSealerKeys)),
  `must be a list in JSON of 1 to ${maxSealerKeys} keys of ${keyBytes} bytes in base64`,
)

/** Creates a sealer. `keys` are 32 bytes each in base64: the first one encrypts, all of them decrypt. */
export function createSealer(keys: readonly string[], clock: () => number): Sealer {
  const [first, ...others] = keys.map((key) => Buffer.from(key, 'base64'))
  if (first === undefined) throw new RangeError('there is no key to encrypt with')
  const seconds = () => Math.floor(clock() / 1000)
  return {
    seal({ purpose, owner }, content, lifeSeconds) {
      const text = new EncryptJWT(content)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: purpose })
        .setAudience(owner)
      return (lifeSeconds === undefined ? text : text.setExpirationTime(seconds() + lifeSeconds)).encrypt(first)
    },
    async open({ purpose, owner }, text) {
      const options = {
        audience: owner,
        typ: purpose,
        currentDate: new Date(clock()),
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      }
      for (const key of [first, ...others]) {
        const content = await tryDecrypt(text, key, options)
        if (content !== undefined) return content
      }
      return undefined
    },
  }
}

async function tryDecrypt(text: string, key: Uint8Array, options: Parameters<typeof jwtDecrypt>[2]) {
  try {
    return (await jwtDecrypt(text, key, options)).payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

function isKey(text: string): boolean {
  return Buffer.from(text, 'base64').length === keyBytes
}
