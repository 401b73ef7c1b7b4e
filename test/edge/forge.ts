/** Session tokens that no token library would make. */
import { type KeyObject, sign } from 'node:crypto'
import { keys } from './support.ts'

export const encode = (text: string) => Buffer.from(text).toString('base64url')

/**
 * A compact token of these two texts, JSON or not, with a valid ES256 signature: the issuer's, unless `key` is another.
 */
export function signedTexts(header: string, payload: string, key: KeyObject = keys.privateKey): string {
  const signed = `${encode(header)}.${encode(payload)}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}
