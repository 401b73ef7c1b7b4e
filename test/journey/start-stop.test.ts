/** `npm start` as a person runs it: ready soon, clear about a taken port, and gone without a trace. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from './support.ts'

const running: ChildProcess[] = []
const servers: Server[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) server.close()
})

/** Runs what package.json's `start` runs, without npm between us and its signals. */
function start(...options: string[]) {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }
  const [, ...args] = manifest.scripts.start.split(' ')
  const child = spawn(process.execPath, [...args, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
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

function freePort(): Promise<{ port: number; server: Server }> {
  const server = createServer()
  servers.push(server)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({ port: (server.address() as { port: number }).port, server }),
    )
  })
}

/** Every process below `pid`, by the kernel's own list. */
function descendants(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  const direct = children === '' ? [] : children.split(' ').map(Number)
  return direct.flatMap((child) => [child, ...descendants(child)])
}

const isAlive = (pid: number) => {
  try {
    // A zombie that only waits to be reaped holds no port and runs nothing.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function ready(url: string) {
  return eventually(async () => {
    const answer = await fetch(`${url}/local/health`).catch(() => undefined)
    return answer?.ok ? answer.json() : undefined
  }, 20_000)
}

describe('npm start', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stops on %s with no child process and no port left',
    async (signal) => {
      const { port, server } = await freePort()
      await new Promise((resolve) => server.close(resolve))
      const run = start('--port', String(port), '--no-demo')
      expect(await ready(`http://127.0.0.1:${port}`)).toMatchObject({ ok: true })
      const pids = descendants(run.child.pid ?? 0)
      expect(pids.length).toBeGreaterThan(2)

      run.child.kill(signal)
      expect(await run.exit).toBe(0)
      await eventually(async () => (pids.some(isAlive) ? undefined : true), 3000)
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
    },
  )

  it('takes its children along when it is killed outright', async () => {
    const { port, server } = await freePort()
    await new Promise((resolve) => server.close(resolve))
    const run = start('--port', String(port), '--no-demo')
    await ready(`http://127.0.0.1:${port}`)
    const pids = descendants(run.child.pid ?? 0)
    run.child.kill('SIGKILL')
    await run.exit
    await eventually(async () => (pids.some(isAlive) ? undefined : true), 5000)
  })

  it('names a port that is taken, and exits 1', async () => {
    const { port } = await freePort()
    const run = start('--port', String(port), '--no-demo')
    expect(await run.exit).toBe(1)
    expect(run.output).toContain(String(port))
    expect(run.output).toMatch(/taken|in use/)
  })

  it('starts with demo sales, one of them about to start, and says where to look', async () => {
    const { port, server } = await freePort()
    await new Promise((resolve) => server.close(resolve))
    const run = start('--port', String(port))
    await eventually(async () => (run.output.includes('/console/') ? true : undefined), 30_000)
    const shop = await (await fetch(`http://127.0.0.1:${port}/`)).text()
    expect(shop).toMatch(/\/sales\/[a-z0-9-]+\//)
    run.child.kill('SIGTERM')
    expect(await run.exit).toBe(0)
  })
})
