/**
 * `npm run rush`: one sale under load on a system of its own, and a check of every invariant. Exit code 1 when one is
 * violated.
 */
import type { Command } from 'commander'
import { buildIfChanged } from '../../build.ts'
import { startStep } from '../../cli/progress.ts'
import { rushedStack, withOwnSystem } from '../bench/own-system.ts'
import type { System } from '../bench/system.ts'
import { type RushFlags, rushCommand, type Wanted, wantedRush } from './command.ts'
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

const wanted = wantedRush({ ...flags, seed, startStep })
if (wanted.kind === 'refused') command.error(`error: ${wanted.detail}`)
process.exitCode = (await rush(wanted)) ? 0 : 1

/** True when every invariant held. */
async function rush(wanted: Playable): Promise<boolean> {
  console.error('Building, and starting a system for the rush ...')
  await buildIfChanged()
  return withOwnSystem(
    async (system) => {
      const { text, verdicts } = await play(system, wanted)
      console.log(text)
      return verdicts.every(({ violations }) => violations.length === 0)
    },
    rushedStack(flags.fault !== undefined, flags.shards ?? 1),
  )
}

type Playable = Exclude<Wanted, { kind: 'refused' }>

async function play(system: System, wanted: Playable) {
  if (wanted.kind === 'packets') {
    const result = await runPacketRush(system, wanted.options)
    return { text: packetRushReport(result), verdicts: [result.verdict] }
  }
  if (wanted.kind === 'all-modes') {
    const result = await runAllModes(system, wanted.options)
    return { text: modesReport(result), verdicts: result.map(({ verdict }) => verdict) }
  }
  const result = await runRush(system, wanted.options)
  return { text: result.mode ? modesReport([result]) : rushReport(result), verdicts: [result.verdict] }
}
