/** The smoke test against the whole local system, and against small shops with one defect each. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlClient } from '../../cli/control-client.ts'
import type { Environment } from '../../cli/exported-token.ts'
import type { Ask, Reply } from '../../cli/smoke/ask.ts'
import { pageChecks } from '../../cli/smoke/page-checks.ts'
import { runSmoke } from '../../cli/smoke.ts'
import { type ProblemCode, problem } from '../../core/outcome.ts'
import { listen } from '../../local/listen.ts'
import { type Stack, startStack } from '../../local/stack.ts'
import { renderMissingPage } from '../../static/pages/missing.ts'
import { contentSecurityPolicy, referrerPolicy } from '../../system/site-headers.ts'

type Run = { code: number; lines: string[]; complaints: string[] }

const smoke = (url: string, token?: string): Promise<Run> =>
  run(['--url', url, ...(token === undefined ? [] : ['--token', token])])

async function run(args: string[], exported: Partial<Environment> = {}): Promise<Run> {
  const [lines, complaints]: [string[], string[]] = [[], []]
  const code = await runSmoke(args, {
    print: (line) => void lines.push(line),
    complain: (line) => void complaints.push(line),
    environment: { url: undefined, token: undefined, ...exported },
  })
  return { code, lines, complaints }
}

const startingWith = (sign: string, { lines }: Run) => lines.filter((line) => line.startsWith(sign))

const stops: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

async function serve(answer: Answer): Promise<string> {
  const server = await listen(createServer(answer), 0)
  stops.push(server.stop)
  return server.url
}

describe('against the whole system', () => {
  let stack: Stack
  let token: string
  beforeAll(async () => {
    stack = await startStack()
    token = await stack.token('mia', { roles: ['marketer'] })
  })
  afterAll(() => stack.stop())

  const sales = async () => (await controlClient({ url: stack.url, token }).list()).sales

  it('passes without a session, and stores nothing', async () => {
    const run = await smoke(stack.url)
    expect(startingWith('✗', run)).toEqual([])
    expect(run.lines.at(-1)).toBe('9 passed, 0 failed, 3 skipped')
    expect(run.lines).toContainEqual('- plain http: skipped, a local shop uses plain http')
    expect(run.code).toBe(0)
    expect(await sales()).toEqual([])
  })

  it('runs a sale of one coupon and one of goods with a marketer’s session, pays, refunds, and closes both', async () => {
    const run = await smoke(stack.url, token)
    expect(startingWith('✗', run)).toEqual([])
    expect(run.lines).toContainEqual('✓ the order: fulfilled, with a code')
    expect(run.lines).toContainEqual('✓ pay the order: paid at the simulated provider')
    expect(run.lines.at(-1)).toBe('21 passed, 0 failed, 1 skipped')
    expect(run.code).toBe(0)
    const played = (await sales()).toSorted((a, b) => a.kind.localeCompare(b.kind))
    expect(played).toMatchObject([
      { kind: 'coupon', stock: 1, flag: 'closed' },
      { kind: 'goods', stock: 1, flag: 'closed' },
    ])
    const bought = run.lines.flatMap((line) => /^✓ buy one unit: 202 reserved, (\S+)$/.exec(line)?.[1] ?? [])
    const orders = await Promise.all(
      bought.map(async (orderId) => (await controlClient({ url: stack.url, token }).refund(orderId)).status),
    )
    expect(orders[1]).toMatch(/^refund-due$|^refunded$/)
  })

  it('reports that a session is not a marketer’s, and leaves nothing behind', async () => {
    const before = await sales()
    const run = await smoke(stack.url, await stack.token('joe'))
    expect(startingWith('✗', run)).toEqual([
      expect.stringMatching(/^✗ create smoke-\w+: expected 201, came 403 role-required/),
    ])
    expect(run.lines).toContainEqual('✓ tidy up: no sale was created')
    expect(run.code).toBe(1)
    expect(await sales()).toEqual(before)
  })

  /**
   * The system behind a proxy that answers `broken` calls itself, and loses the answers of `lost`
   * ones.
   */
  function behindDoor(
    broken: (method: string, path: string) => boolean,
    lost = (_method: string, _path: string) => false,
  ): Promise<string> {
    return serve((request, response) => {
      const { method = '', url = '', headers } = request
      if (broken(method, url)) return response.writeHead(502).end('The request could not be satisfied.')
      const onward = httpRequest(stack.url + url, { method, headers }, (answer) => {
        if (lost(method, url)) return request.socket.destroy()
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        return answer.pipe(response)
      })
      return request.pipe(onward)
    })
  }

  it('closes its sale also when the purchase failed', async () => {
    const before = await sales()
    const isPurchase = (method: string, path: string) =>
      method === 'POST' && /\/smoke-(?!test)\w+\/orders$/.test(path)
    const run = await smoke(await behindDoor(isPurchase), token)
    expect(startingWith('✗', run)).toEqual([
      expect.stringMatching(/^✗ buy one unit: expected 202 reserved, came 502 The request .*\n .*broke/s),
    ])
    expect(run.lines).toContainEqual('- the order: skipped, an earlier step failed')
    const known = new Set(before.map(({ saleId }) => saleId))
    const added = (await sales()).filter(({ saleId }) => !known.has(saleId))
    expect(added.map(({ flag }) => flag)).toEqual(['closed'])
  })

  it('deletes its sale when the answer of its creation was lost', async () => {
    const before = await sales()
    const isCreation = (method: string, path: string) => method === 'POST' && path === '/api/control/sales'
    const run = await smoke(await behindDoor(() => false, isCreation), token)
    expect(startingWith('✗', run)).toEqual([
      expect.stringMatching(/^✗ create smoke-\w+: expected 201, came no answer \(UND_ERR_SOCKET\)/),
    ])
    expect(run.lines).toContainEqual('✓ tidy up: deleted')
    expect(await sales()).toEqual(before)
  })

  it('deletes its sale when it could not be started', async () => {
    const before = await sales()
    const run = await smoke(await behindDoor((_, path) => path.endsWith('/start')), token)
    expect(startingWith('✗', run)).toEqual([expect.stringMatching(/^✗ start it: expected 200, came 502/)])
    expect(run.lines).toContainEqual('✓ tidy up: deleted')
    expect(await sales()).toEqual(before)
  })
})

describe('against a shop whose provider takes real money', () => {
  it('spends none, and cancels the order', async () => {
    const stack = await startStack({ payments: 'stripe' })
    stops.push(stack.stop)
    const run = await smoke(stack.url, await stack.token('mia', { roles: ['marketer'] }))
    expect(startingWith('✗', run)).toEqual([])
    expect(run.lines).toContainEqual(
      expect.stringMatching(/^- pay the order: skipped, not paid: \S+ takes real money, and a smoke test/),
    )
    expect(run.code).toBe(0)
  })
})

// Each run waits two seconds for an error to leave the cache, and these may wait in parallel.

/** A shop without a defect; `answers` replaces its answers at some paths. */
function shop(answers: Record<string, Answer> = {}): Promise<string> {
  const all: Record<string, Answer> = {
    '/': page(pageHeaders),
    '/api/time': (_, response) => answerJson(response, 200, { now: Date.now() }),
    '/api/nothing-here': refuse('not-found'),
    '/api/sales/smoke-test/orders': refuse('sign-in-required'),
    '/api/payments/webhook': refuse('signature-invalid'),
    anyPointer: (_, response) => response.writeHead(404).end('There is nothing here.'),
    anyPage: (_, response) => response.writeHead(404, missingHeaders).end(renderMissingPage()),
    ...answers,
  }
  return serve((request, response) => {
    const url = request.url ?? ''
    const elsewhere = url.endsWith('/current.json') ? all.anyPointer : all.anyPage
    request.resume()
    return (all[url] ?? elsewhere)?.(request, response)
  })
}

const missingHeaders = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }

const pageHeaders: Record<string, string> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': referrerPolicy,
}

function page(headers: Record<string, string>): Answer {
  return (_, response) =>
    response.writeHead(200, { ...headers, 'content-encoding': 'gzip' }).end(gzipSync('<!doctype html>'))
}

function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

function refuse(code: ProblemCode, headers: Record<string, string> = {}): Answer {
  const said = problem(code, 'No.')
  return (_, response) =>
    response
      .writeHead(said.status, { 'content-type': 'application/problem+json', ...headers })
      .end(JSON.stringify(said))
}

/** The one line about the defect. */
async function faultOf(answers: Record<string, Answer>): Promise<string> {
  const run = await smoke(await shop(answers))
  expect(run.code).toBe(1)
  const faults = startingWith('✗', run)
  expect(faults).toHaveLength(1)
  return faults.join('\n')
}

describe.concurrent('a shop without a defect', () => {
  it('passes, so that the following tests fail for their own defect', async () => {
    const run = await smoke(await shop())
    expect(startingWith('✗', run)).toEqual([])
    expect(run.code).toBe(0)
  })
})

describe.concurrent('the POST to a function', () => {
  const webhookSays = (answer: Answer) => faultOf({ '/api/payments/webhook': answer })

  it('names the body’s hash when the signature of the distribution was wrong', async () => {
    const fault = await webhookSays((_, response) =>
      response
        .writeHead(403, {
          'content-type': 'application/xml',
          'x-amzn-errortype': 'InvalidSignatureException',
        })
        .end('<Error><Message>The request signature we calculated does not match.</Message></Error>'),
    )
    expect(fault).toMatch(/^✗ POST that reaches a function .*: expected 401 signature-invalid/)
    expect(fault).toContain('came 403 InvalidSignatureException')
    expect(fault).toContain('x-amz-content-sha256')
  })

  it('names the permissions when the function refused the distribution', async () => {
    const fault = await webhookSays((_, response) =>
      response.writeHead(403, { 'x-amzn-errortype': 'AccessDeniedException' }).end('{"Message":null}'),
    )
    expect(fault).toContain('lambda:InvokeFunctionUrl and lambda:InvokeFunction')
  })

  it.each([502, 503, 504])(
    'does not accept a %i of the distribution, and says where to look',
    async (status) => {
      const fault = await webhookSays((_, response) =>
        response
          .writeHead(status)
          .end('<html><style>a{}</style><h1>The request could not be satisfied</h1></html>'),
      )
      expect(fault).toMatch(new RegExp(`came ${status} The request could not be satisfied\n +\\S.*log`))
    },
  )

  it('does not accept the gate’s own answer, because the functions may be missing behind it', async () => {
    const fault = await webhookSays(refuse('signature-invalid', { 'x-sluice-gate': 'refused' }))
    expect(fault).toContain('came 401 signature-invalid, from the gate')
  })

  it('fails on a 2xx, which would mean that any signature is accepted', async () => {
    expect(await webhookSays((_, response) => answerJson(response, 200, { result: 'done' }))).toContain(
      'came 200',
    )
  })
})

describe.concurrent('the pages', () => {
  it('need the strict policy', async () => {
    const { 'content-security-policy': _, ...others } = pageHeaders
    expect(await faultOf({ '/': page(others) })).toContain('came content-security-policy: none')
    const lax = { ...pageHeaders, 'content-security-policy': "default-src * 'unsafe-inline'" }
    expect(await faultOf({ '/': page(lax) })).toContain(
      "came content-security-policy: default-src * 'unsafe-inline'",
    )
  })

  it('need compression', async () => {
    const plain: Answer = (_, response) => response.writeHead(200, pageHeaders).end('<!doctype html>')
    expect(await faultOf({ '/': plain })).toMatch(/^✗ compression of the page: .*came none/)
  })

  it('need errors that are not cached', async () => {
    const cached: Answer = (_, response) => response.writeHead(403, { age: '2' }).end()
    expect(await faultOf({ anyPointer: cached })).toContain('came 403, cached for 2 s')
  })

  it.each([
    [
      'the bucket’s own text',
      404,
      { 'content-type': 'application/xml' },
      '<Error><Code>NoSuchKey</Code></Error>',
    ],
    ['a foreign page', 404, missingHeaders, '<!doctype html><title>404</title>'],
    ['a refusal', 403, missingHeaders, renderMissingPage()],
    ['a cacheable page', 404, { ...missingHeaders, 'cache-control': 'max-age=60' }, renderMissingPage()],
  ])('need a page of ours for a missing path, and %s is not accepted', async (_, status, headers, body) => {
    const answer: Answer = (_, response) => response.writeHead(status, headers).end(body)
    expect(await faultOf({ anyPage: answer })).toMatch(
      new RegExp(`^✗ a missing page: expected 404 text/html.*, came ${status}`),
    )
  })

  /** The results of the checks of a shop whose answers are given by address. */
  async function seenAt(url: string, replies: Record<string, Partial<Reply>>) {
    const ask: Ask = async (target) => ({ status: 404, headers: new Headers(), text: '', ...replies[target] })
    const found: Record<string, string> = {}
    for (const { name, run } of pageChecks(new URL(url), ask).slice(0, 2)) {
      const { kind, came } = await run()
      found[name] = `${kind}: ${came}`
    }
    return found
  }

  it('need the redirect from plain http, and the header that makes browsers use https', async () => {
    const location = 'https://shop.example/'
    const strict = { ...pageHeaders, 'strict-transport-security': 'max-age=63072000; includeSubDomains' }
    const good = {
      'http://shop.example/': { status: 301, headers: new Headers({ location }) },
      '/': { status: 200, headers: new Headers(strict) },
    }
    expect(await seenAt('https://shop.example', good)).toEqual({
      'plain http': `ok: 301 to ${location}`,
      'security headers of the page': 'ok: as expected',
    })
    const bad = {
      'http://shop.example/': { status: 200 },
      '/': { status: 200, headers: new Headers({ ...strict, 'strict-transport-security': 'max-age=60' }) },
    }
    expect(await seenAt('https://shop.example', bad)).toEqual({
      'plain http': 'failed: 200 to nowhere',
      'security headers of the page': 'failed: strict-transport-security: max-age=60',
    })
  })
})

describe.concurrent('the clock', () => {
  const timeIs = (answer: (response: ServerResponse) => void) =>
    faultOf({ '/api/time': (_, response) => answer(response) })

  it('must not be off by a minute', async () => {
    const fault = await timeIs((response) => answerJson(response, 200, { now: Date.now() - 60_000 }))
    expect(fault).toMatch(/^✗ GET \/api\/time: expected the current time.*came -60\.\d s off/)
  })

  it('must not come from a cache', async () => {
    const now = Date.now()
    expect(await timeIs((response) => answerJson(response, 200, { now }))).toContain('the same time twice')
    const keepable = await timeIs((response) =>
      response.writeHead(200, { 'cache-control': 'max-age=1' }).end(`{"now":${Date.now()}}`),
    )
    expect(keepable).toContain('came cache-control: max-age=1')
  })
})

describe('an address without a server', () => {
  it('fails at once and says so', async () => {
    const gone = await listen(createServer(), 0)
    await gone.stop()
    const { code, lines } = await smoke(gone.url)
    expect(lines).toEqual([
      '✗ GET /: expected 200 text/html, came no answer (ECONNREFUSED)',
      `No answer from ${gone.url}: the other checks were not tried.`,
      '0 passed, 1 failed, 0 skipped',
    ])
    expect(code).toBe(1)
  })
})

describe('the command', () => {
  it.each(['http://shop.example', 'https://shop.example/sales/', 'shop.example', 'ftp://localhost'])(
    'refuses %s, which is not the address of a shop',
    async (url) => {
      const { code, lines, complaints } = await smoke(url)
      expect(complaints).toEqual([expect.stringContaining('the shop must be https://')])
      expect([code, lines]).toEqual([2, []])
    },
  )

  it('finds the shop in the output of a deployment, and refuses one that names none or two', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outputs-'))
    stops.push(async () => rmSync(folder, { recursive: true }))
    const file = join(folder, 'outputs.json')
    const gone = await listen(createServer(), 0)
    await gone.stop()
    const edge = { 'sluice-dev-edge': { ShopUrl: gone.url, DistributionId: 'E1' } }
    writeFileSync(file, JSON.stringify({ 'sluice-dev-app': { Board: 'x' }, ...edge }))
    expect((await run(['--outputs', file])).lines).toContain(
      `No answer from ${gone.url}: the other checks were not tried.`,
    )
    for (const outputs of [{}, { ...edge, 'sluice-prod-edge': { ShopUrl: 'https://shop.example' } }]) {
      writeFileSync(file, JSON.stringify(outputs))
      const { code, complaints } = await run(['--outputs', file])
      expect([code, complaints]).toEqual([2, [`${file} does not have exactly one ShopUrl`]])
    }
  })

  it('never sends SLUICE_TOKEN to another shop than the one of SLUICE_URL', async () => {
    const seen: (string | undefined)[] = []
    const url = await serve(({ headers }, response) => {
      seen.push(headers.authorization ?? headers.cookie)
      response.writeHead(404).end()
    })
    const elsewhere = { url: 'https://shop.example', token: 'production' }
    const refusals = [
      await run(['--url', url], elsewhere),
      await run(['--url', url], { token: 'production' }),
    ]
    expect(seen).toEqual([])
    expect(refusals.map(({ code }) => code)).toEqual([2, 2])
    expect(refusals.map(({ complaints }) => complaints)).toEqual([
      [
        `SLUICE_TOKEN is not sent to ${url}: it belongs to https://shop.example (SLUICE_URL). Give this system's token with --token`,
      ],
      [`SLUICE_TOKEN is not sent to ${url}: set SLUICE_URL to the system that the token was made for`],
    ])
    await run([], { url, token: 'its-own' })
    expect(seen.join()).toContain('its-own')
    expect(seen.join()).not.toContain('production')
    seen.length = 0
    await run(['--url', url, '--token', 'given'], elsewhere)
    expect(seen.join()).toContain('given')
    expect(seen.join()).not.toContain('production')
  })

  it.each([[], ['--url', 'https://shop.example', '--outputs', 'x'], ['--nonsense']].map((args) => [args]))(
    'prints its usage for %j',
    async (args) => {
      const { code, complaints } = await run(args)
      expect(complaints.join()).toContain('npm run smoke -- --url URL | --outputs FILE')
      expect(code).toBe(2)
    },
  )
})
