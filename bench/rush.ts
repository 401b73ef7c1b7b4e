/**
 * `npm run rush`: one sale, a crowd, and the question whether every invariant still holds. Starts a system of
 * its own unless `--url` names a running one. With `--faults` it plays many small sales in a simulation instead, where
 * any step may fail, with `--swarm` a sale before people and bots. Exit code 1 when an invariant broke.
 */
import type { Command } from 'commander'
import { build } from '../build.ts'
import { startStep } from '../cli/progress.ts'
import { type Stack, startStack } from '../local/stack.ts'
import { runFaults } from '../simulation/run-faults.ts'
import { type Flags, rushCommand } from './rush/command.ts'
import { playPacketRush } from './rush/packets/play.ts'
import { packetReportLines } from './rush/packets/report.ts'
import { playRush } from './rush/play.ts'
import { reportLines } from './rush/report.ts'
import { type Wanted, wantedRush } from './rush/wanted.ts'
import { playSwarm } from './swarm/play.ts'
import { openSystem, type System } from './system.ts'

const command: Command = rushCommand().parse()
const flags = command.opts<Flags>()

const seed = flags.seed ?? Date.now() % 1_000_000

if (flags.faults) {
  const isHeld = await runFaults({ sales: flags.sales, seed, only: flags.only, startStep })
  process.exitCode = isHeld ? 0 : 1
} else if (flags.swarm) {
  await build()
  const { text, isReached } = await playSwarm({
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
  const own = flags.url === undefined ? await startOwn() : undefined
  try {
    const system = await openSystem(flags.url ?? `http://127.0.0.1:${own?.port}`)
    const { result, text } = await play(system, wanted)
    system.close()
    console.log(flags.json ? JSON.stringify(result, null, 2) : text)
    return result.verdict.violations.length === 0
  } finally {
    await own?.stop()
  }
}

type Playable = Exclude<Wanted, { kind: 'refused' }>

async function play(system: System, wanted: Playable) {
  if (wanted.kind === 'packets') {
    const result = await playPacketRush(system, wanted.options)
    return { result, text: packetReportLines(result) }
  }
  const result = await playRush(system, wanted.options)
  return { result, text: reportLines(result) }
}

async function startOwn(): Promise<Stack> {
  await build()
  return startStack({ port: 0, demo: false })
}
