/** Runs what package.json's `npmStart` runs, without npm between the test and the signals it sends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

export type NpmRun = { child: ChildProcess; output: string; exit: Promise<number | null> }
export type Process = { pid: number; command: string }

const running: ChildProcess[] = []

export function npmStart(...options: string[]): NpmRun {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }
  const [, ...args] = manifest.scripts.start.split(' ')
  const child = spawn(process.execPath, [...args, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const run = { child, output: '', exit }
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      run.output += chunk
    })
  }
  return run
}

/** For `afterEach`: ends what a failed test left running. */
export function killAll(): void {
  for (const child of running.splice(0)) child.kill('SIGKILL')
}

/** Every process below the run, by the kernel's own list. */
export function processesOf({ child }: NpmRun): Process[] {
  return child.pid === undefined ? [] : processesBelow(child.pid)
}

/** The children of a process, and theirs, without those that end while they are listed. */
export function processesBelow(pid: number): Process[] {
  const children = textOf(`/proc/${pid}/task/${pid}/children`)?.match(/\d+/g) ?? []
  return children.map(Number).flatMap((child) => {
    const command = textOf(`/proc/${child}/cmdline`)?.replaceAll('\0', ' ')
    return command === undefined ? [] : [{ pid: child, command }, ...processesBelow(child)]
  })
}

/** Undefined once the process of the file has ended. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure && /^ENOENT$|^ESRCH$/.test(String(failure.code))) return undefined
    throw failure
  }
}

/** A zombie that only waits to be reaped holds no port and runs nothing. */
export function isAlive({ pid }: Process): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
