/**
 * Cookies that only this function can read and write: encrypted with A256GCM, each for one purpose, one
 * shop and a limited time. So the function keeps nothing of a sign-in that has not come back.
 */
import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose'

/** `shop` is the origin of the shop; a cookie of another one does not open. */
type Purpose = { purpose: 'sign-in' | 'refresh'; shop: string }

export type SealedCookies = {
  seal(purpose: Purpose, content: Record<string, string>, lifeSeconds: number): Promise<string>
  /** The content; undefined when the text is not a valid cookie for this purpose and shop. */
  open(purpose: Purpose, text: string): Promise<JWTPayload | undefined>
}

/** `keys` are 32 bytes each in base64. The first one encrypts, all of them decrypt. */
export function sealedCookies(keys: readonly string[], clock: () => number): SealedCookies {
  const [first, ...others] = keys.map((key) => Buffer.from(key, 'base64'))
  if (first === undefined) throw new RangeError('there is no key for cookies')
  const seconds = () => Math.floor(clock() / 1000)
  return {
    seal: ({ purpose, shop }, content, lifeSeconds) =>
      new EncryptJWT(content)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: purpose })
        .setAudience(shop)
        .setExpirationTime(seconds() + lifeSeconds)
        .encrypt(first),
    async open({ purpose, shop }, text) {
      const options = {
        audience: shop,
        typ: purpose,
        currentDate: new Date(clock()),
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      }
      for (const key of [first, ...others]) {
        const content = await decrypted(text, key, options)
        if (content !== undefined) return content
      }
      return undefined
    },
  }
}

async function decrypted(text: string, key: Uint8Array, options: Parameters<typeof jwtDecrypt>[2]) {
  try {
    return (await jwtDecrypt(text, key, options)).payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
