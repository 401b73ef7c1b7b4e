/** The preflight command: its options, what it prints and its exit code. */

import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import type { CdnPlanCost } from '../../../cli/preflight/cdn-plans.ts'
import { type Bill, type CostLine, totalOf } from '../../../cli/preflight/sale-cost.ts'
import type { VisitCost, WaitCost } from '../../../cli/preflight/waits.ts'
import { runPreflight } from '../../../cli/preflight.ts'
import { priceBooks } from '../../../infra/prices.ts'
import { liveOf } from '../../core/report/tables.ts'
import { aSale } from '../../redis/support.ts'

type Run = { code: number; stdout: string; stderr: string }

async function run(...args: string[]): Promise<Run> {
  const said = { stdout: '', stderr: '' }
  const code = await runPreflight(args, {
    print: (text) => {
      said.stdout += `${text}\n`
    },
    complain: (text) => {
      said.stderr += `${text}\n`
    },
    live: async (saleId) => {
      if (saleId !== 'mug') throw new Error('no such sale')
      return liveOf(aSale({ stock: 100, spreadSeconds: 10 }))
    },
    terminal: { isTTY: false, columns: 100 },
  })
  return { code, ...said }
}

describe('the preflight command', () => {
  it('exits 0 when everything fits', async () => {
    const { code, stdout } = await run('--stage', 'dev', '--shoppers', '1000', '--stock', '100')
    expect(code).toBe(0)
    expect(stdout).toMatch(/dev can bear this sale, and up to 4,\d{3} shoppers\.\n$/)
  })

  it('takes the settings of a sale unless an option says otherwise', async () => {
    const ofSale = ['--stage', 'dev', '--sale', 'mug', '--json']
    const planOf = async (...more: string[]) => JSON.parse((await run(...ofSale, ...more)).stdout).plan
    expect(await planOf()).toMatchObject({ stock: 100, spreadSeconds: 10, kind: 'goods' })
    expect(await planOf('--shoppers', '70', '--spread', '0')).toMatchObject({
      shoppers: 70,
      spreadSeconds: 0,
    })
    expect(await run('--sale', 'other')).toEqual({
      ...{ code: 2, stdout: '', stderr: '--sale other: no such sale\n' },
    })
  })

  it('exits 1 when one database cannot carry a sale, and 0 when it is split or is two sales', async () => {
    const large = [...['--stage', 'dev', '--stock', '150000', '--sell-seconds', '60'], '--accept', 'queue-rate']
    const others = [
      'redis-commands',
      'reader-concurrency',
      'account-concurrency',
      'payment-concurrency',
      'payment-pages',
    ]
    const accepted = [...large, ...others, 'table-reads', 'table-writes', '--json']
    const one = await run(...accepted, '--databases', '12')
    expect(one.code).toBe(1)
    const { findings } = JSON.parse(one.stdout) as { findings: { id: string; state: string }[] }
    expect(findings.find(({ id }) => id === 'stock-commands')?.state).toBe('short')
    expect((await run(...accepted, '--databases', '2', '--shards', '2')).code).toBe(0)
    expect((await run(...accepted, '--databases', '2', '--sales', '2')).code).toBe(0)
  })

  it('says how many databases a rate of orders needs, and how much of it one sale can use', async () => {
    const { stdout } = await run('--stage', 'prod', '--shards', '4', '--databases', '6')
    expect(stdout).toMatch(/100,000 a second +4\.8 +48 +\$10,080\.00 +\$13\.81\n/)
    const text = stdout.replaceAll(/\s+/g, ' ')
    expect(text).toContain('1,000 units, each over 4 of 6 databases')
    expect(text).toContain('One database takes 2,083 a second, and a sale uses as many as it has shards: 8,332')
    expect(text).toContain('A shop lists at most 64 databases, which take 133,312; more needs several shops.')
    const packets = await run('--stage', 'prod', '--kind', 'red-packet')
    expect(packets.stdout.replaceAll(/\s+/g, ' ')).toContain('The packets of a sale are in one database')
  })

  it('prints what each tier needs at published rates, as docs/guide/scale.md has it', async () => {
    const { code, stdout } = await run('--scale', '--stage', 'prod', '--prices', 'eu')
    expect(code).toBe(0)
    expect(readFileSync('docs/guide/scale.md', 'utf8')).toContain(stdout)
    // Nothing raises the starts of Lambda@Edge (L2, G8).
    expect(stdout.match(/^(?:Breaks|Every).*$/gm)).toEqual([
      'Every tier carries it.',
      'Breaks first: Lambda@Edge, starts in 10 s in a region, 2,207 of 1,000.',
      'Breaks first: Lambda@Edge, starts in 10 s in a region, 50,000 of 1,000.',
      'Breaks first: `sign-in`, environments, 208 of 50.',
    ])
    const short = await run('--scale', '--distribution-rps', '50000')
    expect(short.stdout).toContain('Breaks first: CDN, requests/s, 100,000 of 50,000.')
  })

  it('refuses shards without a database for each, and those of red packets', async () => {
    const few = await run('--shards', '3', '--databases', '2')
    expect([few.code, few.stderr]).toEqual([2, expect.stringContaining('--databases 3')])
    const packets = await run('--shards', '2', '--databases', '2', '--kind', 'red-packet')
    expect([packets.code, packets.stderr]).toEqual([2, expect.stringContaining('--shards must be 1')])
  })

  it('exits 1 and names the limit that is short, and what to do', async () => {
    const { code, stdout } = await run('--stage', 'dev', '--edge-rps', '10', '--spread', '0')
    expect(code).toBe(1)
    expect(stdout).toContain('✗ edge requests/s, busiest region (edge-requests)')
    expect(stdout).toMatch(/quotas\.edgeRequestsPerSecond\s+in infra\/settings\/dev\.ts/)
    expect(stdout).toMatch(/1 of 21 limits/)
  })

  it('proposes a spread and says why, and calculates with another one that is given', async () => {
    const forecast = ['--shoppers', '1000000', '--within', '10', '--stock', '1000']
    const text = (stdout: string) => stdout.replaceAll(/\s+/g, ' ')
    const proposed = text((await run(...forecast)).stdout)
    expect(proposed).toContain(
      'Set spreadSeconds of the sale to 300. Each shopper then has a turn at random in the first 300 s',
    )
    expect(proposed).toContain('of 396,139 clicks a second 3,334 start the gate')
    expect(proposed).toMatch(/3 of 24 limits are short \(2 to ask for, 1 that cannot be raised\)/)
    const tried = text((await run(...forecast, '--spread', '0')).stdout)
    expect(tried).toContain('Set spreadSeconds of the sale to 300. It is calculated with 0 s here.')
    expect(tried).toMatch(/6 of 24 limits are short \(5 to ask for, 1 that cannot be raised\)/)
    expect(text((await run('--stage', 'dev')).stdout)).not.toContain('Set spreadSeconds')
  })

  it('exits 0 for a million shoppers of two regions once the quotas that it names are granted', async () => {
    const granted = ['--lambda-concurrency', '2000', '--distribution-rps', '570000']
    const near = ['--busiest-region', '50']
    expect((await run(...granted, ...near)).code).toBe(0)
    expect((await run(...granted)).code, 'one region has starts for 600,000 shoppers').toBe(1)
    expect((await run(...granted, '--accept', 'edge-starts')).code).toBe(0)
    const late = ['--late-flip', '--lambda-concurrency', '2000', '--distribution-rps', '1700000']
    expect((await run(...late, ...near)).code).toBe(0)
  })

  it('costs more the earlier shoppers come, because pages poll while they wait', async () => {
    const waitsOf = async (...args: string[]) => {
      const { waits, totals } = JSON.parse((await run(...args, '--json')).stdout) as {
        waits: WaitCost[]
        totals: { sale: Bill }
      }
      expect(waits[0]?.dollars).toBeCloseTo(totals.sale.total)
      return waits
    }
    const [five, quarter, hour, ...more] = await waitsOf()
    expect([five?.minutes, quarter?.minutes, hour?.minutes, ...more]).toEqual([5, 15, 60])
    expect([...(await waitsOf('--wait-minutes', '60'))]).toEqual([hour])
    expect((await waitsOf('--wait-minutes', '15'))[0]).toEqual(quarter)
    expect(hour?.dollars).toBeGreaterThan(1.5 * (quarter?.dollars ?? Number.NaN))
  })

  it('costs more for shoppers who load the page and click more often, and says what is left after the free tier', async () => {
    const { visits } = JSON.parse((await run('--json')).stdout) as { visits: VisitCost[] }
    expect(visits.map(({ times }) => times)).toEqual([2, 3])
    for (const { times, dollars, free } of visits) {
      const often = ['--loads', String(times), '--clicks', String(times)]
      const { totals } = JSON.parse((await run(...often, '--json')).stdout)
      expect([dollars, free]).toEqual([totals.sale.total, totals.free.sale])
    }
  })

  it('divides the bill by shoppers and units, with the firewall and without', async () => {
    const { stdout } = await run('--json')
    const { totals, sale } = JSON.parse(stdout) as {
      totals: Record<'sale' | 'saleWithoutFirewall', Bill>
      sale: CostLine[]
    }
    expect(totals.sale.total).toBeCloseTo(totalOf(sale))
    expect(totals.sale.perThousandShoppers).toBeCloseTo(totals.sale.total / 1000)
    expect(totals.sale.perUnit).toBeCloseTo(totals.sale.total / 1000)
    const firewall = sale.find(({ item }) => item === 'Firewall')?.dollars ?? Number.NaN
    expect(totals.sale.total - totals.saleWithoutFirewall.total).toBeCloseTo(firewall)
    expect((await run('--stage', 'dev')).stdout).not.toContain('Without the firewall')
  })

  it('says what the sale costs on a flat-rate plan of CloudFront, and from how many such sales on it pays', async () => {
    const { stdout } = await run('--shoppers', '1000000', '--stock', '1000', '--json')
    const { cdnPlans, sale, standing, totals } = JSON.parse(stdout) as {
      cdnPlans: CdnPlanCost[]
      sale: CostLine[]
      standing: CostLine[]
      totals: { sale: Bill }
    }
    const sumOf = (lines: CostLine[], items: RegExp) => totalOf(lines.filter(({ item }) => items.test(item)))
    const covered = sumOf(sale, /^(?:CloudFront (?:requests|data|Functions)|Firewall)$/)
    const requests = sumOf(sale, /^CloudFront requests$/) / priceBooks.eu.cdn.request
    const firewall = sumOf(standing, /^Firewall$/)
    expect(cdnPlans.map(({ name, month, requests }) => [name, month, requests])).toEqual([
      ['Business', 200, 125_000_000],
      ['Premium', 1000, 500_000_000],
    ])
    for (const plan of cdnPlans) {
      expect(plan.beside + covered).toBeCloseTo(totals.sale.total)
      expect(plan.share).toBeCloseTo((plan.month * requests) / plan.requests)
      expect(plan.salesWithin).toBe(Math.floor(plan.requests / requests))
      const byUse = (sales: number) => firewall + sales * covered
      expect(byUse(plan.paysFrom)).toBeGreaterThanOrEqual(plan.month)
      expect(byUse(plan.paysFrom - 1)).toBeLessThan(plan.month)
    }
    const [business] = cdnPlans
    const together = ((business?.share ?? Number.NaN) + (business?.beside ?? Number.NaN)).toFixed(2)
    const text = (await run('--shoppers', '1000000', '--stock', '1000')).stdout.replaceAll(/\s+/g, ' ')
    expect(text).toContain('On a flat-rate plan of CloudFront. Business, $200.00 a month for 125.0 m requests:')
    expect(text).toContain(`together $${together}`)
    // A plan needs a firewall, which dev has not.
    expect((await run('--stage', 'dev')).stdout).not.toContain('flat-rate')
  })

  it('calculates with the prices of the US on request, and the sale for other crowds with both', async () => {
    const reportWith = async (...args: string[]) =>
      JSON.parse((await run('--stage', 'small', ...args, '--json')).stdout) as {
        priceRegion: string
        totals: { sale: Bill; free: { sale: number } }
        crowds: { shoppers: number; bills: Record<string, { list: number; free: number }>; short: string[] }[]
      }
    const [europe, us] = [await reportWith(), await reportWith('--prices', 'us')]
    expect([europe.priceRegion, us.priceRegion]).toEqual(['eu', 'us'])
    expect(us.totals.sale.total).toBeLessThan(europe.totals.sale.total)
    expect(us.crowds).toEqual(europe.crowds)
    expect(europe.crowds.map(({ shoppers, short }) => [shoppers, short.length > 0])).toEqual([
      ...[
        [1000, false],
        [30_000, false],
      ],
      ...[
        [1_000_000, true],
        [10_000_000, true],
      ],
    ])
    // The forecast of the stage is one of them.
    expect(europe.crowds[1]?.bills.eu?.list).toBeCloseTo(europe.totals.sale.total)
    expect(europe.crowds[1]?.bills.us?.list).toBeCloseTo(us.totals.sale.total)
    expect(europe.crowds[1]?.bills.eu?.free).toBeCloseTo(europe.totals.free.sale)
    const { stdout } = await run('--stage', 'small', '--prices', 'us')
    expect(stdout).toContain('This sale costs at list prices of the US about')
    expect(stdout).toMatch(/30,000 for 200 .* yes\n/)
    expect(stdout).toMatch(/The free tier of a month covers \$[\d.]+ of it/)
  })

  it('calculates with a start at the last moment with --late-flip', async () => {
    const { stdout } = await run('--stage', 'dev', '--late-flip', '--formulas')
    expect(stdout).toContain('1,000 pages poll every 1.5 s + 667 countdowns/s')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('it is started at the last moment')
  })

  it('exits 0 when what is short is accepted', async () => {
    const short = ['--stage', 'dev', '--edge-rps', '10', '--spread', '0']
    expect((await run(...short, '--accept', 'edge-requests')).code).toBe(0)
  })

  it('prints everything as JSON', async () => {
    const { code, stdout } = await run('--shoppers', '1000000', '--stock', '1000', '--json')
    expect(code).toBe(1)
    const answer: unknown = JSON.parse(stdout)
    expect(answer).toMatchObject({ ready: false, stage: 'prod', plan: { shoppers: 1_000_000, stock: 1000 } })
    expect(answer).toHaveProperty('totals.sale')
  })

  it.each([
    ['--shoppers', '1e6'],
    ['--shoppers', '0'],
    ['--stock', '2.5'],
    ['--stock', '-1'],
    ['--within', 'ten'],
    ['--spread', '301'],
    ['--passes', '101'],
    ['--busiest-region', '101'],
    ['--stage', 'test'],
    ['--kind', 'tea'],
    ['--accept', 'everything'],
    ['--databases', '0'],
    ['--databases', '65'],
    ['--shards', '0'],
    ['--shards', '65'],
    ['--sales', 'two'],
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

  const place = mkdtempSync(join(tmpdir(), 'preflight-'))
  afterEach(() => vi.unstubAllEnvs())
  afterAll(() => rmSync(place, { recursive: true }))
  /** Puts a fake AWS CLI, written for bash, before the real one. */
  const installAws = (aws: string) => {
    writeFileSync(join(place, 'aws'), `#!/bin/bash\n${aws}\n`)
    chmodSync(join(place, 'aws'), 0o755)
    vi.stubEnv('PATH', `${place}:${process.env.PATH}`)
  }

  it('compares with the account’s real quotas on request', async () => {
    const aws = `[ "$1" = lambda ] && echo '{"AccountLimit":{"ConcurrentExecutions":10}}' || echo '{"Quotas":[]}'`
    installAws(aws)
    const { code, stdout } = await runProcess('--stage', 'dev', '--account', '--spread', '0')
    expect(code).toBe(1)
    expect(stdout).toContain('functionConcurrency: 10 (Lambda account settings, eu-west-1)')
    expect(stdout).toContain('distributionRequestsPerSecond: NOT READ, 250,000 is assumed')
    expect(stdout).toContain('✗ edge concurrency, busiest region (edge-concurrency)')
    expect((await run('--stage', 'dev', '--account', '--json')).stdout).toContain('"amount": 10')
  })

  it('says that nothing could be read without credentials, and uses the documented defaults', async () => {
    installAws('echo; echo "Unable to locate credentials." >&2; exit 253')
    const { code, stdout } = await run('--stage', 'dev', '--account')
    expect(code, 'dev can bear its forecast').toBe(0)
    expect(stdout.match(/NOT READ/g)).toHaveLength(4)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Unable to locate credentials.')
  })

  it('says that the AWS CLI is not installed', async () => {
    vi.stubEnv('PATH', place.concat('/none'))
    const { stdout } = await run('--stage', 'dev', '--account')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('the AWS CLI is not installed')
  })
})

describe('the small shop in the guide', () => {
  const guide = readFileSync('docs/how-to/deploy.md', 'utf8')
  const reportOf = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)
  const dollars = (amount: number) => `$${amount.toFixed(2)}`

  it('costs and bears what README and the guides say', async () => {
    const { totals } = await reportOf('--stage', 'small')
    for (const file of ['README.md', 'README.zh-CN.md', 'docs/how-to/deploy.md', 'docs/how-to/go-live.md'])
      expect(readFileSync(file, 'utf8'), file).toContain(dollars(totals.standing))
    const newAccount = ['--lambda-concurrency', '10', '--edge-concurrency', '10']
    const borne = await Promise.all(
      [[], ['--spread', '0'], newAccount].map(async (args) => {
        const { mostShoppers } = await reportOf('--stage', 'small', ...args)
        return mostShoppers.toLocaleString('en')
      }),
    )
    expect(borne).toEqual(['54,720', '4,614', '4'])
    for (const shoppers of borne) expect(guide).toMatch(new RegExp(`\\| ${shoppers}(?: \\||:)`))
    for (const file of ['README.md', 'README.zh-CN.md']) expect(readFileSync(file, 'utf8')).toContain(borne[0])
  })

  it('has the bills of its forecast and of four crowds beside those of prod', async () => {
    const [dev, small, prod] = await Promise.all(['dev', 'small', 'prod'].map((stage) => reportOf('--stage', stage)))
    const forecasts = [dev, small, prod].map(({ plan: { shoppers, stock }, totals }) => {
      const crowd = `${shoppers.toLocaleString('en')} shoppers, ${stock.toLocaleString('en')} units`
      return `${crowd}: ${dollars(totals.sale.total)}`
    })
    expect(guide).toContain(`| one sale, started in time | ${forecasts.join(' | ')} |`)
    const cell = ({ list, free }: { list: number; free: number }) => `${dollars(list)}, ${dollars(list - free)}`
    expect(small.crowds).toHaveLength(4)
    for (const [at, { shoppers, bills }] of small.crowds.entries()) {
      const { eu, us } = prod.crowds[at].bills
      const row = [shoppers.toLocaleString('en'), cell(bills.eu), cell(eu), cell(us)].join(' | ')
      expect(guide).toContain(`| ${row} | ${prod.crowds[at].short.length === 0 ? 'yes' : 'no'}`)
    }
  })
})

describe('the preflight in the guide', () => {
  const guide = readFileSync('docs/how-to/operations.md', 'utf8')
  const [, command = '', shown = ''] = /^\$ npm run preflight -- (.*)\n([\s\S]*?)^```/m.exec(guide) ?? []

  it('shows the report that the command prints, with no other figures', async () => {
    const { stdout } = await run(...command.split(' '))
    const quoted = shown.split('\n').filter((line) => line !== '' && line !== '…')
    expect(quoted.length).toBeGreaterThan(10)
    for (const line of quoted) expect(stdout).toContain(line.replace(/ …$/, ''))
  })

  it('says how many shoppers the stage bears without a spread', async () => {
    const { stdout } = await run(...command.split(' '), '--spread', '0')
    const bears = /As it is, it bears ([\d,]+) shoppers/.exec(stdout.replaceAll(/\s+/g, ' '))?.[1]
    expect(guide).toContain(`the stage bears ${bears} shoppers`)
  })
})
