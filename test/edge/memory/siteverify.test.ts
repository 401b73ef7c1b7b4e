import { createServer } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { openSiteverify } from '../../../edge/memory/siteverify.ts'
import { startTurnstile } from '../../../local/captcha/turnstile.ts'
import { listen } from '../../../local/listen.ts'

const turnstile = await startTurnstile({ clock: Date.now })
afterAll(() => turnstile.stop())

/** A siteverify that gives these answers in turn. */
async function answering(...answers: (readonly [status: number, body: string, headers?: Record<string, string>])[]) {
  const asked: unknown[] = []
  const server = await listen(
    createServer(async (request, response) => {
      const chunks = await request.toArray()
      asked.push(JSON.parse(Buffer.concat(chunks).toString()))
      expect(request.headers['user-agent']).toMatch(/^Sluice\/\S+ \(\+https:\/\/shop\.example\)$/)
      const [status, body, headers] = answers.shift() ?? [500, '']
      response.writeHead(status, headers).end(body)
    }),
    0,
  )
  const verify = openSiteverify({
    siteKey: 'site',
    secret: 'secret',
    verifyUrl: server.url,
    shopUrl: 'https://shop.example',
  })
  const verdict = await verify('token')
  await server.stop()
  return { verdict, asked }
}

const good = { success: true, hostname: 'shop.example', action: 'buy', cdata: 'data', 'error-codes': [] }
const answer = (body: unknown, status = 200) => [status, JSON.stringify(body)] as const
const bad = (...codes: string[]) => answer({ success: false, 'error-codes': codes })

describe('siteverify (N4)', () => {
  it('is asked with secret, token and a key, and by nothing that names the shopper', async () => {
    const { verdict, asked } = await answering(answer(good))
    expect(verdict).toEqual({ kind: 'good', hostname: 'shop.example', action: 'buy', cdata: 'data' })
    expect(asked).toEqual([
      { secret: 'secret', response: 'token', idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ])
  })

  it.each([
    ['an internal error', bad('internal-error')],
    ['a status 500', answer({}, 500)],
    ['a status 500 that claims success', answer(good, 500)],
    ['too many requests', answer({}, 429)],
    ['an answer that is no JSON', [200, '<html>'] as const],
    ['an answer without a verdict', answer({ success: 'true' })],
    ['a list', answer([good])],
  ])('is asked again with the same key after %s', async (_, first) => {
    const { verdict, asked } = await answering(first, answer(good))
    expect(verdict.kind).toBe('good')
    expect(asked).toHaveLength(2)
    expect(asked[1]).toEqual(asked[0])
  })

  it('is asked twice at most', async () => {
    const { verdict, asked } = await answering(bad('internal-error'), bad('internal-error'), answer(good))
    expect(verdict).toEqual({ kind: 'none', reason: 'internal-error' })
    expect(asked).toHaveLength(2)
  })

  it.each(['invalid-input-response', 'timeout-or-duplicate', 'a-code-of-tomorrow'])(
    'refuses a token by %s',
    async (code) => {
      const { verdict, asked } = await answering(bad(code))
      expect(verdict).toEqual({ kind: 'bad' })
      expect(asked).toHaveLength(1)
    },
  )

  it('refuses a token without a code', async () => {
    expect((await answering(answer({ success: false }))).verdict).toEqual({ kind: 'bad' })
  })

  it.each(['missing-input-secret', 'invalid-input-secret', 'bad-request'])(
    'has no verdict on the shopper when the fault is ours: %s',
    async (reason) => {
      expect((await answering(bad(reason))).verdict).toEqual({ kind: 'none', reason })
    },
  )

  it('is followed to no other address, which would get the secret', async () => {
    const elsewhere = { location: 'https://evil.example/' }
    const { verdict } = await answering([307, '', elsewhere], [307, '', elsewhere])
    expect(verdict.kind).toBe('none')
  })

  it('is waited for only so long, twice', async () => {
    turnstile.behave({ siteverify: 'silent' })
    const verify = openSiteverify(turnstile, 50)
    const before = turnstile.verifyCalls()
    expect(await verify('token')).toMatchObject({ kind: 'none', reason: expect.stringMatching(/Timeout/) })
    const after = turnstile.verifyCalls()
    expect([after.times - before.times, after.keys - before.keys]).toEqual([2, 1])
  })

  it('has no verdict when it cannot be reached', async () => {
    const { port, stop } = await listen(createServer(), 0)
    await stop()
    const verify = openSiteverify({ ...turnstile, verifyUrl: `http://127.0.0.1:${port}` })
    expect((await verify('token')).kind).toBe('none')
  })
})
