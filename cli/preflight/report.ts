/** Builds the report of the preflight, and its text: the verdict, the tightest limits, the costs, and advice. */
import { checkBeforeStartMs } from '../../core/gate/challenge.ts'
import { counted } from '../../core/lib/text.ts'
import { priceBooks, priceRegionOf } from '../../infra/prices.ts'
import type { Quotas } from '../../infra/settings/quotas.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import type { QuotaReading } from './account.ts'
import {
  cognitoMonthlyCost,
  floodCost,
  idleMonthCost,
  redisMonthlyCharge,
  saleCost,
  saleMails,
  signInCost,
  signUpCodes,
  siteverifySeconds,
  sumCharges,
  totalDatabases,
} from './costs.ts'
import {
  blockingFindings,
  checkLimits,
  findMaxCrowd,
  formatAmount,
  type LimitFinding,
  type LimitId,
  proposeSpread,
} from './limits.ts'
import { environmentsFor } from './load.ts'
import { clicksPerSecond, edgeRunSeconds, gateClicksPerSecond, type SalePlan } from './plan.ts'

/**
 * `spreadSeconds` is the proposal; `plan` has another one if the operator gave it. `maxShoppers` is the largest crowd for
 * which no limit is short, and `breaksFirst` the limit that a larger one exceeds. Costs are US dollars at list prices, of
 * a sale and of a month without one; `signIn` and `flood` are not in their sum. `account` has the quotas that --account reads.
 */
export type PreflightReport = ReturnType<typeof buildReport> & { account?: readonly QuotaReading[] }

/** Builds the report. It takes the operator's spread in `requested`, or the proposal if none was given (`isSpreadOpen`). */
export function buildReport(
  requested: SalePlan,
  isSpreadOpen: boolean,
  settings: StageSettings,
  quotas: Quotas,
  accepted: readonly LimitId[],
) {
  const priceRegion = priceRegionOf(settings.region)
  const prices = priceBooks[priceRegion]
  const spreadSeconds = proposeSpread(requested, settings, quotas)
  const plan = isSpreadOpen ? { ...requested, spreadSeconds } : requested
  const findings = checkLimits(plan, settings, quotas, accepted)
  const { shoppers: maxShoppers, breaksFirst } = findMaxCrowd(plan, settings, quotas, accepted)
  const redis = redisMonthlyCharge(settings, totalDatabases(plan, settings), quotas.redisCommandsPerSecond)
  const [sale, month] = [saleCost(plan, settings, prices), idleMonthCost(settings, redis, prices)]
  const costs = [...new Set([...sale, ...month].map(({ item }) => item))]
    .map((item) => ({ item, sale: sumCharges(sale, item).dollars, month: sumCharges(month, item).dollars }))
    .filter((cost) => cost.sale + cost.month > 0)
  const totalOf = ({ dollars: list, free }: ReturnType<typeof sumCharges>) => ({ list, free })
  return {
    ready: blockingFindings(findings).length === 0,
    stage: settings.name,
    plan,
    spreadSeconds,
    findings,
    maxShoppers,
    breaksFirst,
    priceRegion,
    costs,
    totals: { sale: totalOf(sumCharges(sale)), month: totalOf(sumCharges(month)) },
    ...(settings.firewall !== undefined && { flood: floodCost(prices) }),
    signIn: {
      requests: signInCost(plan, settings, prices),
      codes: signUpCodes(plan, settings) * prices.mail.message,
      ...(settings.signIn.kind === 'cognito' && { cognito: cognitoMonthlyCost(plan.shoppers) }),
    },
    advice: adviceOf(plan, spreadSeconds, findings, settings, quotas),
  }
}

/** Emails that SES sends in a day while the account is in its sandbox. */
const sandboxMails = 200

/** Returns the advice, most urgent first. */
function adviceOf(
  plan: SalePlan,
  spreadSeconds: number,
  findings: readonly LimitFinding[],
  settings: StageSettings,
  { edgeConcurrency }: Quotas,
): string[] {
  const adviceFor = (expected: LimitFinding['state']) =>
    findings.flatMap(({ id, state, advice, isAccepted }) =>
      state === expected && advice !== undefined && !isAccepted ? [`${id}: ${advice}`] : [],
    )
  const lines = adviceFor('short')
  if (spreadSeconds > 0) {
    const started = formatAmount(gateClicksPerSecond({ ...plan, spreadSeconds }))
    const clicks = formatAmount(clicksPerSecond(plan))
    lines.unshift(`Set spreadSeconds to ${spreadSeconds}: of ${clicks} clicks a second ${started} start the gate.`)
  }
  if (plan.challenge === 'turnstile') {
    const perSecond = Math.ceil(plan.shoppers / ((checkBeforeStartMs.from - checkBeforeStartMs.until) / 1000))
    const environments = environmentsFor(perSecond * plan.busiestShare, 2 * edgeRunSeconds + siteverifySeconds)
    lines.push(
      `Turnstile: ${formatAmount(perSecond)} checks a second need ${formatAmount(environments)} of ${formatAmount(edgeConcurrency)} environments; others wait. Tell Cloudflare.`,
    )
  }
  const mails = signUpCodes(plan, settings) + saleMails(plan, settings)
  if (mails > 0) {
    lines.push(
      `Leave the sandbox of SES, which sends ${sandboxMails} a day: this sale sends ${formatAmount(mails)} emails.`,
    )
  }
  const { provisioned } = settings.functions.reserve
  if (provisioned !== undefined && !settings.keepProvisioned) {
    lines.push(
      `Provision ${counted(provisioned, 'environment')} of reserve from an hour before until after the sale (operations.md).`,
    )
  }
  return [...lines, ...adviceFor('close')]
}

const marks = { ok: '✓', close: '~', short: '✗' } as const
/** Limits that are used above this share are printed, and so is the one that breaks first. */
const bindingShare = 0.5
const maxAdvice = 5

/** Returns the report as text; with `all`, every limit and all advice. */
export function reportLines(report: PreflightReport, all: boolean): string[] {
  const { account = [], advice } = report
  const shownAdvice = all ? advice : advice.slice(0, maxAdvice)
  const more = advice.length - shownAdvice.length
  return [
    ...verdictLines(report),
    ...account.map(({ quota, amount, from, problem }) =>
      problem === undefined
        ? `  ${quota}: ${formatAmount(amount)} (${from})`
        : `  ${quota}: NOT READ, ${formatAmount(amount)} is assumed (${from}: ${problem})`,
    ),
    '',
    ...limitLines(report, all),
    '',
    ...costLines(report),
    ...(shownAdvice.length === 0 ? [] : ['', `What to do${more === 0 ? '' : ` (${more} more with --all)`}:`]),
    ...shownAdvice.map((line) => `- ${line}`),
  ]
}

function verdictLines({ ready, stage, plan, findings, maxShoppers, breaksFirst }: PreflightReport): string[] {
  const short = blockingFindings(findings)
  const parts = (
    [
      ['quota', 'to ask for'],
      ['settings', 'to set'],
      ['fixed', 'fixed'],
    ] as const
  )
    .map(([whose, what]) => [short.filter(({ owner }) => owner === whose).length, what] as const)
    .flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]))
  const first = findings.find(({ id }) => id === breaksFirst)
  const thing = { goods: 'unit', coupon: 'coupon', 'red-packet': 'red packet' }[plan.kind]
  const spread = plan.spreadSeconds === 0 ? 'no spread' : `a spread of ${plan.spreadSeconds} s`
  return [
    ready
      ? `The sale fits ${stage}.`
      : `The sale does not fit ${stage}. First short: ${first?.name} (${formatAmount(first?.need ?? 0)} of ${formatAmount(first?.limit ?? 0)}). In all ${short.length} of ${findings.length} limits are short: ${parts.join(', ')}.`,
    maxShoppers === 0
      ? `A smaller crowd would not help: the stock alone is too much for ${first?.name}.`
      : `${stage} handles ${counted(maxShoppers, 'shopper', formatAmount(maxShoppers))}; what breaks first is ${first?.name ?? 'nothing'}.`,
    `Planned: ${counted(plan.shoppers, 'shopper', formatAmount(plan.shoppers))} within ${plan.openingSeconds} s for ${counted(plan.stock, thing, formatAmount(plan.stock))}, ${spread}, ${formatAmount(plan.busiestShare * 100)} % near one region.`,
  ]
}

function limitLines({ findings, breaksFirst }: PreflightReport, all: boolean): string[] {
  const binding = findings.filter(({ id, share }) => all || share > bindingShare || id === breaksFirst)
  const percent = (share: number) => (Number.isFinite(share) ? `${formatAmount(Math.round(share * 100))} %` : 'none')
  const cells = binding.map(({ name, need, limit, share }) => [
    name,
    formatAmount(need),
    formatAmount(limit),
    percent(share),
  ])
  const [heading, ...lines] = alignColumns([['', 'need', 'limit', 'share'], ...cells])
  const rest = findings.length - binding.length
  return [
    `  ${heading}`,
    ...binding.map(({ state }, at) => `${marks[state]} ${lines[at]}`),
    ...(rest === 0 ? [] : [`  ${rest} more are under half of their share (--all).`]),
  ]
}

function costLines({ costs, totals, signIn, flood, priceRegion }: PreflightReport): string[] {
  const place = { eu: 'Europe', us: 'the US' }[priceRegion]
  const bill = (title: string, of: 'sale' | 'month') => [
    `  ${title}, list prices of ${place}:`,
    ...alignColumns([
      ...costs.filter((cost) => cost[of] > 0).map((cost) => [cost.item, dollars(cost[of])]),
      ['Together', dollars(totals[of].list)],
      ['After an unused free tier', dollars(totals[of].list - totals[of].free)],
    ]).map((row) => `  ${row}`),
    '',
  ]
  const cognito =
    signIn.cognito === undefined ? 'and what your issuer asks' : `and ${dollars(signIn.cognito)} at Cognito`
  const codes = signIn.codes === 0 ? '' : ` ${dollars(signIn.codes)} for the codes of new ones,`
  return [
    ...bill('A sale', 'sale'),
    ...bill('A month without a sale', 'month'),
    `  Not in them: the sign-in of all shoppers, ${dollars(signIn.requests)} for its requests,${codes} ${cognito}.`,
    ...(flood === undefined ? [] : [floodLine(flood)]),
  ]
}

const floodLine = ({ requests, blocking, log }: ReturnType<typeof floodCost>): string =>
  `  Nor a flood: ${formatAmount(requests)} requests that the firewall blocks cost ${dollars(blocking)}, and ${dollars(log)} in its log.`

/** Aligns the columns of rows: the first to the left, all others to the right. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column))
  return rows.map((row) => row.map(pad).join('  '))
}

export const dollars = (amount: number): string =>
  `$${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
