/**
 * The local stand-in for CloudFront's origin access control. In the cloud CloudFront signs each origin
 * request with SigV4 and the function URL (auth type AWS_IAM) refuses the rest; here both sides share a
 * secret made at boot. Like the real one it covers the method, the path and the hash of the body bytes.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export const signatureHeader = 'x-oac-signature'
export const bodyHashHeader = 'x-amz-content-sha256'

/** The SHA-256 of no bytes, in hex. */
export const emptyBodyHash = createHash('sha256').digest('hex')

/** The signature of one origin request; `path` includes the query string. */
export function signOriginRequest(secret: string, method: string, path: string, bodyHash: string): string {
  return createHmac('sha256', secret).update(`${method}\n${path}\n${bodyHash}`).digest('hex')
}

/** True when `signature` is this request's, and `bodyHash` is the hash of the bytes that really came. */
export function isSignedByUs(
  secret: string,
  request: { method: string; path: string; bodyHash: string; signature: string; body: Buffer },
): boolean {
  const expected = Buffer.from(signOriginRequest(secret, request.method, request.path, request.bodyHash))
  const given = Buffer.from(request.signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
  const actual = request.body.length === 0 ? emptyBodyHash : hashOf(request.body)
  return actual === request.bodyHash
}

function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex')
}
