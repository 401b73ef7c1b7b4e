/**
 * Adapts fauxqs in two points. It listens on every network interface without authentication; and
 * its S3 overwrites an object although the PUT says `If-None-Match: *`, which protects published
 * versions. Both are changed on its Fastify server, which announces itself when it is created.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import type { buildApp } from 'fauxqs'
import { loopback } from './ports.ts'

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
    if (request.method !== 'PUT' || request.headers['if-none-match'] !== '*') return
    const { url } = request
    if (writing.has(url)) {
      return reply.code(409).type('application/xml').send(refusal('ConditionalRequestConflict'))
    }
    writing.add(url)
    reply.raw.once('close', () => writing.delete(url))
    const path = url.split('?')[0] ?? url
    const existing = await app.inject({ method: 'HEAD', url: path })
    if (existing.statusCode === 200) {
      return reply.code(412).type('application/xml').send(refusal('PreconditionFailed'))
    }
  })
}

function refusal(code: string): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code>` +
    '<Message>At least one of the pre-conditions you specified did not hold</Message></Error>'
  )
}
