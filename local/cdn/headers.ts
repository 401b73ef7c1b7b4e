/**
 * Which headers an origin-request function may see and change, by CloudFront's rules.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/edge-function-restrictions-all.html
 */
import type { CloudFrontHeaders } from 'aws-lambda'

type Kind = 'open' | 'read-only' | 'forbidden'

const readOnly = new Set(['accept-encoding', 'cdn-loop', 'content-length', 'transfer-encoding', 'via'])
const forbidden = new Set([
  'connection',
  'expect',
  'keep-alive',
  'trailer',
  'upgrade',
  'x-cache',
  'x-forwarded-proto',
  'x-real-ip',
])
const forbiddenPrefixes = ['proxy-', 'x-accel-', 'x-amz-cf-', 'x-amzn-', 'x-edge-']

type Known = { name: string; kind: Kind }
const known = new Map<string, Known>()

/** A header name as the client wrote it, in lower case, and what a function may do with it. */
export function headerKind(written: string): Known {
  const found = known.get(written)
  if (found !== undefined) return found
  const name = written.toLowerCase()
  const answer: Known = { name, kind: kindOf(name) }
  // Clients choose these names, so the cache is limited.
  if (known.size < 1000) known.set(written, answer)
  return answer
}

function kindOf(name: string): Kind {
  if (forbidden.has(name) || forbiddenPrefixes.some((prefix) => name.startsWith(prefix))) return 'forbidden'
  return readOnly.has(name) || name.startsWith('if-') ? 'read-only' : 'open'
}

/** Headers that a function may read but not change: pairs of name and value. */
export type ReadOnlyHeaders = readonly string[]

/**
 * The name of a header for which CloudFront would answer 502, because the function added or kept a
 * forbidden one or changed a read-only one; undefined when the request may go to the origin.
 */
export function illegalHeader(returned: CloudFrontHeaders, original: ReadOnlyHeaders): string | undefined {
  let readOnlySeen = 0
  for (const name in returned) {
    const { kind, name: lower } = headerKind(name)
    if (kind === 'forbidden' || name !== lower) return name
    if (kind === 'read-only') {
      for (const { value } of returned[name] ?? []) {
        if (!isOriginal(original, name, value)) return name
        readOnlySeen += 1
      }
    }
  }
  return readOnlySeen === original.length / 2 ? undefined : 'a read-only header that was removed'
}

function isOriginal(original: ReadOnlyHeaders, name: string, value: string): boolean {
  for (let i = 0; i < original.length; i += 2) {
    if (original[i] === name && original[i + 1] === value) return true
  }
  return false
}
