/**
 * The page behaviours: path function, shared cache, bucket, compression, conditional answers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { consolePolicy, turnstileOrigin } from '../../system/site-headers.ts'
import { type Origin, type OriginAnswer, OriginFailed } from '../origin.ts'
import { isConsole, isLogIn, isOpen, isPointer, isWidget } from './behaviours.ts'
import type { Fetched, Served, SharedCache } from './cache.ts'
import { type ClockFunction, type SiteFunction, writeFunctionAnswer } from './cloudfront-functions.ts'
import { corsHeadersFor, headersWith, openSecurityHeaders, securityHeaders, widgetSecurityHeaders } from './headers.ts'

export type SiteOptions = {
  pathOf: SiteFunction
  cache: SharedCache
  bucket: Origin
  bucketName: string
  /** The origin to which the console uploads pictures. */
  uploadOrigin: string
  /** The viewer-response function of the pointer. */
  clock: ClockFunction
  /** The origin of the emulated Turnstile. */
  turnstile: string
}

/** Returns the handler of GET and HEAD for pages, assets and the public objects of sales. */
export function siteBehaviour(options: SiteOptions) {
  const { pathOf, cache, bucket, bucketName, uploadOrigin, clock, turnstile } = options
  const ofConsole = headersWith(consolePolicy(uploadOrigin))
  const ofWidget = widgetSecurityHeaders(turnstile)

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return writeError(response, 403, 'This distribution does not allow that method here.')
    }
    const url = request.url ?? '/'
    const { method, rawHeaders } = request
    const ip = request.socket.remoteAddress ?? ''
    const path = isLogIn(url) || isPointer(url) ? plainPath(url) : await pathOf({ method, url, ip, rawHeaders })
    // Only with the function's own headers: CloudFront does not guarantee to add those of its policy.
    if ('statusCode' in path) return writeFunctionAnswer(response, path)
    try {
      // The cache key has no query string, no cookie and no header, so that all viewers share one
      // object.
      const served = await cache.get(path.uri, async () => {
        return fetched(await ask(path.uri))
      })
      if (isWidget(url)) await write(request, response, withOrigin(served, turnstile), { security: ofWidget })
      else if (isConsole(url)) await write(request, response, served, { security: ofConsole })
      else {
        const security = isOpen(url) ? openSecurityHeaders : securityHeaders
        await write(request, response, served, { security, ...(isPointer(url) && { afterwards: clock }) })
      }
    } catch (failure) {
      if (!(failure instanceof OriginFailed)) throw failure
      writeError(response, failure.status, unavailable)
    }
  }

  function ask(uri: string): Promise<OriginAnswer> {
    return bucket.send({ method: 'GET', path: `/${bucketName}${uri}`, headers: [], body: null })
  }
}

/** Replaces Turnstile's origin in the page. Removes the ETag, because the emulator's origin may change. */
function withOrigin(served: Served, origin: string): Served {
  const body = Buffer.from(served.object.body.toString('utf8').replaceAll(turnstileOrigin, origin))
  return { ...served, object: { ...served.object, body, etag: undefined, variants: new Map() } }
}

const asItIs: ClockFunction = (_, { headers }) => headers

const unavailable = 'The site is not available right now.'

/**
 * Maps a path without the function: the sign-in page replaces an identity provider with its own behaviour, and the path
 * of a pointer is the name of its object.
 */
function plainPath(url: string): { uri: string } {
  const [path = ''] = url.split('?')
  return { uri: path.endsWith('/') ? `${path}index.html` : path }
}

function fetched({ status, headers, body }: OriginAnswer): Fetched {
  // The bucket's own error document is XML, useless to a shopper.
  if (status >= 400) return errorOf(status)
  return {
    status,
    contentType: text(headers['content-type']) ?? 'application/octet-stream',
    cacheControl: text(headers['cache-control']),
    etag: text(headers.etag),
    body,
  }
}

function errorOf(bucketStatus: number): Fetched {
  const status = bucketStatus === 403 ? 404 : bucketStatus
  const message = status >= 500 ? unavailable : 'There is nothing here.'
  return { status, ...plainError(status, message), etag: undefined }
}

function text(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}

async function write(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
  { afterwards = asItIs, security }: { afterwards?: ClockFunction; security: typeof securityHeaders },
): Promise<void> {
  const { object, xCache, ageSeconds } = served
  const encoding = encodingFor(text(request.headers['accept-encoding']), object.contentType, object.body.length)
  const etag =
    encoding === 'identity' || object.etag?.startsWith('W/') ? object.etag : object.etag && `W/${object.etag}`
  const headers = ['content-type', object.contentType, 'x-cache', `${xCache} from cloudfront`, ...security]
  headers.push(...corsHeadersFor(request))
  if (object.cacheControl !== undefined) headers.push('cache-control', object.cacheControl)
  if (etag !== undefined) headers.push('etag', etag)
  if (xCache === 'Hit') headers.push('age', String(ageSeconds))
  if (encoding !== 'identity') headers.push('vary', 'Accept-Encoding', 'content-encoding', encoding)
  if (etag !== undefined && matches(request.headers['if-none-match'], etag)) {
    response.writeHead(304, afterwards(request, { status: 304, headers }))
    response.end()
    return
  }
  const body = encoding === 'identity' ? object.body : await compressed(object.body, encoding, object.variants)
  headers.push('content-length', String(body.length))
  // CloudFront does not run a viewer-response function for errors of the origin.
  const { status } = object
  response.writeHead(status, status >= 400 ? headers : afterwards(request, { status, headers }))
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Compares If-None-Match weakly: a compressed variant matches its original. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const strong = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => strong(tag) === strong(etag))
}

/** Sends an error like CloudFront: short text, never a page of the bucket. */
export function writeError(response: ServerResponse, status: number, message: string): void {
  const { contentType, cacheControl, body } = plainError(status, message)
  response.writeHead(status, [
    'content-type',
    contentType,
    'content-length',
    String(body.length),
    'cache-control',
    cacheControl,
    'x-cache',
    'Error from cloudfront',
    ...securityHeaders,
  ])
  response.end(body)
}

function plainError(status: number, message: string) {
  return {
    contentType: 'text/plain; charset=utf-8',
    cacheControl: 'no-store',
    body: Buffer.from(`${status} ${message}\n`),
  }
}

/** Compression at the edge: CloudFront's types and sizes, brotli before gzip, each variant compressed once. */
type Encoding = 'br' | 'gzip' | 'identity'

const compressible = /^(?:text\/|application\/(?:javascript|json|xml|[a-z.+-]*\+json)|image\/svg\+xml)/

/** Returns the best encoding that the viewer accepts for this body; `q=0` means not acceptable. */
function encodingFor(accepted: string | undefined, contentType: string, bytes: number): Encoding {
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

/** Returns `body` in that encoding, cached in `variants`. */
async function compressed(
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
