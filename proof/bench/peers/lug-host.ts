/**
 * Runs github.com/lugassawan/flash-sale: its built API in production mode, which also writes orders, over PostgreSQL
 * with the project's schema and Redis with the project's settings.
 */
import { execFile } from 'node:child_process'
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startListeningChild } from '../../../local/listening-child.ts'
import { loopback } from '../../../local/ports.ts'
import { findRedisOnce } from '../../../local/redis/redis-server.ts'
import { openLink } from '../../../local/upstash/link.ts'
import { type PeerContext, servePeer, startPeerServer } from './serve-peer.ts'

const sku = 'BENCH-1'
const adminKey = 'admin-key-of-the-bench'

const parts = {
  own: 'host',
  others: [
    ['API', /^\S*node\b.*dist\/main/],
    ['PostgreSQL', /^(?!\/bin\/sh).*postgres/],
    ['Redis', /redis-server/],
  ],
} as const

servePeer({ parts, programs: ['API'] }, async (context) => {
  const { folder } = context
  const redisPort = await startPeerRedis(context)
  const { url, query } = await startPostgres(context)
  const env = {
    ...{ NODE_ENV: 'production', HOST: loopback, LOG_LEVEL: 'info', ADMIN_API_KEY: adminKey },
    ...{ REDIS_HOST: loopback, REDIS_PORT: String(redisPort), DATABASE_URL: url },
  }
  const cwd = join(folder, 'apps/backend')
  const { port } = await startPeerServer(context, { name: 'api', cwd, args: [join(cwd, 'dist/main')], env })
  const link = openLink({ host: loopback, port: redisPort })
  const api = `http://${loopback}:${port}/api/v1`
  return {
    port,
    async empty() {
      await link.send([['FLUSHALL']])
      await query('TRUNCATE purchases, products')
    },
    async offer(stock) {
      const minute = 60_000
      const [startTime, endTime] = [-minute, 60 * minute].map((ms) => new Date(Date.now() + ms).toISOString())
      const product = { sku, productName: 'Bench', initialStock: stock, startTime, endTime }
      const created = await fetch(`${api}/products`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-admin-key': adminKey },
        body: JSON.stringify(product),
      })
      if (!created.ok) throw new Error(`the product was answered ${created.status} ${await created.text()}`)
      for (let tries = 0; tries < 300; tries += 1) {
        const state = await (await fetch(`${api}/sales?sku=${sku}`)).text()
        if (state.includes('"state":"ACTIVE"')) return
        await sleep(100)
      }
      throw new Error('its sale did not start')
    },
    async orders() {
      const [seen, lastAt] = (
        await query('SELECT count(*), coalesce(extract(epoch FROM max(created_at)) * 1000, 0) FROM purchases')
      ).split('|')
      return { seen: Number(seen), lastAt: Number(lastAt) }
    },
  }
})

async function startPeerRedis({ folder, dir, stopLater }: PeerContext): Promise<number> {
  const { command, env } = await findRedisOnce(console.error)
  const file = join(folder, 'infrastructure/docker/redis/redis.conf')
  const args = (port: number) => [file, '--port', String(port), '--bind', loopback, '--dir', dir]
  return stopLater(await startListeningChild({ name: 'Redis', command, args, env, port: 0 })).port
}

/** PostgreSQL refuses to run as root. */
const otherUser = 65_534
const isRoot = process.getuid?.() === 0
const asOther = isRoot ? ['setpriv', `--reuid=${otherUser}`, `--regid=${otherUser}`, '--clear-groups'] : []

const run = promisify(execFile)

/** `query` returns a row as psql prints it, unaligned. */
type Postgres = { url: string; query(text: string): Promise<string> }

/**
 * Creates a database with the project's schema and PostgreSQL's default settings. @throws when PostgreSQL is not on the
 * PATH
 */
async function startPostgres({ folder, dir, stopLater }: PeerContext): Promise<Postgres> {
  const data = join(dir, 'postgresql')
  await mkdir(data, { mode: 0o700 })
  if (isRoot) await chown(data, otherUser, otherUser)
  const [initdb = 'initdb', ...initArgs] = [...asOther, 'initdb']
  const user = 'flashsale'
  await run(initdb, [...initArgs, '-D', data, '-U', user, '--auth=trust', '--encoding=UTF8'], { cwd: dir })
  const [postgres = 'postgres', ...args] = [...asOther, 'postgres']
  const { port } = stopLater(
    await startListeningChild({
      name: 'PostgreSQL',
      command: postgres,
      args: (chosen) => [
        ...[...args, '-D', data, '-p', String(chosen)],
        ...['-c', `listen_addresses=${loopback}`, '-c', 'unix_socket_directories='],
      ],
      env: process.env,
      port: 0,
    }),
  )
  const urlOf = (database: string) => `postgresql://${user}@${loopback}:${port}/${database}`
  const psql = async (database: string, more: string[]) => {
    const { stdout } = await run('psql', [urlOf(database), '-w', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', ...more])
    return stdout.trim()
  }
  await waitForPostgres(() => psql('postgres', ['-c', 'SELECT 1']))
  await psql('postgres', ['-c', 'CREATE DATABASE flashsale'])
  await psql('flashsale', ['-f', join(folder, 'infrastructure/docker/postgresql/init.sql')])
  return { url: urlOf('flashsale'), query: (text) => psql('flashsale', ['-c', text]) }
}

/** Waits until PostgreSQL accepts queries; it listens earlier. */
async function waitForPostgres(ask: () => Promise<string>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await ask()
      return
    } catch (failure) {
      if (tries === 100) throw failure
      await sleep(100)
    }
  }
}
