/**
 * Adapts fauxqs in three points. It listens on every network interface without authentication; its S3 overwrites an object
 * although the PUT says `If-None-Match: *` or `If-Match`, which protect published versions and the files of draws; and it
 * takes the file of any form, and answers no browser of another origin. All are changed on its Fastify server, which
 * announces itself when it is created.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import type { buildApp } from 'fauxqs'
import { loopback } from '../ports.ts'
import { localSecret } from '../resources.ts'
import { readForm, refusalOf } from './post-policy.ts'

type App = ReturnType<typeof buildApp>

/**
 * Runs `start`, which must create its server synchronously; returns that server with its result.
 */
export async function adaptFauxqs<T>(start: () => Promise<T>): Promise<{ result: T; server: Server }> {
  let created: App | undefined
  const onCreated = (message: unknown) => {
    const { fastify: app } = message as { fastify: App }
    listenOnLoopback(app)
    refuseOverwrites(app)
    checkForms(app)
    created = app
  }
  subscribe('fastify.initialization', onCreated)
  let started: Promise<T>
  try {
    started = start()
  } finally {
    unsubscribe('fastify.initialization', onCreated)
  }
  const result = await started
  if (created === undefined) {
    throw new Error('fauxqs did not announce its server: its version does not fit this file.')
  }
  return { result, server: created.server }
}

function listenOnLoopback(app: App): void {
  const { listen } = app
  Object.assign(app, {
    listen: (options: object) => Reflect.apply(listen, app, [{ ...options, host: loopback }]),
  })
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html */
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
 * Browsers send pictures from the origin of the shop, so the answers carry what the rule of the bucket
 * in the cloud adds (`infra/constructs/upload-bucket.ts`).
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
