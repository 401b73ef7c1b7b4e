/**
 * The preflight as a page of text: limits, what to do, cost, and one sentence that says whether the
 * sale may go ahead.
 */
import { styleText } from 'node:util'
import { maxDatabases } from '../../core/stock/database.ts'
import type { PriceRegion } from '../../infra/prices.ts'
import type { QuotaReading } from './account.ts'
import type { CdnPlanCost } from './cdn-plans.ts'
import type { Crowd } from './crowds.ts'
import type { DatabaseReport } from './databases.ts'
import { type Finding, obstaclesOf, type State } from './findings.ts'
import { arrivedWithin, clicksPerSecond, gateClicksPerSecond, type Plan } from './plan.ts'
import type { ProvisionCommands } from './provisioned.ts'
import { countingCommands, pollBytes } from './rates.ts'
import {
  billOf,
  type CostLine,
  counted,
  countingPerMillionClicks,
  freeOf,
  totalOf,
  withoutFirewall,
} from './sale-cost.ts'
import { type SignInMinute, type SignInWay, signInRates, tenfoldSignIns } from './sign-ins.ts'
import type { SpreadAdvice } from './spread.ts'
import type { TargetTier } from './targets.ts'
import { bytesPerLoad } from './volumes.ts'
import type { VisitCost, WaitCost } from './waits.ts'

/** What the reminders of a sale promise; `expected` is undefined where no shopper asked for one. */

export type Report = {
  stage: string
  /** Present where a sale was named. */
  plan: Plan
  /** The spread to set; `plan` has another one where the operator tries it. */
  spread: SpreadAdvice
  findings: Finding[]
  /** The facts of the account; absent without --account. */
  account?: readonly QuotaReading[]
  /** The largest crowd for which no limit is short. */
  mostShoppers: number
  /** The least time in which Redis sells the whole stock. */
  sellingFloorSeconds: number
  /** The least time in which the table writes all orders or claims of one sale. */
  writingFloorSeconds: number
  /** Absent where the operator has nothing to provision. */
  provisionCommands?: ProvisionCommands
  /** What signing in costs beside the sum. */
  signIn: string
  /** How the shoppers can sign in, and how many of them come when. */
  signInWays: readonly SignInWay[]
  signInCurve: readonly SignInMinute[]
  /** What to check of the e-mails; absent where none are sent. */
  mails?: string
  /** What to do for the security checks; absent where there is nothing to do. */
  checks?: string
  /** The price book of all sums. */
  priceRegion: PriceRegion
  sale: CostLine[]
  /** The same sale where the distribution has a flat-rate plan, which needs a firewall. */
  cdnPlans: readonly CdnPlanCost[]
  /** The same sale for crowds of other sizes, in both price books. */
  crowds: readonly Crowd[]
  /** The same sale for shoppers who wait longer. */
  waits: readonly WaitCost[]
  /** The same sale for shoppers who load and click more often. */
  visits: readonly VisitCost[]
  standing: CostLine[]
  /** Databases that the planned rate of orders, and that of the published designs, would need. */
  databases: DatabaseReport
  /** Which tier takes a million shoppers in 10 s and 100,000 orders a second. */
  targets: readonly TargetTier[]
}

/** `width` is that of the terminal; `colour` is for terminals only. */
export type Look = { width: number; colour: boolean; formulas: boolean }

const marks: Record<State, string> = { ok: '✓', close: '~', short: '✗' }
const colours = { ok: 'green', close: 'yellow', short: 'red' } as const
const barCells = 10

export const isReady = ({ findings }: Pick<Report, 'findings'>): boolean => obstaclesOf(findings).length === 0

export function reportLines(report: Report, look: Look): string[] {
  return [
    ...headOf(report, look),
    ...accountLines(report, look),
    '',
    ...tableOf(report.findings, look),
    '',
    ...spreadLines(report, look),
    ...payingLines(report, look),
    ...adviceOf(report.findings, look),
    ...provisionLines(report, look),
    ...[report.mails, report.checks].flatMap((advice) =>
      advice === undefined ? [] : [...wrapped(advice, look.width, ''), ''],
    ),
    ...signInLines(report, look),
    ...costOf(`This sale costs at list prices of ${placeOf[report.priceRegion]} about`, report.sale, look),
    ...billLines(report, look),
    ...waitLines(report, look),
    ...cdnPlanLines(report, look),
    '',
    ...crowdLines(report, look),
    '',
    ...costOf(
      `A month of the stage without a sale costs at list prices of ${placeOf[report.priceRegion]} about`,
      report.standing,
      look,
    ),
    '',
    ...databaseLines(report, look),
    '',
    ...targetLines(report, look),
    '',
    ...sentence(report, look),
  ]
}

function headOf({ stage, plan, sellingFloorSeconds, writingFloorSeconds }: Report, { width }: Look): string[] {
  const { shoppers, stock, kind, openingSeconds, spreadSeconds, busiestShare, waitMinutes, signInMinutes } = plan
  const { sales, shards, databases } = plan
  const { edgeRunSeconds, edgeColdSeconds } = plan
  const things = { goods: 'units', coupon: 'coupons', 'red-packet': 'red packets' }[kind]
  const assumed = [
    `all shoppers click within ${openingSeconds} s, ${shown(Math.round(arrivedWithin(1, plan) * 100))} % of them in the first second`,
    spreadSeconds === 0 ? 'no spread' : `their turns are spread over ${spreadSeconds} s`,
    busiestShare === 1 ? 'all clicks in one region' : `${shown(busiestShare * 100)} % of the clicks in one region`,
    `the gate works ${shown(edgeRunSeconds * 1000)} ms on each, ${shown(edgeColdSeconds * 1000)} ms when it is cold`,
    `shoppers come ${waitMinutes} min before the start and sign in within ${shown(signInMinutes)} min before it`,
    `${shown(plan.passShare * 100)} % of them ask for a pass`,
    ...(plan.elementShare === 0 ? [] : [`${shown(plan.elementShare * 100)} % buy on pages of other sites`]),
    plan.isFlippedLate ? 'it is started at the last moment' : 'it is started a minute before its time or earlier',
  ]
  const spread = sales === 1 ? '' : ` in ${shown(sales)} sales`
  const split = shards === 1 ? '' : `, each over ${shown(shards)} of`
  const placed = databases === 1 ? '' : `${split === '' ? ',' : split} ${shown(databases)} databases`
  return [
    `Preflight of ${stage}: ${shown(shoppers)} shoppers, ${shown(stock)} ${things}${spread}${placed}`,
    ...wrapped(`Assumed: ${assumed.join('; ')}.`, width, ''),
    `Redis needs at least ${shown(sellingFloorSeconds)} s to sell all of them, the table ${shown(writingFloorSeconds)} s to write them.`,
  ]
}

/** Each quota: its amount, or why the documented default is used instead. */
function accountLines({ account }: Report, { width }: Look): string[] {
  if (account === undefined) return []
  const lines = account.map(({ quota, amount, from, problem }) =>
    problem === undefined
      ? `  ${quota}: ${shown(amount)} (${from})`
      : `  ${quota}: NOT READ, ${shown(amount)} is assumed (${from}: ${problem})`,
  )
  return ['', 'The account:', ...lines.flatMap((line) => wrapped(line, width, '    '))]
}

function tableOf(findings: readonly Finding[], { width, colour, formulas }: Look): string[] {
  const cells = findings.map(({ name, need, limit, share }) => [...[name, shown(need), shown(limit)], percentOf(share)])
  const [heading = '', ...lines] = aligned([['', 'need', 'limit', 'share'], ...cells])
  const rows = findings.flatMap(({ state, share, formula }, at) => {
    const row = `${marks[state]} ${lines[at]}  ${barOf(share)}`
    const painted = colour ? styleText(colours[state], row, { validateStream: false }) : row
    return formulas ? [painted, ...wrapped(`    = ${formula}`, width, '      ')] : [painted]
  })
  return [`  ${heading}`, ...rows]
}

/** Rows whose columns are aligned: the first to the left, all others to the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column))
  return rows.map((row) => row.map(pad).join('  '))
}

function barOf(share: number): string {
  const full = Math.min(barCells, Math.round(share * barCells))
  return '█'.repeat(full) + '░'.repeat(barCells - full)
}

/** How long winners wait for their payment pages. */
function payingLines({ plan, findings }: Report, { width }: Look): string[] {
  const pages = findings.find(({ id }) => id === 'payment-pages')
  const seconds = pages === undefined ? 0 : Math.ceil(plan.stock / pages.limit - plan.sellSeconds)
  if (seconds <= 0) return []
  const text = `If all ${shown(plan.stock)} winners pay, the last payment page opens ${shown(seconds)} s after the last unit is sold. The time to pay stands still until then.`
  return [...wrapped(text, width, ''), '']
}

/** The spread to set, and why. */
function spreadLines({ plan, spread: { seconds, reasons } }: Report, { width }: Look): string[] {
  if (seconds === 0) return []
  const rate = (spreadSeconds: number) => shown(gateClicksPerSecond({ ...plan, spreadSeconds }))
  const tried = seconds === plan.spreadSeconds ? '' : ` It is calculated with ${plan.spreadSeconds} s here.`
  const text = `Set spreadSeconds of the sale to ${seconds}.${tried} Each shopper then has a turn at random in the first ${seconds} s, and CloudFront answers earlier clicks: of ${shown(clicksPerSecond(plan))} clicks a second ${rate(seconds)} start the gate. All at once are too many for: ${reasons.join('; ')}.`
  return [...wrapped(text, width, ''), '']
}

/** Limits that are short come first. */
function adviceOf(findings: readonly Finding[], { width }: Look): string[] {
  return (['short', 'close'] as const).flatMap((state) => {
    const some = findings.filter((one) => one.state === state)
    if (some.length === 0) return []
    return [
      state === 'short' ? 'Short:' : 'Close (over 80 %):',
      ...some.flatMap(({ id, name, advice, consequence, isAccepted }) => [
        `${marks[state]} ${name} (${id})${isAccepted ? ', accepted' : ''}`,
        ...wrapped(`    ${advice ?? ''}`, width, '    '),
        ...wrapped(`    Otherwise: ${consequence}`, width, '    '),
      ]),
      '',
    ]
  })
}

function provisionLines({ provisionCommands: commands }: Report, { width }: Look): string[] {
  if (commands === undefined) return []
  const step = (when: string, command: string) => [when, ...shellLines(command, width)]
  return [
    ...step('Provision environments some minutes before the sale:', commands.before),
    ...step('Remove them afterwards; they are billed until then:', commands.after),
    '',
  ]
}

/** A command in lines of at most `width` characters that a shell takes for one. */
function shellLines(command: string, width: number): string[] {
  const lines: string[] = []
  let line = ' '
  for (const part of command.split(/ (?=--)/)) {
    if (line.length + part.length + 3 > width) {
      lines.push(`${line} \\`)
      line = '   '
    }
    line += ` ${part}`
  }
  return [...lines, line]
}

const placeOf: Record<PriceRegion, string> = { eu: 'Europe', us: 'the US' }

function costOf(title: string, lines: readonly CostLine[], { width }: Look): string[] {
  const itemWidth = Math.max(...lines.map(({ item }) => item.length))
  const quantityWidth = Math.max(...lines.map(({ quantity }) => quantity.length))
  return [
    `${title} ${dollars(totalOf(lines))}:`,
    ...lines.map(
      (line) =>
        `  ${line.item.padEnd(itemWidth)}  ${line.quantity.padStart(quantityWidth)}  ${dollars(line.dollars).padStart(9)}`,
    ),
    ...wrapped(
      `The free tier of a month covers ${dollars(freeOf(lines))} of it, where nothing else in the account uses it: ${dollars(totalOf(lines) - freeOf(lines))} is left.`,
      width,
      '',
    ),
  ]
}

/** How many sign-ins come in a second, and what each way to sign in takes of them. */
function signInLines({ plan, signIn, signInWays, signInCurve }: Report, { width }: Look): string[] {
  const [even, late] = signInRates(plan)
  const intro = `${signIn} ${shown(plan.signInMinutes)} minutes are ${shown(even)} sign-ins a second; when most come right before the start, as people react to it, ${shown(late)} in the busiest minute. What each way takes, and what to raise: functions.sign-in.reserved, and the concurrency of the account with it, or a quota.`
  const curve = aligned([
    ['minutes before the start', ...signInCurve.map(({ minutesBefore }) => shown(minutesBefore))],
    ['sign-ins/s, evenly', ...signInCurve.map(({ even: rate }) => shown(rate))],
    ['sign-ins/s, most late', ...signInCurve.map(({ late: rate }) => shown(rate))],
  ])
  const rows = signInWays.map(({ name, carries, waiting: [, lateOnes], dollars: sum }) => [
    name,
    `${shown(carries)}/s`,
    dollars(sum),
    shown(lateOnes),
  ])
  const cells = aligned([['', 'takes', 'costs', 'out'], ...rows])
  const verdicts = ['to raise', ...signInWays.map(({ asks: [evenly, latest] }) => raisedText(evenly, latest))]
  const note =
    '"out" are the shoppers who are not signed in at the start when most come late and nothing is raised. A session lasts eight hours and its pass six: shoppers who have signed in earlier that day need neither again. No pass can be given before a sign-in.'
  return [
    ...wrapped(intro, width, ''),
    ...curve.map((row) => `  ${row}`),
    ...cells.flatMap((row, at) => wrapped(`  ${row}  ${verdicts[at]}`, width, '    ')),
    ...wrapped(`${note}${tenfoldText(signInWays)}`, width, ''),
    '',
  ]
}

/** The function is the same for both issuers; Cognito may take fewer. */
function tenfoldText(ways: readonly SignInWay[]): string {
  const most = Math.max(...ways.slice(1).map(({ carries }) => carries))
  const { perSecond, environments } = tenfoldSignIns(most)
  return ` Ten times what the function takes now, ${shown(perSecond)} a second, are functions.sign-in.reserved ${shown(environments)}.`
}

/** What to raise for shoppers who sign in evenly, and for those who mostly come right before the start. */
function raisedText(evenly: string, latest: string): string {
  if (evenly === latest) return evenly === '' ? 'nothing' : evenly
  return `${evenly === '' ? 'nothing' : evenly}; when most come late ${latest}`
}

/** The sizes that the sums rest on, and the sale for other crowds. */
function crowdLines({ crowds, plan }: Report, { width }: Look): string[] {
  const rows = crowds.map(({ shoppers, stock, bills: { eu, us }, short: [first, ...others] }) => [
    `${shown(shoppers)} for ${shown(stock)}`,
    ...[eu.list, eu.list - eu.free, us.list, us.list - us.free].map(dollars),
    first === undefined ? 'yes' : `no: ${first}${others.length === 0 ? '' : `, ${others.length} more`}`,
  ])
  const heading = ['shoppers, units', 'Europe', 'less free', 'US', 'less free']
  const cells = aligned([heading, ...rows.map((row) => row.slice(0, -1))])
  const verdicts = ['carried', ...rows.map((row) => row.at(-1) ?? '')]
  const intro = `The sale for other crowds, all but their sign-in. A load of the page is ${shown(bytesPerLoad / 1000)} kB, of which ${shown(plan.pageLoads)} for each shopper, and every other answer ${shown(pollBytes / 1000)} kB with its headers. The sale is open for an hour.`
  return [
    ...wrapped(intro, width, ''),
    ...cells.flatMap((row, at) => wrapped(`  ${row}  ${verdicts[at]}`.replace(/^ +/, ''), width, '    ')),
  ]
}

/** The bill of the sale by shopper and by unit, with the firewall and without. */
function billLines({ sale, plan }: Report, { width }: Look): string[] {
  const parts = (lines: readonly CostLine[]) => {
    const { perThousandShoppers, perUnit } = billOf(lines, plan)
    return `${mils(perThousandShoppers)} for each 1,000 shoppers, ${mils(perUnit)} for each unit`
  }
  const others = withoutFirewall(sale)
  const without =
    others.length === sale.length ? '' : ` Without the firewall ${dollars(totalOf(others))}: ${parts(others)}.`
  const counting = `Counting its demand for the console takes ${shown(countingCommands(plan))} of the Redis commands: ${mils(countingPerMillionClicks(plan))} for each million clicks.`
  return wrapped(`That is ${parts(sale)}.${without} ${counting}`, width, '')
}

/** Pages poll while they wait, so the same sale costs more for shoppers who come earlier; and so do further loads. */
function waitLines({ waits, visits }: Report, { width }: Look): string[] {
  const earlier = waits.map(({ minutes, dollars: sum }) => `${minutes} min before the start ${dollars(sum)}`)
  const more = visits.map(
    ({ times, dollars: sum, free }) =>
      `${times} loads and clicks each ${dollars(sum)}, ${dollars(sum - free)} less the free tier`,
  )
  return wrapped(`For shoppers who come earlier: ${earlier.join(', ')}. For others: ${more.join('; ')}.`, width, '')
}

/** What CloudFront's flat-rate plans make of the bill: they are the same in every region. */
function cdnPlanLines({ cdnPlans }: Report, { width }: Look): string[] {
  const plans = cdnPlans.map(
    ({ name, month, requests, beside, share, salesWithin, paysFrom }) =>
      `${name}, ${dollars(month)} a month for ${counted(requests)} requests: ${dollars(share)} of it and ${dollars(beside)} beside it, together ${dollars(share + beside)}; it is for ${shown(salesWithin)} such sales a month and costs less than use from ${shown(paysFrom)} on`,
  )
  if (plans.length === 0) return []
  return wrapped(`On a flat-rate plan of CloudFront. ${plans.join('. ')}.`, width, '')
}

/** The published targets, tier by tier; they do not depend on the planned sale. */
function targetLines({ targets, plan }: Report, { width }: Look): string[] {
  const rows = targets.map(({ name, need, limit, canBeRaised }) => {
    const verdict = need <= limit ? 'yes' : canBeRaised ? 'raise a quota' : 'no'
    return [name, shown(need), shown(limit), verdict]
  })
  const [heading, ...lines] = aligned([['', 'need', 'limit', 'carried'], ...rows])
  const intro = `1,000,000 shoppers within 10 s for 1,000 units, and 100,000 orders a second, tier by tier (${plan.busiestShare === 1 ? 'all' : `${shown(plan.busiestShare * 100)} %`} in one region):`
  return [...wrapped(intro, width, ''), `  ${heading}`, ...lines.map((line) => `  ${line}`)]
}

/** What a rate of orders needs and costs, and how much of it a single sale can use. */
function databaseLines(
  { plan, databases: { commandsPerSecond, mostOfOne, needs } }: Report,
  { width }: Look,
): string[] {
  const rows = needs.map(({ perSecond, commands, databases, dollarsPerMonth, dollarsPerHour }) => [
    `${shown(perSecond)} a second`,
    shown(commands),
    shown(databases),
    dollars(dollarsPerMonth),
    dollars(dollarsPerHour),
  ])
  const heading = ['', 'commands each', 'databases', 'a month', 'an hour']
  const note =
    plan.kind === 'red-packet'
      ? `The packets of a sale are in one database, which takes ${shown(mostOfOne)} a second. More databases serve more sales, at most ${maxDatabases} in a shop.`
      : `One database takes ${shown(mostOfOne)} a second, and a sale uses as many as it has shards: ${shown(mostOfOne * plan.shards)} a second as planned. A shop lists at most ${maxDatabases} databases, which take ${shown(mostOfOne * maxDatabases)}; more needs several shops.`
  return [
    `Units sold, and the databases of ${shown(commandsPerSecond)} commands/s that they need:`,
    ...aligned([heading, ...rows]).map((row) => `  ${row}`),
    ...wrapped(note, width, ''),
  ]
}

function sentence(report: Report, { width, colour }: Look): string[] {
  const short = obstaclesOf(report.findings)
  const whose = (owner: Finding['owner']) => short.filter((one) => one.owner === owner).length
  const parts = [
    [whose('quota'), 'to ask for'],
    [whose('settings'), 'to set'],
    [whose('fixed'), 'that cannot be raised'],
  ] as const
  const named = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  const borne =
    report.mostShoppers === 0
      ? 'A smaller crowd would not help: the stock alone is too much for it.'
      : `As it is, it bears ${shown(report.mostShoppers)} shoppers.`
  const text =
    short.length === 0
      ? `${report.stage} can bear this sale, and up to ${shown(report.mostShoppers)} shoppers.`
      : `${report.stage} cannot bear this sale as planned: ${short.length} of ${report.findings.length} limits are short (${named.join(', ')}). ${borne}`
  const lines = wrapped(text, width, '')
  const paint = short.length === 0 ? 'green' : 'red'
  return colour ? lines.map((line) => styleText(paint, line, { validateStream: false })) : lines
}

/** The text in lines of at most `width` characters; all but the first begin with `indent`. */
function wrapped(text: string, width: number, indent: string): string[] {
  const lead = /^ */.exec(text)?.[0] ?? ''
  const lines: string[] = []
  let line = lead
  for (const word of text.trim().split(' ')) {
    if (line.trim() !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = indent
    }
    line += line.trim() === '' ? word : ` ${word}`
  }
  return [...lines, line]
}

function percentOf(share: number): string {
  return Number.isFinite(share) ? `${shown(Math.round(share * 100))} %` : 'none'
}

const shown = (amount: number): string => amount.toLocaleString('en', { maximumFractionDigits: amount < 100 ? 1 : 0 })

const dollars = (amount: number): string =>
  `$${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

/** With a tenth of a cent. */
const mils = (amount: number): string => `$${amount.toFixed(3)}`
