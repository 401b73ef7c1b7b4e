/**
 * Ends what a run of the tests started, however the run ends: by itself, by Ctrl-C, or by `kill -9`, after which the
 * workers and Chromium would stay. A process beside the run waits for its end on a pipe, which the kernel closes when
 * the run is gone, and kills what is left.
 *
 * The processes of a run are known by a variable of their environment. All of them inherit it, also those that are in
 * a group of their own, or whose parent has died.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const variable = 'SLUICE_TEST_RUN'

/** Time for the parts to end by themselves once the run is gone. */
const graceMs = 500

/** Time for a guard to stop its program, which it kills after its own timeout. */
const guardMs = 3500

/** Marks this process as a run, and starts the process beside it. */
export function endProcessesAfterRun(): void {
  const run = randomUUID()
  const beside = spawn(process.execPath, [fileURLToPath(import.meta.url), run], {
    // A Ctrl-C in the terminal must not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // A run that a test starts is part of the run of that test, too.
  process.env[variable] = [process.env[variable] ?? [], run].flat().join()
  beside.unref()
  // It is a socket of Node, which its type does not say; the run must not wait for it.
  if (beside.stdin !== null && 'unref' in beside.stdin && typeof beside.stdin.unref === 'function') beside.stdin.unref()
}

/** The ids of the processes of a run that are not zombies. */
export function processesOfRun(run: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOf(run, name))
    .map(Number)
}

function isOf(run: string, pid: string): boolean {
  try {
    // A zombie has an empty environment.
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
    const runs = environment.find((entry) => entry.startsWith(`${variable}=`)) ?? ''
    return runs.includes(run)
  } catch {
    // It has ended meanwhile, or is another user's.
    return false
  }
}

if (import.meta.main) {
  const [run = ''] = process.argv.slice(2)
  process.stdin.resume()
  await once(process.stdin, 'end')
  const endedAt = performance.now()
  await pause(graceMs)
  for (let left = processesOfRun(run); left.length > 0; left = processesOfRun(run)) {
    const sparesGuards = performance.now() - endedAt < guardMs
    for (const pid of left.filter((one) => !(sparesGuards && isGuard(one)))) killIfAlive(pid)
    await pause(50)
  }
}

/** The shell of local/child.ts stops its program itself. Redis cannot be found without it: it overwrites its environment. */
function isGuard(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'latin1') === 'sh\n'
  } catch {
    return true
  }
}

/** A process that has ended meanwhile is no failure. */
export function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (failure) {
    if (!(failure instanceof Error && 'code' in failure && failure.code === 'ESRCH')) throw failure
  }
}
