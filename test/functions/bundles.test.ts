/** The bundles in `dist/` as they are deployed. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bundleLimitsBytes, dist, functionEntries, refuseHeavyBundle } from '../../build.ts'
import { listen } from '../../local/listen.ts'
import { environmentAt } from '../../proof/bench/edge/environment.ts'
import { aHandler, bundleOf, importAll, importEach, loadsFetch } from './imported-bundles.ts'

const names = Object.keys(await functionEntries())
const usual = environmentAt('http://127.0.0.1:9')
/** Maps every name to the same value. */
const everyOne = <Value>(among: readonly string[], value: Value) =>
  Object.fromEntries(among.map((name) => [name, value]))

/** The files that the bundle of `name` contains, by its source map. */
function filesIn(name: string): string[] {
  const map: { sources: string[] } = JSON.parse(readFileSync(`${bundleOf(name)}.map`, 'utf8'))
  return map.sources
}

describe('every bundle', () => {
  it('exports a handler without a callback, which Node 24 on Lambda would refuse, and calls no service while it is imported but for reserve', async () => {
    let calls = 0
    const server = createServer((_, response) => {
      calls += 1
      response.writeHead(503).end()
    })
    const { url, stop } = await listen(server, 0)
    onTestFinished(stop)
    const others = names.filter((name) => name !== 'reserve')
    expect(await importAll(others, () => environmentAt(url))).toEqual(everyOne(others, aHandler))
    expect(calls).toBe(0)
    // It reads where the stocks are, and starts also when it cannot (N8).
    expect(await importAll(['reserve'], () => environmentAt(url))).toEqual({ reserve: aHandler })
    expect(calls).toBe(2)
  })

  it('does without the client of fetch in a cold start, as the gate does (N8)', async () => {
    const files = [...names.map(bundleOf), join(dist, 'edge/handler.mjs')]
    expect(await loadsFetch(files.map((file) => ({ file, env: usual })))).toBe(false)
  })

  const { AWS_ACCESS_KEY_ID: _id, AWS_SECRET_ACCESS_KEY: _secret, ...withoutCredentials } = usual

  it('does not start without credentials and names their variables', async () => {
    const message = expect.stringMatching(
      /^The environment is not usable: AWS_ACCESS_KEY_ID (?:is missing; |or )AWS_SECRET_ACCESS_KEY is missing$/,
    )
    expect(await importAll(names, () => withoutCredentials)).toEqual(
      everyOne(names, expect.objectContaining({ message })),
    )
  })

  it.each([
    ['mail', ['TABLE_NAME', 'PERSONAL_KEYS', 'SHOP_URL', 'MAIL']],
    ['payment-simulator', ['TABLE_NAME', 'PAYMENT_API_KEY', 'WEBHOOK_SECRET', 'SHOP_URL']],
  ])('of %s, which not every stage has, names all the variables that it lacks', async (name, needs) => {
    const problems = needs.map((variable) => `${variable} is missing`)
    const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = usual
    const lambda = { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }
    expect(await importAll([name], () => lambda)).toMatchObject({ [name]: { problems } })
  })

  it('has a map beside it, which leads the stack of an error back to our files and is not read at run time', async () => {
    const [reserve] = await importEach([{ file: bundleOf('reserve'), env: withoutCredentials, hasStack: true }])
    const stack = reserve !== undefined && 'stack' in reserve ? reserve.stack : ''
    const [, line, column] = /handler\.mjs\?0:(\d+):(\d+)/.exec(stack ?? '') ?? []
    const map = new SourceMap(JSON.parse(readFileSync(`${bundleOf('reserve')}.map`, 'utf8')))
    const origin = map.findOrigin(Number(line), Number(column))
    expect(origin).toMatchObject({ fileName: expect.stringMatching(/\/functions\/lib\/\w+\.ts$/) })
    for (const name of names) {
      expect(readFileSync(bundleOf(name), 'utf8'), name).not.toContain('sourceMappingURL')
      const ours = filesIn(name).filter((file) => /\/functions\/[\w/-]+\.ts$/.test(file))
      expect(ours, name).not.toEqual([])
    }
  })

  it.each(names)('of %s holds ES modules only, and takes its credentials from the environment alone', (name) => {
    const files = filesIn(name)
    expect(files.filter((file) => /@(?:aws-sdk|smithy)\/.*\/dist-cjs\//.test(file))).toEqual([])
    expect(readFileSync(bundleOf(name), 'utf8')).not.toContain('Dynamic require of')
    const hasSdk = files.some((file) => file.includes('@aws-sdk/client-'))
    expect(files.includes('../../../functions/lib/credentials.ts')).toBe(hasSdk)
    const elsewhere = /credential-provider-(?!env\/)|nested-clients|token-providers|client-(?:sts|sso)/
    expect(files.filter((file) => elsewhere.test(file))).toEqual([])
  })

  it.each(['canary', 'sign-in'])(
    'of %s, which signs its one request to the table itself, ships no client of AWS',
    (name) => {
      expect(filesIn(name).filter((file) => /@aws-sdk|credentials/.test(file))).toEqual([])
    },
  )
})

describe('a large library', () => {
  const publishes = ['control', 'reconcile']
  const usesSite = ['cancel-unpaid', 'delivery', 'draws', 'order-changes', 'payments']

  it.each([
    ['the client of S3', 'client-s3', [...publishes, ...usesSite, 'pictures', 'write-orders']],
    ['the client of the key-value store', 'client-cloudfront-keyvaluestore', publishes],
    ['the client of SES', 'client-sesv2', ['mail']],
    ['the client of EventBridge', 'client-eventbridge', ['delivery', 'events']],
  ])('%s is only in the bundles of the functions that call it', (_, library, users) => {
    const found = names.filter((name) => filesIn(name).some((file) => file.includes(`/@aws-sdk/${library}/`)))
    expect(found).toEqual(users.toSorted())
  })

  it('has the templates of pages beside the functions that publish them, and in no handler', () => {
    const beside = names.filter((name) => existsSync(join(dist, 'functions', name, 'templates.mjs')))
    expect(beside).toEqual(publishes)
    const inside = names.filter((name) => filesIn(name).some((file) => file.endsWith('/templates/pages/sale.ts')))
    expect(inside).toEqual([])
  })
})

const callsProvider = ['cancel-unpaid', 'control', 'order-changes', 'payments', 'reconcile']

describe("Stripe's client", () => {
  it('is beside the functions that call the payment provider, and in no handler', () => {
    expect(names.filter((name) => existsSync(join(dist, 'functions', name, 'stripe.mjs')))).toEqual(callsProvider)
    const handlers = names.filter((name) => filesIn(name).some((file) => file.includes('node_modules/stripe/')))
    expect(handlers).toEqual([])
  })

  it('is loaded at the first payment call, and for webhooks only where Stripe is the provider', async () => {
    const withoutPart = await mkdtemp(join(tmpdir(), 'sluice-'))
    onTestFinished(() => rm(withoutPart, { recursive: true }))
    const copyOf = (name: string) => join(withoutPart, `${name}.mjs`)
    for (const name of callsProvider) await copyFile(bundleOf(name), copyOf(name))
    const stripe = { ...usual, PAYMENT_PROVIDER: 'stripe' }
    const found = await importEach(
      callsProvider.flatMap((name) => [
        { file: copyOf(name), env: { ...usual, PAYMENT_PROVIDER: 'simulated' } },
        { file: copyOf(name), env: stripe },
        { file: bundleOf(name), env: stripe },
      ]),
    )
    const missing = expect.objectContaining({ code: 'ERR_MODULE_NOT_FOUND' })
    const ofWebhooks = (name: string) => (name === 'payments' ? missing : aHandler)
    expect(found).toEqual(callsProvider.flatMap((name) => [aHandler, ofWebhooks(name), aHandler]))
  })
})

describe('the build', () => {
  it('refuses a bundle that is heavier than its limit', () => {
    expect(() => refuseHeavyBundle('functions/reserve/handler.mjs', 362_501)).toThrow(
      'functions/reserve/handler.mjs has 362501 bytes; its limit is 362500.',
    )
    expect(() => refuseHeavyBundle('functions/reserve/handler.mjs', 362_500)).not.toThrow()
    expect(() => refuseHeavyBundle('edge/handler.mjs', 140_001)).toThrow('its limit is 140000')
  })

  it('has a limit for every bundle that a click or a page waits for, and keeps it', () => {
    expect(Object.keys(bundleLimitsBytes)).toEqual(['edge/handler.mjs', 'functions/reserve/handler.mjs'])
    for (const [file, limit] of Object.entries(bundleLimitsBytes)) {
      const { size } = statSync(join(dist, file))
      expect(size).toBeGreaterThan(limit / 10)
      expect(size).toBeLessThanOrEqual(limit)
    }
  })
})
