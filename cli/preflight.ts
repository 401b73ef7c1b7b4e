/**
 * `npm run preflight`: compares a planned sale with the limits of a stage and its account, and
 * estimates its cost. Run it before every sale. Exit code 1: a limit is short. 2: an option is
 * wrong.
 */
import { fileURLToPath } from 'node:url'
import { CommanderError } from 'commander'
import type { Live } from '../core/api/control-answers.ts'
import { type Prices, priceBooks } from '../infra/prices.ts'
import { awsCli } from './aws-cli.ts'
import { controlClient, localToken } from './control-client.ts'
import { type AccountReading, readAccount } from './preflight/account.ts'
import { cdnPlanCosts } from './preflight/cdn-plans.ts'
import { checkAdvice, checkCost } from './preflight/checks.ts'
import { type Flags, flagsForSale, flagsOf, preflightCommand, questionOf, settingsOf } from './preflight/command.ts'
import { crowdsOf } from './preflight/crowds.ts'
import { databaseReport, redisMonth } from './preflight/databases.ts'
import { drawCost } from './preflight/draw-cost.ts'
import { eventCost } from './preflight/events.ts'
import { findingsOf, mostShoppers } from './preflight/findings.ts'
import { mailAdvice, mailCost } from './preflight/mails.ts'
import { databasesInAll, type Plan, rolesOf } from './preflight/plan.ts'
import { provisionCommands } from './preflight/provisioned.ts'
import { sellingFloorSeconds, writingFloorSeconds } from './preflight/rates.ts'
import { isReady, type Report, reportLines } from './preflight/report.ts'
import { billOf, firewallItem, freeOf, saleCost, totalOf, withoutFirewall } from './preflight/sale-cost.ts'
import { scaleLoads, scaleText } from './preflight/scale.ts'
import { signInAdvice, signInCurve, signInWays } from './preflight/sign-ins.ts'
import { provisionedCostPerHour, standingCost } from './preflight/standing-cost.ts'
import { targetTiers } from './preflight/targets.ts'
import { volumesOf } from './preflight/volumes.ts'
import { visitCosts, waitCosts } from './preflight/waits.ts'
import { readRunning } from './running.ts'
import { targetOf, tokenFor } from './sale/target.ts'

function reportOf(flags: Flags, account?: AccountReading): Report {
  const question = questionOf(flags, account?.quotas)
  const { plan, settings, quotas, accepted, redisPlan, priceRegion, spread } = question
  const prices = priceBooks[priceRegion]
  const { seller } = rolesOf(plan)
  const commands = provisionCommands(settings, seller)
  const mails = mailAdvice(plan, settings)
  const signIn = signInAdvice(plan, settings, prices)
  const checks = checkAdvice(plan, flags.challenge, quotas)
  const { redisCommandsPerSecond } = quotas
  const saleLines = (plan: Plan, book: Prices = prices) => [
    ...saleCost(volumesOf(plan, settings), redisPlan, book),
    ...mailCost(plan, settings, book),
    ...drawCost(flags.entrants, plan, settings, book),
    ...eventCost(plan, settings, book),
    ...checkCost(plan, flags.challenge, settings, book),
    ...(commands === undefined ? [] : [provisionedCostPerHour(settings, [seller], book)]),
  ]
  const redis = redisMonth(redisPlan, databasesInAll(plan), redisCommandsPerSecond)
  const sale = saleLines(plan)
  const standing = standingCost(settings, { redisPlan, redis, prices })
  const firewallMonth = totalOf(standing.filter(({ item }) => item === firewallItem))
  return {
    stage: settings.name,
    plan,
    spread,
    ...(account !== undefined && { account: account.readings }),
    findings: findingsOf(plan, settings, quotas, accepted),
    mostShoppers: mostShoppers(plan, settings, quotas, accepted),
    sellingFloorSeconds: sellingFloorSeconds(plan, quotas),
    writingFloorSeconds: writingFloorSeconds(plan, settings),
    ...(commands !== undefined && { provisionCommands: commands }),
    signIn,
    signInWays: signInWays(plan, settings, quotas, prices),
    signInCurve: signInCurve(plan),
    ...(mails !== undefined && { mails }),
    ...(checks !== undefined && { checks }),
    sale,
    cdnPlans:
      settings.firewall === undefined ? [] : cdnPlanCosts(sale, volumesOf(plan, settings).requests, firewallMonth),
    priceRegion,
    waits: waitCosts(plan, (waiting) => saleLines(waiting)),
    visits: visitCosts(plan, (visiting) => saleLines(visiting)),
    crowds: crowdsOf(plan, question, saleLines),
    standing,
    databases: databaseReport(plan, redisCommandsPerSecond, redisPlan),
    targets: targetTiers(plan, settings, quotas),
  }
}

export type PreflightSurroundings = {
  print: (text: string) => void
  complain: (text: string) => void
  /** The numbers of a sale for `--sale`. @throws when the shop does not answer, or refuses */
  live: (saleId: string) => Promise<Live>
  /** Only a terminal gets colours. */
  terminal: { isTTY: boolean; columns: number }
}

async function liveOf(saleId: string): Promise<Live> {
  const { SLUICE_URL, SLUICE_TOKEN } = process.env
  const given = {
    ...{ url: undefined, token: undefined },
    environment: { url: SLUICE_URL || undefined, token: SLUICE_TOKEN || undefined },
  }
  const target = await targetOf(given, readRunning)
  const { url } = target
  const token = tokenFor(target, given) ?? (await localToken(url, 'marketer', ['marketer']))
  return controlClient({ url, token }).live(saleId)
}

/** Returns the exit code. Lines are as wide as the terminal, between 80 and 120. */
export async function runPreflight(
  args: readonly string[],
  { print, complain, live, terminal }: PreflightSurroundings,
): Promise<number> {
  let flags: Flags
  const command = preflightCommand().exitOverride()
  try {
    const trimmed = (write: (text: string) => void) => (text: string) => write(text.replace(/\n$/, ''))
    flags = flagsOf(command.configureOutput({ writeOut: trimmed(print), writeErr: trimmed(complain) }), args)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
  if (flags.sale !== undefined) {
    try {
      flags = flagsForSale(command, flags, (await live(flags.sale)).sale)
    } catch (error) {
      complain(`--sale ${flags.sale}: ${error instanceof Error ? error.message : String(error)}`)
      return 2
    }
  }
  if (flags.scale === true) {
    const { settings, quotas, priceRegion } = questionOf(flags)
    print(scaleText(scaleLoads(settings, quotas, priceBooks[priceRegion])))
    return 0
  }
  const account = flags.account === true ? await readAccount(awsCli, settingsOf(flags)) : undefined
  const report = reportOf(flags, account)
  const { isTTY, columns } = terminal
  const look = {
    width: Math.min(120, Math.max(80, columns)),
    colour: isTTY && process.env.NO_COLOR === undefined,
    formulas: flags.formulas === true,
  }
  const totals = {
    sale: billOf(report.sale, report.plan),
    saleWithoutFirewall: billOf(withoutFirewall(report.sale), report.plan),
    standing: totalOf(report.standing),
    free: { sale: freeOf(report.sale), standing: freeOf(report.standing) },
  }
  const text = flags.json
    ? JSON.stringify({ ready: isReady(report), ...report, totals }, null, 2)
    : reportLines(report, look).join('\n')
  print(text)
  return isReady(report) ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { isTTY, columns = 100 } = process.stdout
  process.exitCode = await runPreflight(process.argv.slice(2), {
    print: (text) => console.log(text),
    complain: (text) => console.error(text),
    live: liveOf,
    terminal: { isTTY, columns },
  })
}
