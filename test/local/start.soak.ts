/** `npm start` as a person runs it: ready soon, with clear errors, and stopped without a trace. */
import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../journey/support.ts'
import { isAlive, killAll, npmStart, processesOf } from './npm-start.ts'

const servers: Server[] = []
afterEach(() => {
  killAll()
  for (const server of servers.splice(0)) server.close()
})

function freePort(): Promise<{ port: number; server: Server }> {
  const server = createServer()
  servers.push(server)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({ port: (server.address() as { port: number }).port, server }),
    )
  })
}

async function ready(url: string) {
  return eventually(async () => {
    const answer = await fetch(`${url}/local/health`).catch(() => undefined)
    return answer?.ok ? answer.json() : undefined
  })
}

describe('npm start', () => {
  it.each([
    [['--port', 'abc'], '--port'],
    [['--port', '70000'], '--port'],
    [['--databases', '13'], '--databases'],
    [['--databases', ''], '--databases'],
    [['--commands-per-second', '0'], '--commands-per-second'],
    [['--speed', '9'], '--speed'],
    [['extra'], 'extra'],
  ])('explains its options after %j', async (options, named) => {
    const run = npmStart(...options)
    expect(await run.exit).toBe(1)
    expect(run.output).toContain(named)
    expect(run.output).toContain('npm start -- [--port')
    expect(run.output).not.toMatch(/^\s+at /m)
  })

  it.each(['functions-host.ts', 'workers-host.ts', 'cloud-host.ts', 'dynoxide'])(
    'ends with exit code 1 when %s dies',
    async (part) => {
      const run = npmStart('--port', '0', '--no-demo')
      await eventually(async () => (run.output.includes('Ctrl-C') ? true : undefined))
      const below = processesOf(run)
      // The part itself, not the shells that guard it.
      const victim = below.find(({ command }) => command.includes(part) && !command.startsWith('/bin/sh'))
      process.kill(victim?.pid ?? 0, 'SIGKILL')
      expect(await run.exit).toBe(1)
      expect(run.output).toMatch(/has ended by itself/)
      await eventually(async () => (below.some(isAlive) ? undefined : true))
    },
  )

  it('exits at once on the first signal while it is still starting', async () => {
    const run = npmStart('--port', '0', '--no-demo')
    await eventually(async () => (run.output.includes('built') ? true : undefined))
    run.child.kill('SIGINT')
    expect(await run.exit).toBe(130)
  })

  it.each([
    ['SIGINT', []],
    ['SIGTERM', ['--no-demo']],
  ] as const)(
    'prints its addresses, and stops on %s with no child process and no port left (%j)',
    async (signal, options) => {
      const { port, server } = await freePort()
      await new Promise((resolve) => server.close(resolve))
      const run = npmStart('--port', String(port), ...options)
      expect(await ready(`http://127.0.0.1:${port}`)).toMatchObject({ ok: true })
      await eventually(async () => (run.output.includes('/console/') ? true : undefined))
      const shop = await (await fetch(`http://127.0.0.1:${port}/`)).text()
      expect(/\/sales\/[a-z0-9-]+\//.test(shop), 'demo sales').toBe(options.length === 0)
      const parts = processesOf(run)
      expect(parts.length).toBeGreaterThan(2)

      run.child.kill(signal)
      expect(await run.exit).toBe(0)
      await eventually(async () => (parts.some(isAlive) ? undefined : true))
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
    },
  )

  it('stops its children when it is killed by SIGKILL', async () => {
    const { port, server } = await freePort()
    await new Promise((resolve) => server.close(resolve))
    const run = npmStart('--port', String(port), '--no-demo')
    await ready(`http://127.0.0.1:${port}`)
    const parts = processesOf(run)
    run.child.kill('SIGKILL')
    await run.exit
    await eventually(async () => (parts.some(isAlive) ? undefined : true))
  })

  it('names a port that is taken, and exits 1', async () => {
    const { port } = await freePort()
    const run = npmStart('--port', String(port), '--no-demo')
    expect(await run.exit).toBe(1)
    expect(run.output).toContain(String(port))
    expect(run.output).toMatch(/taken|in use/)
  })
})
