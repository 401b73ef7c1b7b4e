/** The preflight command: its options, what it prints, its exit code, and the figures of it that stand in the guides. */
import { execFile } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findMaxCrowd, proposeSpread } from '../../../cli/preflight/limits.ts'
import { defaultPlan } from '../../../cli/preflight/plan.ts'
import { dollars, type PreflightReport } from '../../../cli/preflight/report.ts'
import { runPreflight } from '../../../cli/preflight.ts'
import { prod } from '../../../infra/settings/prod.ts'
import { small } from '../../../infra/settings/small.ts'
import { newFolder } from '../../folders.ts'

type Run = { code: number; stdout: string; stderr: string }

async function run(...args: string[]): Promise<Run> {
  const said = { stdout: '', stderr: '' }
  const code = await runPreflight(args, {
    print: (text) => {
      said.stdout += `${text}\n`
    },
    printError: (text) => {
      said.stderr += `${text}\n`
    },
  })
  return { code, ...said }
}

const reportOf = async (...args: string[]): Promise<PreflightReport> =>
  JSON.parse((await run(...args, '--json')).stdout)
const forecast = ['--shoppers', '1000000', '--within', '10', '--stock', '1000']
const listed = (stdout: string) => stdout.split('\n').filter((line) => /^[✓~✗] /.test(line))

describe('the preflight command', () => {
  it('exits 0 when everything fits, and prints the limit that breaks first', async () => {
    const { code, stdout } = await run('--stage', 'dev', '--shoppers', '1000', '--stock', '100')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^The sale fits dev\.\ndev handles 4,\d{3} shoppers; what breaks first is Lambda conc/)
    expect(listed(stdout).join()).toContain('Lambda concurrency, eu-west-1')
  })

  it('exits 1 with the verdict first, the limits that bind and at most five lines of advice', async () => {
    const { code, stdout } = await run(...forecast)
    expect(code).toBe(1)
    const lines = stdout.split('\n')
    expect(lines[0]).toBe(
      'The sale does not fit prod. First short: Lambda concurrency, eu-west-1 (1,556 of 1,000). In all 4 of 23 limits are short: 3 to ask for, 1 fixed.',
    )
    expect(lines[1]).toBe('prod handles 266,400 shoppers; what breaks first is Lambda concurrency, eu-west-1.')
    expect(listed(stdout)).toHaveLength(13)
    expect(stdout).toContain('10 more are under half of their share (--all).')
    const advice = lines.filter((line) => line.startsWith('- '))
    expect(advice).toHaveLength(5)
    expect(advice[0]).toBe('- Set spreadSeconds to 300: of 396,139 clicks a second 3,334 start the gate.')
    expect(advice[1]).toMatch(/^- distribution-requests: .* ask for 550,000, then set quotas\./)
  })

  it('plans the sale of the example without arguments, and the forecast of a stage that is named', async () => {
    const [{ stdout: example }, { stdout: prods }] = [await run(), await run('--stage', 'prod')]
    expect(example).toContain('Planned: 30,000 shoppers within 10 s for 200 units')
    expect(example).toMatch(/^prod handles/m)
    expect(prods).toContain('Planned: 1,000,000 shoppers within 10 s for 1,000 units')
  })

  it('prints every limit and all advice on request', async () => {
    const { stdout } = await run(...forecast, '--all')
    expect(listed(stdout)).toHaveLength(23)
    expect(stdout).not.toContain('--all')
    expect(stdout.match(/^- /gm)).toHaveLength(9)
  })

  it('calculates with the spread that it proposes, or with a given one', async () => {
    const { plan, spreadSeconds, findings } = await reportOf(...forecast, '--spread', '0')
    expect([plan.spreadSeconds, spreadSeconds]).toEqual([0, 300])
    expect(findings.filter(({ state }) => state === 'short')).toHaveLength(7)
    expect((await reportOf(...forecast)).plan.spreadSeconds).toBe(300)
  })

  it('exits 0 when what is short is accepted', async () => {
    const short = ['distribution-requests', 'edge-starts', 'account-concurrency', 'mails-per-day']
    expect((await run(...forecast, '--accept', ...short.slice(1))).code).toBe(1)
    expect((await run(...forecast, '--accept', ...short)).code).toBe(0)
  })

  it('says when no smaller crowd would help, and what to do with the stock', async () => {
    const { code, stdout } = await run('--stage', 'dev', '--stock', '150000')
    expect(code).toBe(1)
    expect(stdout).toContain('A smaller crowd would not help')
    expect(stdout).toContain('(--databases 2 --shards 2)')
    const split = await reportOf('--stage', 'dev', '--stock', '150000', '--databases', '2', '--shards', '2')
    expect(split.findings.find(({ id }) => id === 'stock-commands')?.state).toBe('ok')
  })

  it('says what Turnstile and emails need', async () => {
    const { advice, costs } = await reportOf(...forecast, '--challenge', 'turnstile')
    expect(advice.join('\n')).toMatch(/Turnstile: 10,000 checks a second need 2,600 of 1,000 environments/)
    expect(costs.find(({ item }) => item === 'Security checks')?.sale).toBeCloseTo(18, 1)
  })

  it('calculates with the prices of the stage’s region, and says what is left after the free tier', async () => {
    const { priceRegion, totals } = await reportOf('--stage', 'small')
    expect(priceRegion).toBe('eu')
    const { stdout } = await run('--stage', 'small')
    expect(stdout).toContain('A sale, list prices of Europe:')
    expect(stdout).toContain(` ${dollars(totals.sale.list - totals.sale.free)}\n`)
  })

  it('prints the bill of a sale and that of a month in two tables, and a flood beside them', async () => {
    const { stdout } = await run(...forecast)
    const [, sale = '', month = ''] = stdout.split(/^ {2}A .*, list prices of Europe:\n/m)
    expect(sale).toMatch(/^ {2}Provisioned environments +\$/m)
    expect(sale).not.toMatch(/Schedules|Secrets/)
    expect(month).toMatch(/^ {2}Schedules +\$[\s\S]*^ {2}Secrets and keys +\$/m)
    expect(month).toContain('blocks cost $6.00, and $10.00 in its log.')
    expect((await run('--stage', 'dev')).stdout).not.toContain('a flood')
  })

  it('adds the rows of its bill up to the total', async () => {
    const { costs, totals, ready, stage } = await reportOf(...forecast)
    expect([ready, stage]).toEqual([false, 'prod'])
    for (const of of ['sale', 'month'] as const) {
      expect(costs.reduce((sum, cost) => sum + cost[of], 0)).toBeCloseTo(totals[of].list)
    }
  })

  it('refuses shards without a database for each, and those of red packets', async () => {
    const few = await run('--shards', '3', '--databases', '2')
    expect([few.code, few.stderr]).toEqual([2, expect.stringContaining('--databases 3')])
    const packets = await run('--shards', '2', '--databases', '2', '--kind', 'red-packet')
    expect([packets.code, packets.stderr]).toEqual([2, expect.stringContaining('--shards must be 1')])
  })

  it.each([
    ['--shoppers', '1e6'],
    ['--shoppers', '0'],
    ['--stock', '2.5'],
    ['--stock', '-1'],
    ['--within', 'ten'],
    ['--spread', '301'],
    ['--busiest-region', '101'],
    ['--stage', 'test'],
    ['--kind', 'tea'],
    ['--accept', 'everything'],
    ['--databases', '65'],
    ['--shards', '0'],
    ['--sales', 'two'],
    ['--scale', ''],
  ])('exits 2 at %s %s and names the option', async (option, value) => {
    const { code, stdout, stderr } = await run(option, value)
    expect(code).toBe(2)
    expect(stderr).toContain(option)
    expect(stdout).toBe('')
  })
})

describe('npm run preflight', () => {
  const file = new URL('../../../cli/preflight.ts', import.meta.url).pathname
  const runProcess = (...args: string[]): Promise<Run> =>
    promisify(execFile)(process.execPath, [file, ...args]).then(
      (ended) => ({ code: 0, ...ended }),
      (error: Run) => error,
    )

  const place = newFolder('preflight')
  afterEach(() => vi.unstubAllEnvs())
  /** Puts a fake AWS CLI, written for bash, before the real one. */
  const installAws = (aws: string) => {
    writeFileSync(join(place, 'aws'), `#!/bin/bash\n${aws}\n`)
    chmodSync(join(place, 'aws'), 0o755)
    vi.stubEnv('PATH', `${place}:${process.env.PATH}`)
  }

  it('compares with the account’s real quotas on request', async () => {
    installAws(`[ "$1" = lambda ] && echo '{"AccountLimit":{"ConcurrentExecutions":10}}' || echo '{"Quotas":[]}'`)
    const { code, stdout } = await runProcess('--stage', 'dev', '--account', '--spread', '0')
    expect(code).toBe(1)
    expect(stdout).toContain('functionConcurrency: 10 (Lambda account settings, eu-west-1)')
    expect(stdout).toContain('distributionRequestsPerSecond: NOT READ, 250,000 is assumed')
    expect(stdout).toContain('✗ edge concurrency, busiest region')
    expect((await run('--stage', 'dev', '--account', '--json')).stdout).toContain('"amount": 10')
  })

  it('says that nothing could be read without credentials, and uses the documented defaults', async () => {
    installAws('echo; echo "Unable to locate credentials." >&2; exit 253')
    const { code, stdout } = await run('--stage', 'dev', '--account')
    expect(code, 'dev can bear its forecast').toBe(0)
    expect(stdout.match(/NOT READ/g)).toHaveLength(6)
    expect(stdout).toContain('Unable to locate credentials.')
  })

  it('says that the AWS CLI is not installed', async () => {
    vi.stubEnv('PATH', place.concat('/none'))
    expect((await run('--stage', 'dev', '--account')).stdout).toContain('the AWS CLI is not installed')
  })
})

describe('the figures in the guides', () => {
  const textOf = (file: string) => readFileSync(file, 'utf8')

  it('are the bill of a million shoppers, also for those who come earlier', async () => {
    const { totals, costs, signIn } = await reportOf('--stage', 'prod')
    const { list, free } = totals.sale
    const waits = await Promise.all(
      ['15', '60'].map(async (minutes) =>
        dollars((await reportOf('--stage', 'prod', '--wait-minutes', minutes)).totals.sale.list),
      ),
    )
    const firewall = dollars(costs.find(({ item }) => item === 'Firewall')?.sale ?? 0)
    const bill = [dollars(list), dollars(list - free), ...waits, firewall]
    for (const file of ['docs/guide/architecture.md', 'docs/how-to/deploy.md']) {
      for (const figure of bill) expect(textOf(file), `${figure} in ${file}`).toContain(figure)
    }
    for (const file of ['README.md', 'README.zh-CN.md']) expect(textOf(file)).toContain(dollars(list - free))
    for (const figure of bill.slice(0, 2)) expect(textOf('docs/reference/benchmarks.md')).toContain(figure)
    for (const file of ['docs/reference/benchmarks.md', 'docs/how-to/deploy.md']) {
      for (const figure of [signIn.requests, signIn.codes]) expect(textOf(file), file).toContain(dollars(figure))
    }
  })

  it('are what a small shop costs and handles', async () => {
    const month = dollars((await reportOf('--stage', 'small')).totals.month.list)
    for (const file of ['README.md', 'README.zh-CN.md', 'docs/how-to/deploy.md', 'docs/how-to/go-live.md']) {
      expect(textOf(file), file).toContain(month)
    }
    const plan = { ...defaultPlan, ...small.forecast }
    const few = { ...small.quotas, functionConcurrency: 10, edgeConcurrency: 10 }
    const handled = (spreadSeconds: number, quotas = small.quotas) =>
      findMaxCrowd({ ...plan, spreadSeconds }, small, quotas).shoppers
    const counts = [
      handled(proposeSpread(plan, small, small.quotas)),
      handled(0),
      handled(proposeSpread(plan, small, few), few),
    ]
    expect(counts).toEqual([54_720, 4614, 4])
    for (const shoppers of counts) {
      expect(textOf('docs/how-to/deploy.md')).toMatch(new RegExp(`\\| ${shoppers.toLocaleString('en')}(?: \\||:)`))
    }
    for (const file of ['README.md', 'README.zh-CN.md']) expect(textOf(file)).toContain('54,720')
  })

  it('are what prod handles, and what a million shoppers need of it', async () => {
    const { maxShoppers, findings, plan, totals } = await reportOf('--stage', 'prod')
    const short = findings.filter(({ state }) => state === 'short')
    expect(short.map(({ id }) => id)).toEqual([
      ...['distribution-requests', 'edge-starts', 'account-concurrency', 'mails-per-day'],
    ])
    const asked = short.flatMap(({ advice }) => /ask for ([\d,]*\d)/.exec(advice ?? '')?.[1] ?? [])
    for (const file of ['README.md', 'README.zh-CN.md']) {
      const figures = [maxShoppers.toLocaleString('en'), dollars(totals.month.list), ...asked]
      for (const figure of figures) expect(textOf(file)).toContain(figure)
    }
    const [distributionRequestsPerSecond = 0, functionConcurrency = 0, mailsPerDay = 0] = asked.map((text) =>
      Number(text.replaceAll(',', '')),
    )
    const quotas = { ...prod.quotas, distributionRequestsPerSecond, functionConcurrency, mailsPerDay }
    expect(findMaxCrowd({ ...plan, busiestShare: 0.5 }, prod, quotas).shoppers).toBeGreaterThanOrEqual(1_000_000)
  })

  it('are the table of costs, row by row, of small and of prod', async () => {
    const guide = textOf('docs/how-to/deploy.md')
    const reports = [await reportOf('--stage', 'small'), await reportOf('--stage', 'prod')]
    const { blocking, log } = reports[1]?.flood ?? expect.unreachable('prod has a firewall')
    expect(guide).toContain(`blocks cost ${dollars(blocking)}, and ${dollars(log)} in its log`)
    const row = (name: string, of: (report: PreflightReport) => [sale: number, month: number]) =>
      `| ${name} | ${reports.flatMap(of).map(dollars).join(' | ')} |`
    for (const { item } of reports.flatMap(({ costs }) => costs)) {
      const found = ({ costs }: PreflightReport) => costs.find((cost) => cost.item === item)
      expect(guide).toContain(row(item, (report) => [found(report)?.sale ?? 0, found(report)?.month ?? 0]))
    }
    expect(guide).toContain(row('Together', ({ totals: { sale, month } }) => [sale.list, month.list]))
    const left = ({ totals: { sale, month } }: PreflightReport): [number, number] => [
      sale.list - sale.free,
      month.list - month.free,
    ]
    expect(guide).toContain(row('After an unused free tier', left))
    for (const challenge of ['pow', 'turnstile']) {
      const checks = (await reportOf('--stage', 'prod', '--challenge', challenge)).costs.find(
        ({ item }) => item === 'Security checks',
      )
      expect(guide).toContain(dollars(checks?.sale ?? 0))
    }
  })

  it('are the report that the command prints, with no other figures', async () => {
    const guide = textOf('docs/how-to/operations.md')
    const [, command = '', shown = ''] = /^\$ npm run preflight -- (.*)\n([\s\S]*?)^```/m.exec(guide) ?? []
    const { stdout } = await run(...command.split(' '))
    const quoted = shown.split('\n').filter((line) => line !== '' && line !== '…')
    expect(quoted.length).toBeGreaterThan(10)
    for (const line of quoted) expect(stdout.split('\n')).toContain(line)
    const atOnce = await reportOf(...command.split(' '), '--spread', '0')
    expect(guide).toContain(`it handles ${atOnce.maxShoppers.toLocaleString('en')} shoppers`)
  })
})
