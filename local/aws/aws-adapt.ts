/**
 * Adapts fauxqs in three points. It listens on every network interface without authentication. Its S3 ignores
 * `If-None-Match: *` and `If-Match`, which protect published versions and the files of options. And it accepts the file
 * of any form, and does not answer browsers of another origin. All are changed on its Fastify server, which announces
 * itself when it is created.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { buildApp } from 'fauxqs'
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'
import { loopback } from '../ports.ts'
import { localSecret } from '../resources.ts'

type App = ReturnType<typeof buildApp>

/** Runs `start`, which must create its server synchronously. */
export async function adaptFauxqs<T>(start: () => Promise<T>): Promise<T> {
  let isAdapted = false
  const onCreated = (message: unknown) => {
    const { fastify: app } = message as { fastify: App }
    listenOnLoopback(app)
    refuseOverwrites(app)
    checkForms(app)
    isAdapted = true
  }
  subscribe('fastify.initialization', onCreated)
  let started: Promise<T>
  try {
    started = start()
  } finally {
    unsubscribe('fastify.initialization', onCreated)
  }
  const result = await started
  if (!isAdapted) throw new Error('fauxqs did not announce its server: its version does not fit this file.')
  return result
}

function listenOnLoopback(app: App): void {
  const { listen } = app
  Object.assign(app, { listen: (options: object) => Reflect.apply(listen, app, [{ ...options, host: loopback }]) })
}

/** Emulates conditional writes (https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html). */
function refuseOverwrites(app: App): void {
  const writing = new Set<string>()
  app.addHook('preHandler', async (request, reply) => {
    const { url, method, headers } = request
    const isCreating = headers['if-none-match'] === '*'
    const wanted = headers['if-match']
    if (method !== 'PUT' || !(isCreating || wanted !== undefined)) return
    if (writing.has(url)) {
      return reply.code(409).type('application/xml').send(refusal('ConditionalRequestConflict'))
    }
    writing.add(url)
    reply.raw.once('close', () => writing.delete(url))
    const path = url.split('?')[0] ?? url
    const existing = await app.inject({ method: 'HEAD', url: path })
    const isThere = existing.statusCode === 200
    if (isCreating ? isThere : !isThere || existing.headers.etag !== wanted) {
      return reply.code(412).type('application/xml').send(refusal('PreconditionFailed'))
    }
  })
}

/**
 * Checks the signed policy of uploads. Browsers upload pictures from the origin of the shop, so the answers have the
 * CORS headers of the bucket in the cloud (`infra/constructs/upload-bucket.ts`).
 */
function checkForms(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.origin === undefined) return
    reply.header('access-control-allow-origin', '*')
    if (request.method !== 'OPTIONS') return
    return reply
      .header('access-control-allow-methods', 'POST')
      .header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '')
      .code(200)
      .send()
  })
  app.addHook('preHandler', async (request, reply) => {
    const type = request.headers['content-type'] ?? ''
    if (request.method !== 'POST' || !type.startsWith('multipart/form-data')) return
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const refused = refusalOf(await readForm(type, body), localSecret, Date.now())
    if (refused === undefined) return
    const status = refused.startsWith('Entity') ? 400 : 403
    return reply.code(status).type('application/xml').send(refusal(refused, 'Invalid according to Policy'))
  })
}

function refusal(code: string, message = 'At least one of the pre-conditions you specified did not hold'): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`
}

const condition = z.union([
  z.tuple([z.literal('content-length-range'), z.number(), z.number()]),
  z.tuple([z.enum(['eq', 'starts-with']), z.string(), z.string()]),
  z.record(z.string(), z.string()),
])
const policy = z.object({ expiration: z.string(), conditions: z.array(condition) })

type Condition = z.infer<typeof condition>

/**
 * A received form: its fields by lower-case name, and the size of its file. S3 checks the signature of its policy, its
 * time and every condition
 * (https://docs.aws.amazon.com/AmazonS3/latest/developerguide/sigv4-HTTPPOSTConstructPolicy.html); fauxqs stores the
 * file of any form.
 */
type PostedForm = { fields: ReadonlyMap<string, string>; fileBytes: number }

/** The S3 error code of a rejected form. */
type PostRefusal = 'AccessDenied' | 'SignatureDoesNotMatch' | 'EntityTooLarge' | 'EntityTooSmall'

/** Fields that need no condition. */
const exempt = /^(?:policy|x-amz-signature|file|x-ignore-.*)$/

/** Parses a body of `multipart/form-data`; the file is its last field. */
async function readForm(contentType: string, body: Uint8Array): Promise<PostedForm> {
  const data = await new Response(Buffer.from(body), { headers: { 'content-type': contentType } }).formData()
  const fields = new Map<string, string>()
  let fileBytes = 0
  for (const [name, value] of data) {
    if (typeof value === 'string') fields.set(name.toLowerCase(), value)
    else fileBytes = value.size
  }
  return { fields, fileBytes }
}

/** Returns why S3 rejects the form; undefined when it accepts it. `now` is epoch ms. */
function refusalOf(form: PostedForm, secret: string, now: number): PostRefusal | undefined {
  const encoded = form.fields.get('policy')
  if (encoded === undefined) return 'AccessDenied'
  if (!isSigned(form, encoded, secret)) return 'SignatureDoesNotMatch'
  const read = readJson(policy, Buffer.from(encoded, 'base64').toString('utf8'))
  if (!read.ok || Date.parse(read.value.expiration) <= now) return 'AccessDenied'
  const { conditions } = read.value
  const unnamed = [...form.fields.keys()].filter((name) => !exempt.test(name))
  const named = new Set(conditions.flatMap(namesIn))
  if (unnamed.some((name) => !named.has(name))) return 'AccessDenied'
  for (const one of conditions) {
    const refused = refusalBy(one, form)
    if (refused !== undefined) return refused
  }
  return undefined
}

function isSigned({ fields }: PostedForm, encoded: string, secret: string): boolean {
  const [, day = '', region = '', service = '', end = ''] = (fields.get('x-amz-credential') ?? '').split('/')
  const key = [day, region, service, end].reduce<string | Buffer>(
    (before, part) => createHmac('sha256', before).update(part).digest(),
    `AWS4${secret}`,
  )
  const wanted = createHmac('sha256', key).update(encoded).digest()
  const given = Buffer.from(fields.get('x-amz-signature') ?? '', 'hex')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Returns the fields of a condition. Names start with a dollar sign in a list, and not in an object. */
function namesIn(one: Condition): string[] {
  if (!Array.isArray(one)) return Object.keys(one).map((name) => name.toLowerCase())
  return one[0] === 'content-length-range' ? [] : [one[1].replace(/^\$/, '').toLowerCase()]
}

function refusalBy(one: Condition, { fields, fileBytes }: PostedForm): PostRefusal | undefined {
  if (!Array.isArray(one)) {
    const isKept = Object.entries(one).every(([name, value]) => fields.get(name.toLowerCase()) === value)
    return isKept ? undefined : 'AccessDenied'
  }
  if (one[0] === 'content-length-range') {
    if (fileBytes > one[2]) return 'EntityTooLarge'
    return fileBytes < one[1] ? 'EntityTooSmall' : undefined
  }
  const value = fields.get(one[1].replace(/^\$/, '').toLowerCase()) ?? ''
  const isKept = one[0] === 'eq' ? value === one[2] : value.startsWith(one[2])
  return isKept ? undefined : 'AccessDenied'
}
