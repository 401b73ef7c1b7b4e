/** When the check before a deployment refuses, with a fake shop in place of the running one. */
import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { findBlockingSales, reasonToWait, runDeployCheck, type SaleTimes } from '../../cli/deploy-check.ts'
import type { SenderFor } from '../../cli/deploy-databases.ts'
import { RequestFailed, requestSender, type SmokeReply } from '../../cli/smoke/request.ts'
import { dev } from '../../infra/settings/dev.ts'
import { prod } from '../../infra/settings/prod.ts'
import { listen } from '../../local/listen.ts'
import { renderIndexPage } from '../../templates/pages/shop.ts'
import { useStops } from '../stops.ts'

const now = 1_800_000_000_000
const minute = 60_000
const hour = 60 * minute

const open: SaleTimes = { phase: 'open', startsAt: now - hour, endsAt: now + hour, nextStartsAt: null }

it.each<[what: string, change: Partial<SaleTimes>, reason: string | undefined]>([
  ['is open', {}, 'is open, or may open at any moment'],
  ['is paused', { phase: 'paused' }, 'is open, or may open at any moment'],
  ['should be open and waits for its marketer', { phase: 'scheduled' }, 'is open, or may open at any moment'],
  ['is sold out', { phase: 'sold-out' }, undefined],
  ['has ended', { phase: 'ended' }, undefined],
  ['is over, although its pointer is older', { endsAt: now }, undefined],
  ['starts in an hour', { phase: 'scheduled', startsAt: now + hour, endsAt: now + 2 * hour }, 'starts in 60 min'],
  ['starts in more than an hour', { phase: 'scheduled', startsAt: now + hour + 1, endsAt: now + 2 * hour }, undefined],
  [
    'is between two windows, the next within the hour',
    { phase: 'scheduled', endsAt: now - 1, nextStartsAt: now + 10 * minute },
    'starts in 10 min',
  ],
  [
    'is sold out, and its next window starts within the hour',
    { phase: 'sold-out', nextStartsAt: now + 1 },
    'starts in 1 min',
  ],
])('a sale that %s', (_, change, reason) => {
  expect(reasonToWait({ ...open, ...change }, now)).toBe(reason)
})

const reply = (status: number, text: string): SmokeReply => ({ status, headers: new Headers(), text })
const link = (saleId: string) => `<a href="/sales/${saleId}/">…</a>`
const index = (...saleIds: string[]) => `<body data-page="shop">${saleIds.map(link).join('')}</body>`

describe('the sales that stop a deployment', () => {
  const asking = (answers: Record<string, SmokeReply>) =>
    findBlockingSales(async (path) => answers[path] ?? reply(404, ''), now)

  it('are the sales of the first page whose pointers say so, each once', async () => {
    const later = { ...open, phase: 'scheduled', startsAt: now + 5 * hour, endsAt: now + 6 * hour }
    const found = await asking({
      '/': reply(200, index('mugs', 'mugs', 'tea', '../control')),
      '/sales/mugs/current.json': reply(200, JSON.stringify({ ...open, remaining: 3, src: '/x.js' })),
      '/sales/tea/current.json': reply(200, JSON.stringify(later)),
    })
    expect(found).toEqual(['mugs is open, or may open at any moment'])
  })

  it('include all that cannot be read', async () => {
    const pointer = '/sales/mugs/current.json'
    expect(await asking({ '/': reply(200, index('mugs')) })).toEqual(['mugs cannot be read (404)'])
    expect(await asking({ '/': reply(200, index('mugs')), [pointer]: reply(200, '{}') })).toEqual([
      'mugs cannot be read (200)',
    ])
    const cut = async (path: string) => {
      if (path !== '/') throw new RequestFailed('no answer (ECONNRESET)')
      return reply(200, index('mugs'))
    }
    expect(await findBlockingSales(cut, now)).toEqual(['mugs cannot be read (no answer (ECONNRESET))'])
  })

  it('may include others when the first page is full', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `s-${index}`)
    const ended = reply(200, JSON.stringify({ ...open, phase: 'ended' }))
    const found = await asking({
      '/': reply(200, index(...ids)),
      ...Object.fromEntries(ids.map((id) => [`/sales/${id}/current.json`, ended])),
    })
    expect(found).toEqual(['the shop lists 100 sales and may have more'])
  })
})

describe('npm run deploy -- --check', () => {
  const stops = useStops()

  async function shop(times: SaleTimes): Promise<string> {
    const server = createServer((request, response) => {
      response.end(request.url === '/' ? index('mugs') : JSON.stringify(times))
    })
    const here = await listen(server, 0)
    stops.push(here.stop)
    return here.url
  }
  const environment = { url: undefined, token: undefined }
  const shopAt = () => {
    throw new Error('no sale is read with a token')
  }
  const signIn = { kind: 'cognito', secondFactor: { notRequired: 'our issuer asks for a key' } } as const
  const stages = { dev, prod, waived: { ...prod, signIn }, test: { ...dev, signIn } }
  async function run(...given: (string | { senderFor: SenderFor })[]) {
    const args = given.filter((one) => typeof one === 'string')
    const fake = given.find((one) => typeof one === 'object')
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    const code = await runDeployCheck(args, {
      print,
      printError: print,
      stages,
      now,
      senderFor: fake?.senderFor ?? requestSender,
      environment,
      shopAt,
    })
    return { code, lines }
  }

  it('passes while no sale is near', async () => {
    const url = await shop({ ...open, phase: 'ended' })
    expect(await run('--stage', 'dev', '--url', url)).toEqual({
      code: 0,
      lines: ['✓ no sale is open or starts within the hour'],
    })
  })

  it('refuses a deployment while a sale is open, unless it is forced', async () => {
    const url = await shop(open)
    const { code, lines } = await run('--stage', 'dev', '--url', url)
    expect([code, lines[0]]).toEqual([1, '✗ mugs is open, or may open at any moment'])
    const forced = await run('--stage', 'dev', '--url', url, '--force')
    expect([forced.code, forced.lines[0]]).toEqual([0, lines[0]])
  })

  it('refuses when the address of the shop is missing: a sale may be open', async () => {
    const { code, lines } = await run('--stage', 'dev', '--url', '')
    expect([code, lines]).toEqual([
      1,
      [
        '✗ The address of the shop is missing (ShopUrl of sluice-dev-edge).\n' +
          '  Its sales are unknown. If one is open, its shoppers may meet a cold gate or a rollback.',
        expect.stringContaining('npm run deploy -- --stage dev begins with the table of checks'),
        'Not now. Wait, or deploy anyway with --force (docs/how-to/operations.md, "Deployments").',
      ],
    ])
    expect((await run('--stage', 'dev', '--force')).code).toBe(0)
  })

  const denied =
    '<HTML><HEAD><TITLE>ERROR: The request could not be satisfied</TITLE></HEAD><BODY><H1>403 ERROR</H1></BODY></HTML>'
  const dns = 'that its name points to the output DistributionDomain of sluice-dev-edge (docs/how-to/deploy.md).'
  const secret = 'check the secret sluice/dev/edge, sluice-dev-access and the firewall (docs/how-to/deploy.md).'
  it.each<[what: string, answer: SmokeReply | string, gave: string, cause: string]>([
    ['has no name in DNS yet', 'ENOTFOUND', 'no answer (ENOTFOUND)', `The name does not resolve yet: check ${dns}`],
    [
      'has a certificate of another name',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'no answer (ERR_TLS_CERT_ALTNAME_INVALID)',
      `The certificate is not of this name: check domain.certificateArn, and ${dns}`,
    ],
    ['refuses connections', 'ECONNREFUSED', 'no answer (ECONNREFUSED)', `Check ${dns}`],
    [
      'is denied by CloudFront',
      reply(403, denied),
      '403 ERROR: The request could not be satisfied 403 ERROR',
      `CloudFront refuses: ${secret}`,
    ],
    ['has a gate that fails', reply(502, ''), '502 without a body', `CloudFront refuses: ${secret}`],
    ['is parked', reply(200, '<h1>For sale</h1>'), 'a page of another site (200 For sale)', `Check ${dns}`],
    ['is redirected', reply(302, ''), '302 without a body', `Check ${dns}`],
  ])('refuses with the cause and a remedy when the shop %s', async (_, answer, gave, cause) => {
    const senderFor = () => async () => {
      if (typeof answer === 'string') throw new RequestFailed(`no answer (${answer})`)
      return answer
    }
    const refused = await run('--stage', 'dev', '--url', 'https://shop.example', { senderFor })
    const reason = [
      `✗ The shop cannot be read: GET https://shop.example/ gave ${gave}.`,
      'Its sales are unknown. If one is open, its shoppers may meet a cold gate or a rollback.',
      cause,
      'If its API answers, this lists the sales: npm run sale -- list --url https://shop.example',
    ].join('\n  ')
    const orForce = 'Not now. Wait, or deploy anyway with --force (docs/how-to/operations.md, "Deployments").'
    expect(refused).toEqual({ code: 1, lines: [reason, orForce] })
    const forced = await run('--stage', 'dev', '--url', 'https://shop.example', '--force', { senderFor })
    expect(forced).toEqual({ code: 0, lines: [reason, 'Deploying anyway: --force.'] })
  })

  it('reads the answer of the network, and of the page that shops have', async () => {
    const { code, lines } = await run('--stage', 'dev', '--url', 'http://127.0.0.1:9')
    expect([code, lines[0]]).toEqual([1, expect.stringMatching(/GET http:\/\/127\.0\.0\.1:9\/ gave no answer/)])
    const assets = new Proxy({}, { get: (_, name) => `/${String(name)}` })
    expect(renderIndexPage([], assets, {})).toContain('<body data-page="shop"')
  })

  it('refuses prod while its alarms or codes use the address of the example', async () => {
    const url = await shop({ ...open, phase: 'ended' })
    const { code, lines } = await run('--stage', 'prod', '--url', url)
    expect(code).toBe(1)
    expect(lines[0]).toContain('alarmEmail of infra/settings/prod.ts')
    expect(lines[1]).toContain('signIn.email.from of infra/settings/prod.ts')
  })

  it('repeats the warning of synth that a password alone opens the console of production', async () => {
    const url = await shop({ ...open, phase: 'ended' })
    const warned = await run('--stage', 'waived', '--url', url)
    const warning = '! signIn.secondFactor.notRequired: a password alone opens the console'
    expect(warned.lines[0]).toBe(`${warning} (our issuer asks for a key)`)
    for (const stage of ['test', 'prod'])
      expect((await run('--stage', stage, '--url', url)).lines.join(), stage).not.toContain('secondFactor')
    expect((await run('--stage', 'test', '--url', url)).code).toBe(0)
  })

  it.each([
    [[]],
    [['--stage', 'dev', '--token', 'any']],
    [['--stage', 'staging']],
    [['--stage', 'dev', '--url', 'shop']],
    [['--now']],
  ])('exits 2 at %j', async (args) => {
    expect((await run(...args)).code).toBe(2)
  })
})
