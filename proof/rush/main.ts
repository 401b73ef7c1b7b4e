/**
 * `npm run rush`: runs one sale under load on its own system and checks every invariant. Exits with 1 when one is
 * violated.
 */
import type { Command } from 'commander'
import { buildIfChanged } from '../../build.ts'
import { startStep } from '../../cli/progress.ts'
import { withOwnSystem } from '../bench/own-system.ts'
import type { System } from '../bench/system.ts'
import { planRush, type RushFlags, rushCommand } from './command.ts'
import { modesReport, runAllModes } from './modes.ts'
import type { RushOptions } from './options.ts'
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
if ('detail' in plan) command.error(`error: ${plan.detail}`)
process.exitCode = (await rush(plan.options)) ? 0 : 1

/** True when every invariant held. */
async function rush(options: RushOptions): Promise<boolean> {
  console.error('Building, and starting a system for the rush ...')
  await buildIfChanged()
  return withOwnSystem(
    async (system) => {
      const { text, verdicts } = await play(system, options)
      console.log(text)
      return verdicts.every(({ violations }) => violations.length === 0)
    },
    // Fault proxies cost time, so they run only when a fault is requested.
    { faults: options.fault !== undefined, databases: flags.shards },
  )
}

async function play(system: System, options: RushOptions) {
  if (options.kind === 'red-packet') {
    const result = await runPacketRush(system, options)
    return { text: packetRushReport(result), verdicts: [result.verdict] }
  }
  const results = options.mode === 'all' ? await runAllModes(system, options) : [await runRush(system, options)]
  const text = options.mode === undefined ? results.map(rushReport).join() : modesReport(results)
  return { text, verdicts: results.map(({ verdict }) => verdict) }
}
