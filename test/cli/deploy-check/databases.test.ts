/** The databases of a stage, checked before their secret is stored, on a real Redis behind the proxy. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { runDeployCheck } from '../../../cli/deploy-check.ts'
import { checkDatabases, maxSecretBytes, type SenderFor, type ShopReader } from '../../../cli/deploy-databases.ts'
import { probeCommands, stageChecks } from '../../../cli/deploy-stage.ts'
import { readTable } from '../../../cli/deploy-table.ts'
import type { CliEnvironment } from '../../../cli/exported-token.ts'
import { requestSender } from '../../../cli/smoke/request.ts'
import { parse } from '../../../core/lib/parse.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { maxDatabases, stockDatabases } from '../../../core/stock/database.ts'
import { small } from '../../../infra/settings/small.ts'
import { readerRights, writerRights } from '../../../system/redis-rights.ts'
import { newFolder } from '../../folders.ts'
import { openTestRedis } from '../../local/upstash-support.ts'
import { aSale } from '../../redis/support.ts'
import { type Answers, accountWith, edgeSecret, secretAnswer } from './account.ts'

const token = 'token-of-the-owner'
const readOnly = 'token-of-a-reader'

const upstash = await openTestRedis({
  tokens: [
    ...[{ token }, { token: readOnly, rules: ['~*', '-@all', '+get', '+ping'] }],
    ...[
      { token: 'reader', rules: readerRights },
      { token: 'writer', rules: writerRights },
    ],
  ],
})

/** Addresses of `.example` lead to the proxy; those of `.gone.example` to a port where nothing is. */
const senderFor: SenderFor = (url) =>
  requestSender(url.endsWith('.gone.example') ? 'http://127.0.0.1:9' : upstash.proxy.url)

const database = (name: string, change: object = {}) => ({
  ...{ name, url: `https://${name}.example`, token, commandsPerSecond: 10_000 },
  ...change,
})
const secretOf = (list: unknown, change: object = {}) => ({
  ...{ stockDatabases: list, gateUrl: 'https://gate.example', gateToken: token },
  ...change,
})
const check = (secret: unknown) => checkDatabases(JSON.stringify(secret), senderFor)
const problemsOf = async (secret: unknown) => (await check(secret)).problems

describe('the databases of a stage', () => {
  it('become the value of the secret, with the list as text, when all of them answer', async () => {
    const databases = [database('main'), database('db-2', { commandsPerSecond: 16_000 })]
    const { problems, answering, checked } = await check(secretOf(databases))
    expect([problems, answering]).toEqual([[], ['main', 'db-2', 'the gate’s database']])
    const value = JSON.parse(checked?.secret ?? '') as Record<string, string>
    expect(Object.values(value).every((field) => typeof field === 'string')).toBe(true)
    expect(parse(stockDatabases, value.stockDatabases)).toEqual({ ok: true, value: databases })
    expect(value).toMatchObject({ gateUrl: 'https://gate.example', gateToken: token })
  })

  it('may be given as the secret has them, so that a stored one can be checked again', async () => {
    const { checked } = await check(secretOf([database('main')]))
    expect(checked?.names).toEqual(['main'])
    expect((await check(JSON.parse(checked?.secret ?? ''))).checked).toEqual(checked)
  })

  it('may include that of the gate', async () => {
    const shared = secretOf([database('main')], { gateUrl: 'https://main.example' })
    expect(await problemsOf(shared)).toEqual([])
    expect((await check(secretOf([database('main')]))).warnings).toEqual([])
  })

  it('are named when the gate shares one with the stock, which slows down a large sale', async () => {
    const shared = secretOf([database('main'), database('db-2')], { gateUrl: 'https://db-2.example/' })
    expect((await check(shared)).warnings).toEqual([
      expect.stringMatching(/^db-2 and the gate share a database: .* trials only$/),
    ])
  })

  it('leave no key behind', async () => {
    await check(secretOf([database('main')]))
    expect(await upstash.client(token).dbsize()).toBe(0)
  })

  it('are checked for all rights of the gate’s users by commands that change nothing', async () => {
    for (const rights of [readerRights, writerRights]) {
      const asked = new Set(probeCommands(rights).map(([name = '']) => `+${name.toLowerCase()}`))
      expect([...asked].toSorted()).toEqual(rights.filter((rule) => rule.startsWith('+')).toSorted())
    }
    const rowsWith = async (change: object) =>
      (await readTable(stageChecks, { settings: small, aws: accountWith(secretsWith(change)), senderFor })).filter(
        ({ name }) => name === 'gate users',
      )
    const secretsWith = (change: object): Answers => ({
      'get-secret-value': (option) =>
        secretAnswer(option('--secret-id').endsWith('edge') ? edgeSecret(change) : secretOf([database('main')])),
    })
    expect(await rowsWith({})).toMatchObject([{ state: 'good' }, { state: 'good' }])
    expect(await rowsWith({ readerToken: token, writerToken: token })).toMatchObject([
      { state: 'bad' },
      { state: 'bad' },
    ])
    expect(await upstash.client(token).dbsize()).toBe(0)
  })

  it.each<[what: string, secret: unknown, problem: RegExp]>([
    ['without a list', { gateUrl: 'https://gate.example', gateToken: token }, /^stockDatabases is missing$/],
    ['with an empty list', secretOf([]), /^stockDatabases must list a database$/],
    ['with a list that is not JSON', secretOf('[{'), /^stockDatabases must be a list in JSON$/],
    [
      'with more than a stage can list',
      secretOf(Array.from({ length: maxDatabases + 1 }, (_, at) => database(`db-${at}`))),
      /^stockDatabases must list at most 64 databases$/,
    ],
    ['with a name twice', secretOf([database('main'), database('main')]), /^stockDatabases must have unique names$/],
    ['with a name in capitals', secretOf([database('Main')]), /^stockDatabases\.0\.name must be 1 to 20/],
    ['without a token', secretOf([database('main', { token: '' })]), /^stockDatabases\.0\.token is empty$/],
    ['with an unknown field', secretOf([database('main', { region: 'eu' })]), /^stockDatabases\.0\.region is not/],
    ['without the gate', secretOf([database('main')], { gateUrl: '' }), /^gateUrl must be an http or https address$/],
    ['that is not JSON', undefined, /^body must be JSON$/],
  ])('are refused %s', async (_, secret, problem) => {
    const { problems, checked } = await checkDatabases(JSON.stringify(secret) ?? '', senderFor)
    expect(problems).toEqual([expect.stringMatching(problem)])
    expect(checked).toBeUndefined()
  })

  it('are refused when a token would be sent in the clear, or one is listed twice', async () => {
    const list = [
      database('main', { url: 'http://main.example' }),
      database('db-2'),
      database('db-3', { url: 'https://DB-2.example/' }),
    ]
    expect(await problemsOf(secretOf(list, { gateUrl: 'http://gate.example' }))).toEqual([
      'main: its address must begin with https://',
      'the gate’s database: its address must begin with https://',
      'db-2 and db-3 are the same database',
    ])
  })

  it('are refused when their secret would exceed the limit of Secrets Manager, which the maximum number does not', async () => {
    const listOf = (token: string) =>
      Array.from({ length: maxDatabases }, (_, at) =>
        database(`db-${at}`, { token, url: `https://charming-narwhal-${10_000 + at}.upstash.io` }),
      )
    expect(await problemsOf(secretOf(listOf('t'.repeat(1000))))).toEqual([
      expect.stringMatching(new RegExp(`^the secret has \\d+ bytes, ${maxSecretBytes} at most`)),
    ])
    const { problems, checked } = await check(secretOf(listOf(token)))
    expect([problems, checked?.names.length]).toEqual([[], maxDatabases])
  })

  it('are refused, all at once, if one does not answer, rejects its token or accepts no writes', async () => {
    const list = [
      database('main'),
      database('db-2', { url: 'https://db-2.gone.example' }),
      database('db-3', { token: 'of-another-database' }),
      database('db-4', { token: readOnly }),
    ]
    const { problems, answering, checked } = await check(secretOf(list))
    expect(problems).toEqual([
      expect.stringMatching(/^db-2: no answer/),
      expect.stringMatching(/^db-3: WRONGPASS/),
      expect.stringMatching(/^db-4: NOPERM .*'del'/),
    ])
    expect([answering, checked]).toEqual([['main', 'the gate’s database'], undefined])
    expect(problems.join()).not.toMatch(/of-another-database|token-of/)
  })
})

describe('npm run deploy -- --check --redis', () => {
  const place = newFolder('deploy-check')
  const file = join(place, 'redis.json')

  let shop: ShopReader
  let endpoints: unknown[]
  beforeEach(() => {
    endpoints = []
    shop = shopWith([])
    writeFileSync(
      file,
      Buffer.from(`\ufeff${JSON.stringify(secretOf([database('main'), database('db-2')]))}`, 'utf16le'),
    )
  })

  /** A shop with its sales in pages of two. */
  const shopWith = (sales: readonly Sale[]): ShopReader => ({
    listSales: async ({ query: { after = '0' } = {} } = {}) => {
      const [at, more] = [Number(after), Number(after) + 2]
      return { sales: sales.slice(at, more), next: more < sales.length ? String(more) : null }
    },
  })

  async function run(args: string[], environment: CliEnvironment = { url: undefined, token: undefined }) {
    const [lines, complaints]: [string[], string[]] = [[], []]
    const code = await runDeployCheck(args, {
      print: (line) => lines.push(line),
      printError: (line) => complaints.push(line),
      stages: {},
      now: 0,
      senderFor,
      environment,
      shopAt: (endpoint) => {
        endpoints.push(endpoint)
        return shop
      },
    })
    return { code, lines, complaints }
  }
  const withShop = ['--redis', file, '--url', 'https://shop.example/', '--token', 'of-a-marketer']

  it('prints only the value of the secret, and its findings to standard error', async () => {
    const { code, lines, complaints } = await run(['--redis', file])
    expect(code).toBe(0)
    expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ gateToken: token })])
    expect(complaints).toEqual([
      '✓ main answers and takes writes',
      '✓ db-2 answers and takes writes',
      '✓ the gate’s database answers and takes writes',
      expect.stringContaining('Not compared with the sales of a shop'),
      expect.stringContaining('eviction is off'),
    ])
  })

  it('warns of a database that gate and stock share, but prints the secret', async () => {
    writeFileSync(file, JSON.stringify(secretOf([database('main')], { gateUrl: 'https://main.example' })))
    const { code, lines, complaints } = await run(['--redis', file])
    expect([code, lines.length]).toEqual([0, 1])
    expect(complaints).toContainEqual(expect.stringMatching(/^~ main and the gate share a database/))
  })

  it('exits 1 and prints no secret when a database cannot be used, or the file cannot be read', async () => {
    writeFileSync(file, JSON.stringify(secretOf([database('main', { token: 'wrong' })])))
    const { code, lines, complaints } = await run(['--redis', file])
    expect([code, lines]).toEqual([1, []])
    expect(complaints).toEqual([expect.stringMatching(/^✓ the gate/), expect.stringMatching(/^✗ main: WRONGPASS/)])
    expect(await run(['--redis', join(place, 'missing.json')])).toMatchObject({
      code: 1,
      complaints: [expect.stringMatching(/missing\.json cannot be read \(ENOENT\)$/)],
    })
  })

  it('exits 1 when a sale of the shop is in a database that the list does not have', async () => {
    const [mugs, tea, hats] = [['main'], ['db-3'], ['old']].map((databases) => aSale({ databases }))
    const cold = aSale({ databases: [], warmed: false })
    shop = shopWith([mugs, cold, tea, hats].filter((sale) => sale !== undefined))
    const { code, lines, complaints } = await run(withShop)
    expect([code, lines]).toEqual([1, []])
    expect(complaints.filter((line) => line.startsWith('✗'))).toEqual([
      `✗ ${tea?.saleId} is in db-3, which the list does not have`,
      `✗ ${hats?.saleId} is in old, which the list does not have`,
    ])
    expect(endpoints).toEqual([{ url: 'https://shop.example', token: 'of-a-marketer' }])
  })

  it('exits 1 when the sales of the shop cannot be read', async () => {
    shop = { ...shop, listSales: () => Promise.reject(new Error('sign in again')) }
    const { code, complaints } = await run(withShop)
    expect([code, complaints.at(-1)]).toEqual([1, '✗ the sales of the shop cannot be read: sign in again'])
  })

  it('sends SLUICE_TOKEN to the shop of SLUICE_URL only', async () => {
    const own = { url: 'https://shop.example', token: 'exported' }
    expect((await run(withShop.slice(0, 4), own)).code).toBe(0)
    expect(endpoints).toEqual([own])
    expect((await run(withShop.slice(0, 4), { ...own, url: 'https://other.example' })).code).toBe(2)
    expect((await run(withShop.slice(0, 4))).code).toBe(2)
    expect(endpoints).toEqual([own])
  })

  it.each([
    [['--redis']],
    [['--redis', 'redis.json', '--stage', 'dev']],
    [['--redis', 'redis.json', '--force']],
    [['--redis', 'redis.json', '--token', 'any']],
    [['--redis', 'redis.json', '--url', 'shop']],
  ])('exits 2 at %j', async (args) => {
    expect((await run(args)).code).toBe(2)
  })
})
