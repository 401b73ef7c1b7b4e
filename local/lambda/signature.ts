/**
 * Replaces CloudFront's origin access control. In the cloud CloudFront signs each origin request with SigV4, and the
 * function URL (auth type AWS_IAM) rejects all others; here both sides share a secret that is created at startup. Like
 * the real signature it covers the method, the path and the hash of the body bytes.
 */
import { hash, timingSafeEqual } from 'node:crypto'

export const signatureHeader = 'x-oac-signature'
export const bodyHashHeader = 'x-amz-content-sha256'

/** The SHA-256 of no bytes, in hex. */
export const emptyBodyHash = hash('sha256', '', 'hex')

/** Signs an origin request; `path` includes the query string. */
export function signOriginRequest(secret: string, method: string, path: string, bodyHash: string): string {
  // The secret is at both ends to prevent length extension. One call, because this runs twice per request.
  return hash('sha256', `${secret}\n${method}\n${path}\n${bodyHash}\n${secret}`, 'hex')
}

/** True when `signature` is this request's, and `bodyHash` is the hash of the bytes received. */
export function isSignedByUs(
  secret: string,
  request: { method: string; path: string; bodyHash: string; signature: string; body: Buffer },
): boolean {
  const expected = Buffer.from(signOriginRequest(secret, request.method, request.path, request.bodyHash))
  const given = Buffer.from(request.signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
  const actual = request.body.length === 0 ? emptyBodyHash : hash('sha256', request.body, 'hex')
  return actual === request.bodyHash
}
