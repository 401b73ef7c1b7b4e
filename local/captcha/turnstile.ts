/**
 * Emulates Cloudflare Turnstile at its own origin: the script, the widget, and siteverify. It accepts every browser
 * unless a test configures another behaviour.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { decodeJson } from '../../core/lib/json.ts'
import { parse } from '../../core/lib/parse.ts'
import { readBody } from '../cdn/body.ts'
import { type Listening, listen } from '../listen.ts'

/**
 * The behaviour from now on. `widget`: `ask` requires a click, `silent` never completes. `siteverify`: `bad` rejects
 * every token, `silent` does not answer, `broken` answers with status 500, `garbage` with a body that is no verdict.
 */
export const captchaBehaviour = z.strictObject({
  widget: z.optional(z.enum(['pass', 'ask', 'fail', 'silent'])),
  siteverify: z.optional(z.enum(['judge', 'bad', 'silent', 'broken', 'garbage'])),
})
export type CaptchaBehaviour = z.infer<typeof captchaBehaviour>

export type LocalTurnstile = Listening & {
  siteKey: string
  secret: string
  verifyUrl: string
  behave(behaviour: CaptchaBehaviour): void
  /** Returns the number of calls of siteverify, and of their distinct idempotency keys. */
  verifyCalls(): { times: number; keys: number }
}

/** `clock` returns epoch ms. */
export type TurnstileOptions = { clock: () => number }

/** A token is valid for five minutes and one use; a repeat with the same idempotency key gets the same verdict. */
const tokenLifeMs = 300_000

type Issued = { issuedAt: number; usedBy: string | undefined; facts: z.infer<typeof widgetFacts> }

const widgetFacts = z.object({
  sitekey: z.string(),
  hostname: z.string(),
  action: z.string(),
  cData: z.string(),
  clicked: z.boolean(),
})

const verifyRequest = z.object({ secret: z.string(), response: z.string(), idempotency_key: z.optional(z.string()) })

const prefix = '/turnstile/v0/'
const files = {
  'api.js': 'text/javascript; charset=utf-8',
  'widget.js': 'text/javascript; charset=utf-8',
  widget: 'text/html; charset=utf-8',
} as const
const bodyLimitBytes = 8192

type StandInAnswer = { status: number; type: string; body: string } | 'silence'

const json = (body: object, status = 200) => {
  return { status, type: 'application/json', body: JSON.stringify(body) }
}
const missing = json({}, 404)

/** Starts the emulator on a free port. */
export async function startTurnstile({ clock }: TurnstileOptions): Promise<LocalTurnstile> {
  const siteKey = `0x4${randomBytes(9).toString('hex')}`
  const secret = `0x4${randomBytes(16).toString('hex')}`
  const tokens = new Map<string, Issued>()
  const keys = new Set<string>()
  let times = 0
  let behaviour: Required<CaptchaBehaviour> = { widget: 'pass', siteverify: 'judge' }

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const name = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : ''
    const answer = request.method === 'GET' ? await fileNamed(name) : answerOf(name, await bodyOf(request))
    if (answer === 'silence') return
    const { status, type, body } = answer
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
  })

  function answerOf(name: string, body: unknown): StandInAnswer {
    if (name === 'token') return tokenFor(body)
    return name === 'siteverify' ? verdictOn(body) : missing
  }

  function tokenFor(body: unknown): StandInAnswer {
    const facts = parse(widgetFacts, body)
    if (!facts.ok || facts.value.sitekey !== siteKey) return json({ kind: 'fail' })
    const { widget } = behaviour
    if (widget === 'silent') return 'silence'
    if (widget === 'fail' || (widget === 'ask' && !facts.value.clicked)) return json({ kind: widget })
    const token = `0.${randomBytes(32).toString('base64url')}.${randomBytes(16).toString('hex')}`
    tokens.set(token, { issuedAt: clock(), usedBy: undefined, facts: facts.value })
    return json({ kind: 'pass', token })
  }

  function verdictOn(body: unknown): StandInAnswer {
    const verifyCalls = parse(verifyRequest, body)
    times += 1
    if (verifyCalls.ok) keys.add(verifyCalls.value.idempotency_key ?? '')
    const { siteverify } = behaviour
    if (siteverify === 'silent') return 'silence'
    if (siteverify === 'broken') return json({ success: true }, 500)
    if (siteverify === 'garbage') return { ...json({}), body: '<html>Attention required</html>' }
    const codes = verifyCalls.ok ? faultsOf(verifyCalls.value) : ['bad-request']
    if (codes.length > 0) return json({ success: false, 'error-codes': codes })
    const { facts, issuedAt } = tokens.get(verifyCalls.ok ? verifyCalls.value.response : '') ?? {}
    return json({
      success: true,
      'error-codes': [],
      challenge_ts: new Date(issuedAt ?? 0).toISOString(),
      hostname: facts?.hostname,
      action: facts?.action,
      cdata: facts?.cData,
    })
  }

  function faultsOf(verifyCalls: z.infer<typeof verifyRequest>): string[] {
    if (verifyCalls.secret !== secret) return ['invalid-input-secret']
    const token = tokens.get(verifyCalls.response)
    if (token === undefined || behaviour.siteverify === 'bad') return ['invalid-input-response']
    const key = verifyCalls.idempotency_key ?? verifyCalls.response
    const isUsed = token.usedBy !== undefined && token.usedBy !== key
    if (isUsed || clock() >= token.issuedAt + tokenLifeMs) return ['timeout-or-duplicate']
    token.usedBy = key
    return []
  }

  const listening = await listen(server, 0)
  return {
    ...listening,
    siteKey,
    secret,
    verifyUrl: `${listening.url}${prefix}siteverify`,
    behave: (changed) => {
      behaviour = { ...behaviour, ...changed }
    },
    verifyCalls: () => ({ times, keys: keys.size }),
  }
}

async function fileNamed(name: string): Promise<StandInAnswer> {
  if (!isFile(name)) return missing
  const file = name === 'widget' ? 'widget.html' : name
  return { status: 200, type: files[name], body: await readFile(join(import.meta.dirname, file), 'utf8') }
}

function isFile(name: string): name is keyof typeof files {
  return name in files
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const given = decodeJson(await readBody(request, bodyLimitBytes))
  return given.ok ? given.value : undefined
}
