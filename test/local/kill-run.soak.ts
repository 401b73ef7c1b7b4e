/** A run of the tests that is stopped or killed, at any moment, leaves no process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { openRandom } from '../../simulation/engine/random.ts'
import { processesOfRun } from '../processes-of-run.ts'
import { isAlive, type Process, processesBelow } from './npm-start.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9))
const random = openRandom(seed)
const signals = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const

/** Units with a Redis, a browser, and systems of their own. */
const files = ['test/redis/reserve.test.ts', 'test/browser/purchase.test.ts', 'test/journey/faults.test.ts']

const runners: ChildProcess[] = []
afterEach(() => {
  for (const runner of runners.splice(0)) runner.kill('SIGKILL')
})

/** The id that a run gave to the process beside it. */
function idAmong(processes: readonly Process[]): string | undefined {
  const beside = processes.find(({ command }) => command.includes('processes-of-run.ts'))
  return beside?.command.trim().split(' ').at(-1)
}

describe('a run of the tests', () => {
  it.each(
    Array.from({ length: 10 }, (_, at) => ({
      signal: signals[at % signals.length] ?? 'SIGKILL',
      afterMs: random.whole(200, 20_000),
    })),
  )(
    `leaves no process five seconds after a $signal at $afterMs ms (seed ${seed})`,
    async ({ signal, afterMs }) => {
      const runner = spawn(process.execPath, ['test/run.ts', ...files], { stdio: 'ignore' })
      runners.push(runner)
      const exited = once(runner, 'exit')
      await pause(afterMs)
      const before = processesBelow(runner.pid ?? 0)
      const run = idAmong(before)
      runner.kill(signal)
      await exited
      const left = () => [
        ...before.filter(isAlive).map(({ command }) => command),
        ...(run === undefined ? [] : processesOfRun(run)),
      ]
      await expect.poll(left, { timeout: 5000, interval: 100 }).toEqual([])
    },
  )
})
