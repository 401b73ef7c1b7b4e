import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acceptsConnections } from '../../../local/ports.ts'
import {
  type Databases,
  type DatabasesOptions,
  openLostDatabases,
  startDatabases,
} from '../../../local/redis/databases.ts'
import { openLink } from '../../../local/upstash/link.ts'
import { newFolder } from '../../folders.ts'

const running: Databases[] = []
let dataDir: string
let ended: string[]
beforeEach(() => {
  dataDir = newFolder('databases')
  ended = []
})
afterEach(async () => {
  for (const databases of running.splice(0)) await databases.stop()
})

async function start(options: Partial<DatabasesOptions> = {}): Promise<Databases> {
  const databases = await startDatabases({ count: 2, ended: (part) => ended.push(part), ...options })
  running.push(databases)
  return databases
}

async function call(databases: Databases, name: string, ...command: string[]): Promise<string> {
  const link = openLink({ host: '127.0.0.1', port: portOf(databases, name) })
  try {
    return String((await link.send([command]))[0])
  } finally {
    link.close()
  }
}

function portOf({ list }: Databases, name: string): number {
  return list.find((database) => database.name === name)?.port ?? 0
}

describe('the databases of this machine', () => {
  it('are servers of their own, with names, which stop together', async () => {
    const databases = await start({ count: 3 })
    expect(databases.list.map(({ name }) => name)).toEqual(['main', 'db-2', 'db-3'])
    for (const { name } of databases.list) await call(databases, name, 'SET', 'own', name)
    for (const { name } of databases.list) expect(await call(databases, name, 'GET', 'own')).toBe(name)
    const ports = databases.list.map(({ port }) => port)
    await databases.stop()
    expect(await Promise.all(ports.map((port) => acceptsConnections(port)))).toEqual([false, false, false])
    expect(ended).toEqual([])
  })

  it('keep their data apart in the data folder', async () => {
    const before = await start({ dataDir })
    await call(before, 'main', 'SET', 'k', 'first')
    await call(before, 'db-2', 'SET', 'k', 'second')
    await before.stop()
    const after = await start({ dataDir })
    expect(await call(after, 'main', 'GET', 'k')).toBe('first')
    expect(await call(after, 'db-2', 'GET', 'k')).toBe('second')
  })

  it('lose one of them alone, which is not reported as an unexpected end', async () => {
    const databases = await start()
    await call(databases, 'main', 'SET', 'k', 'kept')
    await databases.kill('db-2')
    await databases.kill('db-2')
    expect(await acceptsConnections(portOf(databases, 'db-2'))).toBe(false)
    expect(await call(databases, 'main', 'GET', 'k')).toBe('kept')
    expect(ended).toEqual([])
  })

  it('start a killed one again at its old address, empty or with its data', async () => {
    const databases = await start({ dataDir })
    for (const name of ['main', 'db-2']) {
      await call(databases, name, 'SET', 'k', name)
      await databases.kill(name)
      await databases.restart(name, { keepData: true })
      expect(await call(databases, name, 'GET', 'k')).toBe(name)
      await databases.kill(name)
      await databases.restart(name, { keepData: false })
      expect(await call(databases, name, 'GET', 'k')).toBe('null')
    }
    expect(ended).toEqual([])
  })

  it('refuse to keep data without a data folder, and start empty then', async () => {
    const databases = await start()
    await databases.kill('db-2')
    await expect(databases.restart('db-2', { keepData: true })).rejects.toThrow('db-2 keeps no data')
    await databases.restart('db-2', { keepData: false })
    expect(await call(databases, 'db-2', 'PING')).toBeDefined()
  })

  it('refuse to start one that runs, and names that they do not have', async () => {
    const databases = await start()
    await expect(databases.restart('db-2', { keepData: false })).rejects.toThrow('db-2 runs')
    await expect(databases.kill('db-3')).rejects.toThrow('There is no database db-3: main, db-2.')
  })

  it.each([
    ['with its data', 'kept'],
    ['empty', 'null'],
  ])('start one that ended by itself again at its old address, %s', async (meaning, value) => {
    const runsAgain = Promise.withResolvers<string>()
    const databases = await start({
      ...(value === 'kept' && { dataDir }),
      ended: (part, _why, again) => {
        ended.push(part)
        runsAgain.resolve(again === null ? 'never' : again())
      },
    })
    await call(databases, 'db-2', 'SET', 'k', 'kept')
    await call(databases, 'db-2', 'SHUTDOWN', 'NOSAVE').catch(() => {})
    expect(await runsAgain.promise).toContain(meaning)
    expect(ended).toEqual(['Redis (db-2)'])
    expect(await call(databases, 'db-2', 'GET', 'k')).toBe(value)
  })

  it('lose one with its data for a time, or until it is to come back', async () => {
    const databases = await start({ dataDir })
    const lines: string[] = []
    const lost = openLostDatabases(databases, (line) => lines.push(line))
    await call(databases, 'db-2', 'SET', 'k', 'lost')
    await lost.lose('db-2', 0)
    expect(await call(databases, 'db-2', 'GET', 'k')).toBe('null')
    await lost.lose('db-2', 50)
    await expect.poll(() => lines.length).toBe(2)
    await lost.lose('db-2', 3_600_000)
    expect(await acceptsConnections(portOf(databases, 'db-2'))).toBe(false)
    await lost.restore('main')
    expect(await acceptsConnections(portOf(databases, 'db-2'))).toBe(false)
    await lost.restore()
    expect(await acceptsConnections(portOf(databases, 'db-2'))).toBe(true)
    await lost.lose('main', 3_600_000)
    await lost.stop()
    expect(ended).toEqual([])
  })
})
