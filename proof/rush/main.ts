/**
 * `npm run rush`: runs one sale under load on its own system and checks every invariant. Exits with 1 when one is
 * violated.
 */
import type { Command } from 'commander'
import { buildIfChanged } from '../../build.ts'
import { startStep } from '../../cli/progress.ts'
import { rushedStack, withOwnSystem } from '../bench/own-system.ts'
import type { System } from '../bench/system.ts'
import { planRush, type RushFlags, type RushPlan, rushCommand } from './command.ts'
import { modesReport, runAllModes } from './modes.ts'
import { packetRushReport, runPacketRush } from './packets/run-packet-rush.ts'
import { rushReport } from './report.ts'
import { runRush } from './run-rush.ts'

const command: Command = rushCommand().parse()
const flags = command.opts<RushFlags>()

process.once('SIGINT', () => {
  console.error('Stopped before the end: nothing was checked.')
  process.exit(130)
})

const seed = flags.seed ?? Date.now() % 1_000_000

const plan = planRush({ ...flags, seed, startStep })
if (plan.kind === 'refused') command.error(`error: ${plan.detail}`)
process.exitCode = (await rush(plan)) ? 0 : 1

/** True when every invariant held. */
async function rush(plan: Playable): Promise<boolean> {
  console.error('Building, and starting a system for the rush ...')
  await buildIfChanged()
  return withOwnSystem(
    async (system) => {
      const { text, verdicts } = await play(system, plan)
      console.log(text)
      return verdicts.every(({ violations }) => violations.length === 0)
    },
    rushedStack(flags.fault !== undefined, flags.shards ?? 1),
  )
}

type Playable = Exclude<RushPlan, { kind: 'refused' }>

async function play(system: System, plan: Playable) {
  if (plan.kind === 'packets') {
    const result = await runPacketRush(system, plan.options)
    return { text: packetRushReport(result), verdicts: [result.verdict] }
  }
  if (plan.kind === 'all-modes') {
    const result = await runAllModes(system, plan.options)
    return { text: modesReport(result), verdicts: result.map(({ verdict }) => verdict) }
  }
  const result = await runRush(system, plan.options)
  return { text: result.mode ? modesReport([result]) : rushReport(result), verdicts: [result.verdict] }
}
