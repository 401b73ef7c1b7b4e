import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { type ChildExit, spawnChild } from '../../local/child.ts'

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** A program that prints its process id and waits; `ignoresTerm` makes it ignore SIGTERM. */
const waiter = (ignoresTerm = false) => ({
  command: process.execPath,
  args: [
    '-e',
    `${ignoresTerm ? "process.on('SIGTERM', () => {});" : ''} console.log(process.pid); setInterval(() => {}, 1000)`,
  ],
})

/** A waiter that has printed its process id. */
async function startWaiter({ ignoresTerm, ...options }: { ignoresTerm?: boolean; patienceMs?: number } = {}) {
  const lines: string[] = []
  const surprises: ChildExit[] = []
  const [log, onExit] = [(line: string) => lines.push(line), (exit: ChildExit) => surprises.push(exit)]
  const child = spawnChild({ ...waiter(ignoresTerm), ...options, log, onExit })
  await until(() => lines.length === 1)
  return { child, pid: Number(lines[0]), surprises }
}

describe('a child', () => {
  it('ends when stopped, and does not report that as unexpected', async () => {
    const { child, pid, surprises } = await startWaiter()
    expect(isAlive(pid)).toBe(true)
    await child.stop()
    expect(isAlive(pid)).toBe(false)
    expect((await child.exited).code).toBe(128 + 15)
    expect(surprises).toEqual([])
  })

  it('is killed when it ignores the request to end', async () => {
    const { child, pid } = await startWaiter({ ignoresTerm: true, patienceMs: 100 })
    await child.stop()
    expect(isAlive(pid)).toBe(false)
    expect((await child.exited).code).toBe(128 + 9)
  })

  it('is killed at once, without a request to end before, and that is not unexpected', async () => {
    const { child, pid, surprises } = await startWaiter({ patienceMs: 60_000 })
    await Promise.all([child.kill(), child.kill(), child.stop()])
    expect(isAlive(pid)).toBe(false)
    expect((await child.exited).code).toBe(128 + 9)
    expect(surprises).toEqual([])
  })

  it('may be stopped twice, and after it ended', async () => {
    const child = spawnChild({ command: process.execPath, args: ['-e', ''] })
    await child.exited
    await Promise.all([child.stop(), child.stop()])
  })

  it('reports an unexpected end with its code and last lines', async () => {
    const exit = await new Promise<ChildExit>((resolve) => {
      spawnChild({
        command: process.execPath,
        args: ['-e', 'console.log("starting"); console.error("no room left"); process.exitCode = 7'],
        onExit: resolve,
      })
    })
    expect(exit.code).toBe(7)
    expect(exit.lastLines.toSorted()).toEqual(['no room left', 'starting'])
  })

  it('reports a missing program as an end', async () => {
    const exit = await spawnChild({ command: '/nowhere/program', args: [] }).exited
    expect(exit.code).toBe(127)
    expect(exit.lastLines.join()).toContain('/nowhere/program')
  })

  it('gets its own environment, arguments with spaces, and no standard input', async () => {
    const exit = await spawnChild({
      command: process.execPath,
      args: ['-e', 'process.stdin.on("end", () => console.log(process.argv[1], process.env.A)).resume()', "a 'b' $c"],
      env: { A: 'given' },
    }).exited
    expect(exit).toEqual({ code: 0, lastLines: ["a 'b' $c given"] })
  })

  it('dies with a parent that was killed without a chance to clean up', async () => {
    const module = new URL('../../local/child.ts', import.meta.url).href
    const { command, args } = waiter()
    const parent = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { spawnChild } from ${JSON.stringify(module)}
         spawnChild({ command: ${JSON.stringify(command)}, args: ${JSON.stringify(args)}, log: console.log })`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const [printed] = await once(parent.stdout, 'data')
    const pid = Number(String(printed))
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    await until(() => !isAlive(pid))
  })
})
