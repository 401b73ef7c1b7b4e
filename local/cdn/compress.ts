/**
 * Compression at the edge: CloudFront's types and sizes, brotli before gzip, each variant made
 * once.
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

const compressible = /^(?:text\/|application\/(?:javascript|json|xml|[a-z.+-]*\+json)|image\/svg\+xml)/

/** The best encoding that the viewer accepts for such a body; `q=0` means not acceptable. */
export function encodingFor(accepted: string | undefined, contentType: string, bytes: number): Encoding {
  if (accepted === undefined || bytes < 1000 || bytes > 10_000_000 || !compressible.test(contentType)) return 'identity'
  const names = accepted
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(?:\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]?.trim())
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : 'identity'
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** `body` in that encoding, from `variants` when it was made before. */
export async function compressed(
  body: Buffer,
  encoding: Exclude<Encoding, 'identity'>,
  variants: Map<string, Buffer>,
): Promise<Buffer> {
  const made = variants.get(encoding)
  if (made !== undefined) return made
  const bytes =
    encoding === 'br'
      ? await toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
      : await toGzip(body, { level: 6 })
  variants.set(encoding, bytes)
  return bytes
}
