/**
 * `npm run rush`: one sale under load on a system of its own, and a check of every invariant. `--swarm` runs a sale with
 * people and bots instead. Exit code 1 when an invariant is violated.
 */
import type { Command } from 'commander'
import { buildIfChanged } from '../../build.ts'
import { startStep } from '../../cli/progress.ts'
import { startStack } from '../../local/stack.ts'
import { rushedStack } from '../bench/own-system.ts'
import { openSystem, type System } from '../bench/system.ts'
import { type RushFlags, rushCommand, type Wanted, wantedRush } from './command.ts'
import { modesReport, runAllModes } from './modes.ts'
import { packetRushReport, runPacketRush } from './packets/run-packet-rush.ts'
import { rushReport } from './report.ts'
import { runRush } from './run-rush.ts'
import { runSwarm } from './swarm/run-swarm.ts'

const command: Command = rushCommand().parse()
const flags = command.opts<RushFlags>()

process.once('SIGINT', () => {
  console.error('Stopped before the end: nothing was checked.')
  process.exit(130)
})

const seed = flags.seed ?? Date.now() % 1_000_000

if (flags.swarm) {
  await buildIfChanged()
  const { text, isReached } = await runSwarm({
    people: flags.shoppers ?? 200,
    stock: flags.stock ?? 100,
    seed,
    startStep,
  })
  console.log(text)
  process.exitCode = isReached ? 0 : 1
} else {
  const wanted = wantedRush({ ...flags, seed, startStep })
  if (wanted.kind === 'refused') command.error(`error: ${wanted.detail}`)
  process.exitCode = (await rush(wanted)) ? 0 : 1
}

/** True when every invariant held. */
async function rush(wanted: Playable): Promise<boolean> {
  console.error('Building, and starting a system for the rush ...')
  await buildIfChanged()
  const own = await startStack(rushedStack(flags.fault !== undefined, flags.shards ?? 1))
  try {
    const system = await openSystem(`http://127.0.0.1:${own.port}`, own.databases)
    const { text, verdicts } = await play(system, wanted)
    system.close()
    console.log(text)
    return verdicts.every(({ violations }) => violations.length === 0)
  } finally {
    await own.stop()
  }
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
