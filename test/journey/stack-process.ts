/**
 * The whole system in a process of its own, so that a test can kill all of it at once:
 * `start-stack.ts`, the hosts and programs that it starts, and all of their children.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { StackOptions } from '../../local/stack.ts'
import { isAlive, processesBelow } from '../local/npm-start.ts'
import { killIfAlive } from '../processes-of-run.ts'
import { eventually, type Shop, shopAt } from './support.ts'

export type StackProcess = Shop & {
  /** The shop key of a till or web shop. */
  shopKey: string
  /** Kills every process of the system at once, without a clean end, and waits until all are gone. */
  kill9: () => Promise<void>
  /** Stops the system, as Ctrl-C would. */
  stop: () => Promise<void>
}

/** The report of the process about the started system. */
export type Started = { url: string; shopKey: string }

/** Starts the system in a process of its own. */
export async function startStackProcess(
  options: Pick<StackOptions, 'dataDir' | 'demo' | 'maxCopySeconds' | 'scheduled' | 'visibilitySeconds'>,
): Promise<StackProcess> {
  const entry = fileURLToPath(new URL('./start-stack.ts', import.meta.url))
  const child = fork(entry, [JSON.stringify(options)], {
    execArgv: ['--import', './lua-hooks.ts'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [{ url, shopKey }] = (await Promise.race([once(child, 'message'), failed(child)])) as [Started]
  return {
    ...shopAt(url),
    shopKey,
    async kill9() {
      const all = processesBelow(child.pid ?? 0)
      const exited = once(child, 'exit')
      for (const { pid } of [{ pid: child.pid ?? 0 }, ...all]) killIfAlive(pid)
      await exited
      await eventually(async () => (all.some(isAlive) ? undefined : true))
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}

async function failed(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit')
  throw new Error(`the system did not start: exit code ${code}`)
}
