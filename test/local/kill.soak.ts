/** A command that is stopped or killed, at any moment, leaves no process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { openRandom } from '../../proof/simulation/engine/random.ts'
import { newFolder } from '../folders.ts'
import { processesOfRun } from '../processes-of-run.ts'
import { isAlive, type Process, processesBelow } from './npm-start.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9))
const random = openRandom(seed)
const signals = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const

/** Signals in turn, each at a moment from `least` to `most` ms after the command began. */
const moments = (count: number, least: number, most: number) =>
  Array.from({ length: count }, (_, at) => ({
    signal: signals[at % signals.length] ?? 'SIGKILL',
    afterMs: random.whole(least, most),
  }))

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

/** Without npm between the test and the signal. */
function start(script: string, args: readonly string[], tmp = tmpdir()): ChildProcess {
  const [, ...words] = scripts[script]?.split(' ') ?? []
  const env = { ...process.env, TMPDIR: tmp }
  const child = spawn(process.execPath, [...words, ...args], { stdio: 'ignore', env })
  commands.push(child)
  return child
}

const commands: ChildProcess[] = []
afterEach(() => {
  for (const command of commands.splice(0)) command.kill('SIGKILL')
})

/** The id that a run of tests gave to the process beside it. */
function runAmong(processes: readonly Process[]): string | undefined {
  const beside = processes.find(({ command }) => command.includes('processes-of-run.ts'))
  return beside?.command.trim().split(' ').at(-1)
}

async function endsEverything(command: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(command, 'exit')
  const before = processesBelow(command.pid ?? 0)
  const run = runAmong(before)
  command.kill(signal)
  await exited
  const left = () => [
    ...before.filter(isAlive).map(({ command }) => command),
    ...(run === undefined ? [] : processesOfRun(run)),
  ]
  await expect.poll(left, { timeout: 5000, interval: 100 }).toEqual([])
}

async function untilItRuns(command: ChildProcess, parts: readonly RegExp[]): Promise<void> {
  const running = () => {
    const commands = processesBelow(command.pid ?? 0).map(({ command }) => command)
    return parts.filter((part) => !commands.some((one) => part.test(one))).map(String)
  }
  await expect.poll(running, { timeout: 100_000, interval: 20 }).toEqual([])
}

describe('a run of the tests', () => {
  /** Units with a Redis, a browser, and systems of their own. */
  const files = ['test/redis/buy/reserve.test.ts', 'test/browser/purchase.test.ts', 'test/journey/faults.test.ts']

  it.each(moments(10, 200, 8000))(
    `leaves no process five seconds after a $signal at $afterMs ms (seed ${seed})`,
    async ({ signal, afterMs }) => {
      const command = start('test', files)
      await pause(afterMs)
      await endsEverything(command, signal)
    },
  )

  it.each(signals)('ends Chromium, Redis, the table and every part of a system after a %s', async (signal) => {
    const command = start('test', files)
    await untilItRuns(command, [/chromium/, /redis-server/, /dynoxide/, /workers-host/])
    await endsEverything(command, signal)
  })
})

const system = [/redis-server/, /dynoxide/]

describe.each([
  { script: 'rush', args: ['--shoppers', '20000', '--stock', '1000'], parts: system },
  { script: 'bench', args: ['million'], parts: system },
  { script: 'faults', args: ['--sales', '400'], parts: [/redis-server/] },
])('npm run $script', ({ script, args, parts }) => {
  it.each(moments(3, 0, 3000))(
    `leaves no process five seconds after a $signal, $afterMs ms after its parts started (seed ${seed})`,
    async ({ signal, afterMs }) => {
      const tmp = newFolder('tmp')
      const command = start(script, args, tmp)
      await untilItRuns(command, parts)
      await pause(afterMs)
      await endsEverything(command, signal)
      if (signal !== 'SIGKILL') expect(readdirSync(tmp)).toEqual([])
    },
  )
})
