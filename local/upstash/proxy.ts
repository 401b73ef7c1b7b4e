/**
 * Serves the Upstash REST API over a plain Redis, so that the deployed code uses the same client, tokens and encoding
 * as in the cloud.
 */
import { createServer, type ServerResponse } from 'node:http'
import { readBody } from '../cdn/body.ts'
import { type Listening, listen } from '../listen.ts'
import { loopback } from '../ports.ts'
import { createGuard, type Guard, type Token, tokenFinder } from './access.ts'
import { toAnswer } from './encoding.ts'
import { openLink, type RedisLink, RedisUnreachable } from './link.ts'
import { RedisError, type RespReply } from './resp.ts'
import { openScripts, type Scripts } from './scripts.ts'

export type UpstashProxyOptions = {
  redisPort: number
  tokens: readonly Token[]
  /** 0, the default, takes a free port. */
  port?: number
  /** Rejects keys that a flagged script did not declare, as Upstash does: on in tests, off in measurements. */
  strict: boolean
}

/** Upstash's limit for one request on most plans. */
const bodyLimitBytes = 10 * 1024 * 1024

/**
 * Serves `/` and `/pipeline`. Transactions (`/multi-exec`) are not emulated: our atomic operations are scripts.
 * @throws PortTaken
 */
export async function startUpstashProxy(options: UpstashProxyOptions): Promise<Listening> {
  const link = openLink({ host: loopback, port: options.redisPort })
  const findToken = tokenFinder(options.tokens)
  const shared = openScripts(options.strict ? 'flagged' : 'none', false)
  // Scripts of a token with rules must not use other keys either, so each is checked.
  const runs = options.tokens.map(({ rules }) =>
    runner(link, rules === undefined ? shared : openScripts('all', true), createGuard(rules)),
  )

  const answer = async ({ path, body, run, base64 }: Asked): Promise<Answer> => {
    if (path === '/') {
      const command = readCommand(body)
      if (command === undefined) return badRequest
      const [reply = null] = await run([command])
      return { status: reply instanceof RedisError ? 400 : 200, body: toAnswer(reply, base64) }
    }
    const commands = readCommands(body)
    if (commands === undefined) return badRequest
    return { status: 200, body: (await run(commands)).map((reply) => toAnswer(reply, base64)) }
  }

  const server = createServer({ keepAliveTimeout: 65_000, noDelay: true }, (request, response) => {
    response.sendDate = false
    const path = request.url === '' ? '/' : (request.url ?? '/')
    const run = runs[findToken(request.headers.authorization)]
    const answerTo = (bytes: Buffer) => {
      if (run === undefined) return send(response, unauthorized)
      if (!paths.has(path)) return send(response, notFound)
      if (request.method !== 'POST') return send(response, notPost)
      if (bytes.length > bodyLimitBytes) return send(response, tooLarge)
      let body: unknown
      try {
        body = JSON.parse(bytes.toString())
      } catch {
        return send(response, badRequest)
      }
      const base64 = request.headers['upstash-encoding'] === 'base64'
      answer({ path, body, run, base64 }).then(
        (done) => send(response, done),
        (error: unknown) => send(response, failure(error)),
      )
    }
    // The client has disconnected.
    readBody(request, bodyLimitBytes).then(answerTo, () => undefined)
  })
  const listening = await listen(server, options.port ?? 0)
  return {
    ...listening,
    async stop() {
      link.close()
      await listening.stop()
    },
  }
}

type Asked = { path: string; body: unknown; run: Run; base64: boolean }
type Answer = { status: number; body: unknown }

const paths = new Set(['/', '/pipeline'])
const unauthorized: Answer = { status: 401, body: { error: 'WRONGPASS invalid or missing auth token' } }
const notFound: Answer = { status: 404, body: { error: 'ERR not found: use / or /pipeline' } }
const notPost: Answer = { status: 405, body: { error: 'ERR use POST' } }
const tooLarge: Answer = { status: 413, body: { error: 'ERR max request size exceeded (10 MB)' } }
const badRequest: Answer = {
  status: 400,
  body: { error: 'ERR failed to parse command: the body must be a JSON array of commands' },
}

/** Returns 503 when Redis is unavailable (it may still have run the command), 500 for a defect of this proxy. */
function failure(error: unknown): Answer {
  const why = error instanceof Error ? error.message : String(error)
  if (error instanceof RedisUnreachable) {
    return { status: 503, body: { error: `ERR Redis cannot be reached: ${why}` } }
  }
  return { status: 500, body: { error: `ERR proxy failed: ${why}` } }
}

/** Sends status, headers and body in one write. */
function send(response: ServerResponse, answer: Answer): void {
  const text = JSON.stringify(answer.body)
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    // With one Redis every read is consistent; the token exists for clients that send it back.
    'upstash-sync-token': 'local',
  })
  response.end(text)
}

/**
 * Reads a command from the body of a REST request: an array of strings, numbers or booleans. Undefined when `body` is
 * invalid.
 */
function readCommand(body: unknown): string[] | undefined {
  const isCommand = Array.isArray(body) && body.length > 0 && body.every((word) => wordTypes.has(typeof word))
  return isCommand ? body.map(String) : undefined
}

const wordTypes = new Set(['string', 'number', 'boolean'])

/** Reads the commands of a pipeline; undefined when one of them is invalid. */
function readCommands(body: unknown): string[][] | undefined {
  const commands = Array.isArray(body) ? body.map(readCommand).filter((command) => command !== undefined) : []
  return Array.isArray(body) && commands.length === body.length && body.length > 0 ? commands : undefined
}

/** Runs commands and returns one reply each, in order; a rejected command gets its error without reaching Redis. */
type Run = (commands: string[][]) => Promise<RespReply[]>

/** Creates the runner of one token: checks commands, translates their scripts, and returns the replies. */
function runner(link: Pick<RedisLink, 'send'>, scripts: Scripts, guard: Guard): Run {
  return async (commands) => {
    const wire: (readonly string[])[] = []
    /** The error of each rejected command. */
    const errors = commands.map((command) => {
      const translated = guard(command) ?? scripts.translate(command)
      if (translated instanceof RedisError) return translated
      wire.push(translated)
      return undefined
    })
    const replies = wire.length === 0 ? [] : await link.send(wire)
    let at = 0
    return commands.map((command, index) => {
      const error = errors[index]
      if (error !== undefined) return error
      const reply = replies[at] ?? null
      at += 1
      return scripts.restore(command, reply)
    })
  }
}
