/** `npm start` as a person runs it: ready soon, with clear errors, and stopped without a trace. */
import { createServer, type Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { localToken } from '../../cli/control-client.ts'
import { restartLimit } from '../../local/restarts.ts'
import { eventually } from '../journey/support.ts'
import { isAlive, killAll, type NpmRun, npmStart, type Process, processesOf } from './npm-start.ts'

const servers: Server[] = []
afterEach(() => {
  killAll()
  for (const server of servers.splice(0)) server.close()
})

function freePort(): Promise<{ port: number; server: Server }> {
  const server = createServer()
  servers.push(server)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ port: (server.address() as { port: number }).port, server }))
  })
}

async function ready(url: string) {
  return eventually(async () => {
    const answer = await fetch(`${url}/local/health`).catch(() => undefined)
    return answer?.ok ? answer.json() : undefined
  })
}

async function addressOf(run: NpmRun): Promise<string> {
  await eventually(async () => (run.output.includes('Ctrl-C') ? true : undefined))
  return /Shop\s+(http:\S+)\//.exec(run.output)?.[1] ?? ''
}

/** The part itself, not the shells that guard it. */
function programsOf(run: NpmRun, { program }: { program: string }): Process[] {
  return processesOf(run).filter(({ command }) => command.includes(program) && !command.startsWith('/bin/sh'))
}

const parts = [
  { program: 'redis-server', name: 'Redis (main)', means: 'with its data' },
  { program: 'dynoxide', name: 'DynamoDB', means: 'with all tables' },
  { program: 'cloud-host.ts', name: 'cloud-host.ts', means: 'the Upstash API, SQS and S3' },
  { program: 'functions-host.ts', name: 'functions-host.ts', means: 'the functions' },
  { program: 'workers-host.ts', name: 'workers-host.ts', means: 'the consumers and the schedule' },
]

/** Every sale as the console lists it. */
async function salesOf(url: string): Promise<unknown> {
  return eventually(async () => {
    const token = await localToken(url, 'mia', ['marketer'])
    const answer = await fetch(`${url}/api/control/sales`, { headers: { authorization: `Bearer ${token}` } })
    if (!answer.ok) return undefined
    const { sales } = (await answer.json()) as { sales: { saleId: string; title: string }[] }
    return sales.map(({ saleId, title }) => ({ saleId, title }))
  })
}

describe('npm start', () => {
  it.each([
    [['--port', 'abc'], '--port'],
    [['--port', '70000'], '--port'],
    [['--databases', '65'], '--databases'],
    [['--databases', ''], '--databases'],
    [['--edge-delay', '-1'], '--edge-delay'],
    [['--speed', '9'], '--speed'],
    [['extra'], 'extra'],
  ])('explains its options after %j', async (options, named) => {
    const run = npmStart(...options)
    expect(await run.exit).toBe(1)
    expect(run.output).toContain(named)
    expect(run.output).toContain('Usage: npm start --')
    expect(run.output).not.toMatch(/^\s+at /m)
  })

  it('stays up with its data when any part is killed, and says what it means', async () => {
    const run = npmStart('--port', '0', '--databases', '2')
    const url = await addressOf(run)
    const sales = await salesOf(url)
    for (const part of parts) {
      const victim = await eventually(async () => programsOf(run, part)[0])
      process.kill(victim.pid, 'SIGKILL')
      await eventually(async () => (run.output.includes(`${part.name} runs again: ${part.means}`) ? true : undefined))
      expect(await ready(url)).toMatchObject({ ok: true })
      expect(await salesOf(url), part.name).toEqual(sales)
    }
    const below = processesOf(run)
    run.child.kill('SIGINT')
    expect(await run.exit).toBe(0)
    await eventually(async () => (below.some(isAlive) ? undefined : true))
  })

  it('ends with exit code 1 when a part keeps ending, and names it', async () => {
    const run = npmStart('--port', '0', '--no-demo')
    await addressOf(run)
    const below = processesOf(run)
    const killed = new Set<number>()
    while (run.child.exitCode === null && killed.size <= restartLimit.times) {
      const next = programsOf(run, { program: 'redis-server' }).find(({ pid }) => !killed.has(pid))
      if (next === undefined) await pause(20)
      else {
        killed.add(next.pid)
        process.kill(next.pid, 'SIGKILL')
      }
    }
    expect(await run.exit).toBe(1)
    expect(run.output).toContain('Redis is not started again: it ended more than 5 times in 60 s.')
    await eventually(async () => (below.some(isAlive) ? undefined : true))
  })

  it('exits at once on the first signal while it is still starting', async () => {
    const run = npmStart('--port', '0', '--no-demo')
    await eventually(async () => (run.output.includes('built') ? true : undefined))
    run.child.kill('SIGINT')
    expect(await run.exit).toBe(130)
  })

  it.each([
    ['SIGINT', []],
    ['SIGTERM', ['--no-demo']],
    ['SIGHUP', ['--no-demo']],
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
