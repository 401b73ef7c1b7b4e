/** `npm start` when something is wrong: one clear line, exit code 1, and nothing left running. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../journey/support.ts'

const running: (() => void)[] = []
afterEach(() => {
  for (const kill of running.splice(0)) kill()
})

function start(...options: string[]) {
  const child = spawn(process.execPath, ['local/start.ts', ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(() => child.kill('SIGKILL'))
  const run = {
    child,
    output: '',
    exit: new Promise<number | null>((resolve) => child.once('exit', resolve)),
  }
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      run.output += chunk
    })
  }
  return run
}

/** The processes below `pid`, with their command lines. */
function descendants(pid: number): { pid: number; command: string }[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return (children === '' ? [] : children.split(' ').map(Number)).flatMap((child) => [
    { pid: child, command: readFileSync(`/proc/${child}/cmdline`, 'utf8').replaceAll('\0', ' ') },
    ...descendants(child),
  ])
}

describe('npm start', () => {
  it.each([
    [['--port', 'abc'], '--port'],
    [['--port', '70000'], '--port'],
    [['--speed', '9'], '--speed'],
    [['extra'], 'extra'],
  ])('explains its options when it does not understand %j', async (options, named) => {
    const run = start(...options)
    expect(await run.exit).toBe(1)
    expect(run.output).toContain(named)
    expect(run.output).toContain('npm start -- [--port')
    expect(run.output).not.toMatch(/^\s+at /m)
  })

  it.each(['functions-host.ts', 'cloud-host.ts', 'dynoxide'])(
    'ends with exit code 1 when %s dies',
    async (part) => {
      const run = start('--port', '0', '--no-demo')
      await eventually(async () => (run.output.includes('Ctrl-C') ? true : undefined))
      const below = descendants(run.child.pid ?? 0)
      // The part itself, not the shells that guard it.
      const victim = below.find(({ command }) => command.includes(part) && !command.startsWith('/bin/sh'))
      process.kill(victim?.pid ?? 0, 'SIGKILL')
      expect(await run.exit).toBe(1)
      expect(run.output).toMatch(/has ended by itself/)
      const isAlive = ({ pid }: { pid: number }) => {
        try {
          return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
        } catch {
          return false
        }
      }
      await eventually(async () => (below.some(isAlive) ? undefined : true), 5000)
    },
  )

  it('leaves at once on the first signal while it is still starting', async () => {
    const run = start('--port', '0', '--no-demo')
    await eventually(async () => (run.output.includes('built') ? true : undefined))
    run.child.kill('SIGINT')
    expect(await run.exit).toBe(130)
  })
})
