/** The smoke test against small shops with one defect each, and its options. */
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { pageChecks } from '../../cli/smoke/public-checks.ts'
import type { SendRequest, SmokeReply } from '../../cli/smoke/request.ts'
import { type ProblemCode, problem } from '../../core/outcome.ts'
import { listen } from '../../local/listen.ts'
import { contentSecurityPolicy, referrerPolicy } from '../../system/site-headers.ts'
import { renderMissingPage } from '../../templates/pages/plain-page.ts'
import { newFolder } from '../folders.ts'
import { useStops } from '../stops.ts'
import { run, smoke, startingWith } from './smoke/run.ts'

const stops = useStops()

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

async function serve(answer: Answer): Promise<string> {
  const server = await listen(createServer(answer), 0)
  stops.push(server.stop)
  return server.url
}

/** A shop without a defect; `answers` replaces its answers at some paths. */
function shop(answers: Record<string, Answer> = {}): Promise<string> {
  const all: Record<string, Answer> = {
    '/': page(pageHeaders),
    '/api/time': (_, response) => answerJson(response, 200, { now: Date.now() }),
    '/api/nothing-here': refuse('not-found'),
    '/api/sales/smoke-test/orders': refuse('sign-in-required'),
    '/api/payments/webhook': refuse('signature-invalid'),
    anyPointer: (_, response) => response.writeHead(404).end('There is nothing here.'),
    anyPage: (_, response) => response.writeHead(404, missingHeaders).end(renderMissingPage('en')),
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

it('a shop without a defect passes, so that the following tests fail for their own defect', async () => {
  const run = await smoke(await shop())
  expect(startingWith('✗', run)).toEqual([])
  expect(run.code).toBe(0)
  expect(run.pauses, 'asks again when the cache has forgotten the error').toContain(2000)
})

describe('the POST to a function', () => {
  const webhookSays = (answer: Answer) => faultOf({ '/api/payments/webhook': answer })

  it('names the body’s hash when the signature of the distribution was wrong', async () => {
    const fault = await webhookSays((_, response) =>
      response
        .writeHead(403, { 'content-type': 'application/xml', 'x-amzn-errortype': 'InvalidSignatureException' })
        .end('<Error><Message>The request signature we calculated does not match.</Message></Error>'),
    )
    expect(fault).toMatch(/^✗ POST that reaches a function .*: expected 401 signature-invalid/)
    expect(fault).toContain('got 403 InvalidSignatureException')
    expect(fault).toContain('x-amz-content-sha256')
  })

  it('names the permissions when the function refused the distribution', async () => {
    const fault = await webhookSays((_, response) =>
      response.writeHead(403, { 'x-amzn-errortype': 'AccessDeniedException' }).end('{"Message":null}'),
    )
    expect(fault).toContain('lambda:InvokeFunctionUrl and lambda:InvokeFunction')
  })

  it.each([502, 503, 504])('does not accept a %i of the distribution, and says where to look', async (status) => {
    const fault = await webhookSays((_, response) =>
      response.writeHead(status).end('<html><style>a{}</style><h1>The request could not be satisfied</h1></html>'),
    )
    expect(fault).toMatch(new RegExp(`got ${status} The request could not be satisfied\n +\\S.*log`))
  })

  it('does not accept the gate’s own answer, because the functions may be missing behind it', async () => {
    const fault = await webhookSays(refuse('signature-invalid', { 'x-sluice-gate': 'refused' }))
    expect(fault).toContain('got 401 signature-invalid, from the gate')
  })

  it('fails on a 2xx, which would mean that any signature is accepted', async () => {
    expect(await webhookSays((_, response) => answerJson(response, 200, { result: 'done' }))).toContain('got 200')
  })
})

describe('the pages', () => {
  it('need the strict policy', async () => {
    const { 'content-security-policy': _, ...others } = pageHeaders
    expect(await faultOf({ '/': page(others) })).toContain('got content-security-policy: none')
    const lax = { ...pageHeaders, 'content-security-policy': "default-src * 'unsafe-inline'" }
    expect(await faultOf({ '/': page(lax) })).toContain("got content-security-policy: default-src * 'unsafe-inline'")
  })

  it('need compression', async () => {
    const plain: Answer = (_, response) => response.writeHead(200, pageHeaders).end('<!doctype html>')
    expect(await faultOf({ '/': plain })).toMatch(/^✗ compression of the page: .*got none/)
  })

  it('need errors that are not cached', async () => {
    const cached: Answer = (_, response) => response.writeHead(403, { age: '2' }).end()
    expect(await faultOf({ anyPointer: cached })).toContain('got 403, cached for 2 s')
  })

  it.each([
    ['the bucket’s own text', 404, { 'content-type': 'application/xml' }, '<Error><Code>NoSuchKey</Code></Error>'],
    ['a foreign page', 404, missingHeaders, '<!doctype html><title>404</title>'],
    ['a refusal', 403, missingHeaders, renderMissingPage('en')],
    ['a cacheable page', 404, { ...missingHeaders, 'cache-control': 'max-age=60' }, renderMissingPage('en')],
  ])('need a page of ours for a missing path, and %s is not accepted', async (_, status, headers, body) => {
    const answer: Answer = (_, response) => response.writeHead(status, headers).end(body)
    expect(await faultOf({ anyPage: answer })).toMatch(
      new RegExp(`^✗ a missing page: expected 404 text/html.*, got ${status}`),
    )
  })

  /** The results of the checks of a shop whose answers are given by address. */
  async function seenAt(url: string, replies: Record<string, Partial<SmokeReply>>) {
    const ask: SendRequest = async (target) => ({ status: 404, headers: new Headers(), text: '', ...replies[target] })
    const found: Record<string, string> = {}
    for (const { name, run } of pageChecks(new URL(url), ask, async () => {}).slice(0, 2)) {
      const { kind, received } = await run()
      found[name] = `${kind}: ${received}`
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

describe('the clock', () => {
  const timeIs = (answer: (response: ServerResponse) => void) =>
    faultOf({ '/api/time': (_, response) => answer(response) })

  it('must not be off by a minute', async () => {
    const fault = await timeIs((response) => answerJson(response, 200, { now: Date.now() - 60_000 }))
    expect(fault).toMatch(/^✗ GET \/api\/time: expected the current time.*got -60\.\d s off/)
  })

  it('must not come from a cache', async () => {
    const now = Date.now()
    expect(await timeIs((response) => answerJson(response, 200, { now }))).toContain('the same time twice')
    const keepable = await timeIs((response) =>
      response.writeHead(200, { 'cache-control': 'max-age=1' }).end(`{"now":${Date.now()}}`),
    )
    expect(keepable).toContain('got cache-control: max-age=1')
  })
})

it('an address without a server fails at once and says so', async () => {
  const gone = await listen(createServer(), 0)
  await gone.stop()
  const { code, lines } = await smoke(gone.url)
  expect(lines).toEqual([
    '✗ GET /: expected 200 text/html, got no answer (ECONNREFUSED)',
    `No answer from ${gone.url}: the other checks were not tried.`,
    '0 passed, 1 failed, 0 skipped',
  ])
  expect(code).toBe(1)
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
    const file = join(newFolder('outputs'), 'outputs.json')
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
    const refusals = [await run(['--url', url], elsewhere), await run(['--url', url], { token: 'production' })]
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
