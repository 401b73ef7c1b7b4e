/**
 * `npm run preflight`: whether a stage and its account can bear a planned sale, and what it will cost. To be run before every
 * sale. Exit code 1 when a limit is short, 2 when an option is wrong.
 */
import { CommanderError } from 'commander'
import { type AccountReading, readAccount } from './preflight/account.ts'
import { awsCli } from './preflight/aws-cli.ts'
import { type Flags, preflightCommand, questionOf, settingsOf } from './preflight/command.ts'
import { totalOf } from './preflight/cost-line.ts'
import { sellingFloorSeconds, writingFloorSeconds } from './preflight/rates.ts'
import { readyCommands } from './preflight/ready.ts'
import { isReady, type Report, reportLines } from './preflight/report.ts'
import { rolesOf } from './preflight/roles.ts'
import { saleCost } from './preflight/sale-cost.ts'
import { readyCostPerHour, standingCost } from './preflight/standing-cost.ts'
import { findingsOf, mostShoppers } from './preflight/verdict.ts'
import { volumesOf } from './preflight/volumes.ts'

function reportOf(flags: Flags, account?: AccountReading): Report {
  const { plan, settings, quotas, accepted, redisPlan } = questionOf(flags, account?.quotas)
  const { seller } = rolesOf(plan)
  const ready = readyCommands(settings, seller)
  return {
    stage: settings.name,
    plan,
    ...(account !== undefined && { account: account.readings }),
    findings: findingsOf(plan, settings, quotas, accepted),
    mostShoppers: mostShoppers(plan, settings, quotas, accepted),
    sellingFloorSeconds: sellingFloorSeconds(plan, quotas),
    writingFloorSeconds: writingFloorSeconds(plan),
    ...(ready !== undefined && { readyCommands: ready }),
    sale: [
      ...saleCost(volumesOf(plan, settings), redisPlan),
      ...(ready === undefined ? [] : [readyCostPerHour(settings, [seller])]),
    ],
    standing: standingCost(settings, redisPlan),
  }
}

/** The exit code. A terminal gets colours and lines as long as it is wide, between 80 and 120. */
async function run(args: readonly string[]): Promise<number> {
  const command = preflightCommand().exitOverride()
  try {
    command.parse([...args], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
  const flags = command.opts<Flags>()
  const account = flags.account === true ? await readAccount(awsCli, settingsOf(flags)) : undefined
  const report = reportOf(flags, account)
  const { isTTY, columns = 100 } = process.stdout
  const look = {
    width: Math.min(120, Math.max(80, columns)),
    colour: isTTY && process.env.NO_COLOR === undefined,
    formulas: flags.formulas === true,
  }
  const totals = { sale: totalOf(report.sale), standing: totalOf(report.standing) }
  const text = flags.json
    ? JSON.stringify({ ready: isReady(report), ...report, totals }, null, 2)
    : reportLines(report, look).join('\n')
  console.log(text)
  return isReady(report) ? 0 : 1
}

process.exitCode = await run(process.argv.slice(2))
