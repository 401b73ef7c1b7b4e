/** The routes of this machine only: access, request bodies, and the tokens they make. */

import { readFile, stat } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { audience, createIdentity, issuer } from '../../cli/identity.ts'
import type { CaptchaBehaviour } from '../../local/captcha/turnstile.ts'
import type { Fault } from '../../local/faults/faults.ts'
import type { StackHealth } from '../../local/health.ts'
import { localIssuer } from '../../local/issuer/routes.ts'
import { listen } from '../../local/listen.ts'
import { localRoutes } from '../../local/local-routes.ts'
import { createMailbox } from '../../local/mail/mailbox.ts'
import { newFolder } from '../folders.ts'
import { useStops } from '../stops.ts'

const stops = useStops()

const fail = (line: string) => {
  throw new Error(line)
}

async function start(pass?: string) {
  const identity = await createIdentity(undefined)
  const faults: (Fault | null)[] = []
  const runs: unknown[] = []
  const orders: CaptchaBehaviour[] = []
  let health = { ok: true, parts: {} } as StackHealth
  const handle = localRoutes({
    identity,
    getPass: async () => pass,
    health: async () => health,
    setFault: async (fault) => void faults.push(fault),
    databases: ['main', 'db-2'],
    runSchedule: async (name, payload) => {
      runs.push([name, payload])
      return { sent: 3 }
    },
    payments: {
      async routes(request, response) {
        if (request.url !== '/local/pay/order') return false
        response.end('the payment page')
        return true
      },
    },
    turnstile: { behave: (change) => void orders.push(change) },
    mailbox: createMailbox(() => 0),
    ofOptions: [],
    issuer: localIssuer({ shop: 'http://localhost', client: { id: 'shop', secret: 'secret' }, log: fail }),
  })
  const server = await listen(
    createServer((req, res) => void handle(req, res)),
    0,
  )
  stops.push(server.stop)
  const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const falter = () => {
    health = { ...health, ok: false }
  }
  return { ...server, identity, faults, runs, orders, post, falter }
}

describe('sign-in on this machine', () => {
  it('gives a token the edge can verify, and the same as a session cookie', async () => {
    const { post, identity } = await start()
    const response = await post('/local/sign-in', { shopperId: 'ann', level: 3, roles: ['marketer'] })
    expect(response.status).toBe(200)
    const { token } = (await response.json()) as { token: string }
    const keys = createLocalJWKSet({ keys: [identity.publicKey] })
    const { payload, protectedHeader } = await jwtVerify(token, keys, { issuer, audience, algorithms: ['ES256'] })
    expect(protectedHeader.alg).toBe('ES256')
    expect(payload).toMatchObject({ sub: 'ann', level: 3, roles: ['marketer'] })
    expect(payload.exp).toBeGreaterThan(Date.now() / 1000)
    const cookie = response.headers.get('set-cookie') ?? ''
    expect(cookie).toContain(`sluice_session=${token};`)
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(attribute)
  })

  it.each([
    [undefined, 'body'],
    ['[]', 'body'],
    ['{"shopperId":""}', 'shopperId'],
    ['{"shopperId":"a b"}', 'shopperId'],
    ['{"shopperId":7}', 'shopperId'],
    ['{"shopperId":"ann","level":-1}', 'level'],
    ['{"shopperId":"ann","level":1.5}', 'level'],
    ['{"shopperId":"ann","roles":["root"]}', 'roles.0'],
    ['{"shopperId":"ann","roles":"marketer"}', 'roles'],
    ['{"shopperId":"ann","extra":1}', 'extra'],
    ['{', 'body'],
  ])('refuses %s and names %s', async (body, field) => {
    const { post } = await start()
    const response = await post('/local/sign-in', body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'invalid-request', field })
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('accepts JSON only, of at most 16 kB', async () => {
    const { post } = await start()
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await post('/local/sign-in', 'shopperId=ann', form)).status).toBe(415)
    expect((await post('/local/sign-in', { shopperId: 'a'.repeat(20_000) })).status).toBe(413)
  })

  it('gives pages the name in a cookie of its own, with any characters', async () => {
    const { post } = await start()
    const response = await post('/local/sign-in', { shopperId: 'a|b:c+d@e' })
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sluice_session=[^;]+; Max-Age=28800; Path=\/; Secure; SameSite=Lax; HttpOnly$/),
      'sluice_who=a%7Cb%3Ac%2Bd%40e; Max-Age=28800; Path=/; Secure; SameSite=Lax',
    ])
  })

  it('passes the pass of the shop on, as a cookie that pages can read and in the answer (L6)', async () => {
    const { post } = await start('v1.pass')
    const response = await post('/local/sign-in', { shopperId: 'ann' })
    expect(response.headers.getSetCookie()).toHaveLength(3)
    expect(response.headers.getSetCookie()).toContain(
      'sluice_pass=v1.pass; Max-Age=21600; Path=/; Secure; SameSite=Lax',
    )
    expect(await response.json()).toMatchObject({ pass: 'v1.pass' })
  })
})

it('the key pair is kept in its file for its owner alone, so that sessions outlive a restart', async () => {
  const file = join(newFolder('identity'), 'identity.json')
  const first = await createIdentity(file)
  const second = await createIdentity(file)
  expect(second.publicKey).toEqual(first.publicKey)
  expect((await stat(file)).mode & 0o077).toBe(0)
  expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('d')
})

describe('faults', () => {
  it('are passed on when they are valid, and ended by DELETE or null', async () => {
    const { post, url, faults } = await start()
    const fault = { target: 'sqs', mode: 'down', forMs: 5000, rate: 0.5 }
    expect((await post('/local/faults', fault)).status).toBe(204)
    expect((await fetch(`${url}/local/faults`, { method: 'DELETE' })).status).toBe(204)
    expect((await post('/local/faults', null)).status).toBe(204)
    const second = { target: 'redis', database: 'db-2', mode: 'none' }
    expect((await post('/local/faults', second)).status).toBe(204)
    const third = { target: 'redis', database: 'db-2', mode: 'lose', forMs: 1000 }
    expect((await post('/local/faults', third)).status).toBe(204)
    expect(faults).toEqual([fault, null, null, second, third])
  })

  it.each([
    [{ target: 'moon', mode: 'down' }, 'target'],
    [{ target: 'sqs', mode: 'odd' }, 'mode'],
    [{ target: 'sqs' }, 'mode'],
    [{ target: 'sqs', mode: 'down', forMs: 0 }, 'forMs'],
    [{ target: 'sqs', mode: 'down', rate: 1.1 }, 'rate'],
    [{ target: 'sqs', mode: 'down', rate: '1' }, 'rate'],
    [{ target: 'sqs', mode: 'down', why: 'fun' }, 'why'],
    [{ target: 'redis', database: 'db-3', mode: 'down' }, 'database'],
    [{ target: 'sqs', database: 'main', mode: 'down' }, 'database'],
    [{ target: 'sqs', mode: 'lose' }, 'mode'],
  ])('refuses %j and names %s', async (body, field) => {
    const { post, faults } = await start()
    const response = await post('/local/faults', body)
    expect(await response.json()).toMatchObject({ status: 400, field })
    expect(faults).toEqual([])
  })
})

describe('schedules and health', () => {
  it('run reconcile and the canary now, with the payload as its event', async () => {
    const { post, runs } = await start()
    const response = await post('/local/schedules/reconcile', { minAgeMs: 0 })
    expect(await response.json()).toEqual({ sent: 3 })
    await post('/local/schedules/reconcile')
    await post('/local/schedules/canary', { url: 'http://localhost' })
    expect(runs).toEqual([
      ['reconcile', { minAgeMs: 0 }],
      ['reconcile', undefined],
      ['canary', { url: 'http://localhost' }],
    ])
    expect((await post('/local/schedules/other')).status).toBe(404)
  })

  it('answer 200 when every part is well and 503 when one is not', async () => {
    const { url, falter } = await start()
    expect((await fetch(`${url}/local/health`)).status).toBe(200)
    falter()
    const response = await fetch(`${url}/local/health`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ ok: false })
  })
})

it('the payment provider answers its own paths', async () => {
  const { url } = await start()
  expect(await (await fetch(`${url}/local/pay/order`)).text()).toBe('the payment page')
})

describe('a foreign request', () => {
  const withHost = (url: string, host: string, path = '/local/health') =>
    new Promise<number | undefined>((resolve, reject) => {
      request(url + path, { headers: { host } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end()
    })

  it.each(['shop.example', 'localhost.example', '127.0.0.1.example:80', '10.0.0.1'])(
    'is refused: a page elsewhere that points the name "%s" at this machine',
    async (host) => {
      const { url } = await start()
      expect(await withHost(url, host)).toBe(403)
      expect(await withHost(url, host, '/local/pay/order')).toBe(403)
    },
  )

  it.each(['localhost', 'localhost:8787', '127.0.0.1:1', '[::1]:8787'])('but not "%s"', async (host) => {
    expect(await withHost((await start()).url, host)).toBe(200)
  })

  it('is refused: a call that a page of another site makes', async () => {
    const { post } = await start()
    const origin = 'https://evil.example'
    expect((await post('/local/sign-in', { shopperId: 'ann' }, { origin })).status).toBe(403)
    expect((await post('/local/pay/order', {}, { origin })).status).toBe(403)
  })

  it.each([
    ['GET', '/local/sign-in', 405],
    ['DELETE', '/local/sign-in', 405],
    ['GET', '/local/faults', 405],
    ['GET', '/local/schedules/reconcile', 405],
    ['GET', '/local/', 404],
    ['GET', '/local/health/x', 404],
  ])('gets no answer to %s %s but %d', async (method, path, status) => {
    const { url } = await start()
    expect((await fetch(url + path, { method })).status).toBe(status)
  })
})

it('the stand-in of Turnstile takes commands for what comes next (N4)', async () => {
  const { post, orders } = await start()
  expect((await post('/local/captcha', { widget: 'fail', siteverify: 'silent' })).status).toBe(204)
  expect(orders).toEqual([{ widget: 'fail', siteverify: 'silent' }])
  expect((await post('/local/captcha', { widget: 'dance' })).status).toBe(400)
  expect((await post('/local/captcha', { other: 'pass' })).status).toBe(400)
  expect(orders).toHaveLength(1)
})
