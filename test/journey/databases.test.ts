/** Several databases of the stock on one machine, each with a server and an Upstash API of its own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Stack, startStack } from '../../local/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ demo: false, databases: 2 })
})
afterAll(() => stack.stop())

type Address = { name: string; restUrl: string; restToken: string }

async function addressOf(name: string): Promise<Address> {
  const found = (await stack.parts()).parts.redis.databases.find((database) => database.name === name)
  if (found === undefined) throw new Error(`there is no database ${name}`)
  return found
}

/** The answer of the Upstash API of a database, which bypasses the faults. */
async function ask(name: string, command: string[], token?: string) {
  const { restUrl, restToken } = await addressOf(name)
  const response = await fetch(restUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${token ?? restToken}` },
    body: JSON.stringify(command),
  })
  return { status: response.status, body: (await response.json()) as { result?: unknown } }
}

describe('two databases', () => {
  it('are two servers with their own keys and their own tokens', async () => {
    await ask('main', ['SET', 'own', 'first'])
    await ask('db-2', ['SET', 'own', 'second'])
    expect((await ask('main', ['GET', 'own'])).body.result).toBe('first')
    expect((await ask('db-2', ['GET', 'own'])).body.result).toBe('second')
    const { restToken } = await addressOf('main')
    expect((await ask('db-2', ['GET', 'own'], restToken)).status).toBe(401)
  })

  it('are lost one at a time, and come back empty', async () => {
    await ask('db-2', ['SET', 'own', 'second'])
    await stack.databases.kill('db-2')
    expect((await ask('main', ['PING'])).status).toBe(200)
    expect((await ask('db-2', ['PING'])).status).toBe(503)
    const { ok, parts } = await stack.parts()
    expect(ok).toBe(false)
    expect(parts.redis.databases.map((database) => database.ok)).toEqual([true, false])
    await stack.databases.restart('db-2', { keepData: false })
    expect((await ask('db-2', ['GET', 'own'])).body.result).toBeNull()
    expect((await stack.parts()).ok).toBe(true)
  })

  it('refuse a fault of a database that is not there', async () => {
    const fault = stack.setFault({ target: 'redis', database: 'db-3', mode: 'down' })
    await expect(fault).rejects.toThrow('There is no database db-3')
  })
})
