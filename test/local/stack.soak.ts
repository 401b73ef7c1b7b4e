/** The whole system in one call: started, healthy, with faults, and stopped. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createDemo } from '../../local/demo.ts'
import { acceptsConnections } from '../../local/ports.ts'
import { type Stack, type StackOptions, startStack } from '../../local/stack.ts'
import { allFunctions } from '../../system/functions.ts'
import { newFolder } from '../folders.ts'
import { control, createSale, definition, pointerOf } from '../journey/support.ts'
import { useStops } from '../stops.ts'

const stops = useStops()

async function start(options: StackOptions = {}): Promise<Stack> {
  const stack = await startStack({ log: () => {}, ...options })
  stops.push(stack.stop)
  return stack
}

/** The number of child processes of this one. */
const children = () => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length

/** The ports where the parts of a running stack answer, including those that are no children of this process. */
async function portsOf(stack: Stack): Promise<number[]> {
  const { redis, dynamodb, sqs } = (await stack.parts()).parts
  const urls = [stack.url, ...redis.databases.map(({ restUrl }) => restUrl), dynamodb.endpoint, sqs.endpoint]
  return [...redis.databases.map(({ port }) => port), ...urls.map((url) => Number(new URL(url).port))]
}

const answering = (ports: readonly number[]) => Promise.all(ports.map((port) => acceptsConnections(port)))

/** The lines of all logs, without counts and durations, which the functions always log. */
async function linesIn({ logDir }: Stack): Promise<string[]> {
  const texts = await Promise.all((await readdir(logDir)).map((file) => readFile(join(logDir, file), 'utf8')))
  return texts.flatMap((text) => text.split('\n').filter((line) => !line.startsWith('{"_aws":')))
}

describe('the stack', () => {
  it('answers for every part, with addresses that work', async () => {
    const stack = await start()
    const response = await fetch(`${stack.url}/local/health`)
    expect(response.status).toBe(200)
    const health = await stack.parts()
    expect(health.ok).toBe(true)
    const { redis, dynamodb, sqs, s3, functions } = health.parts
    expect(redis.version).toMatch(/^\d+\.\d+/)
    const ping = await fetch(redis.restUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${redis.restToken}` },
      body: '["PING"]',
    })
    expect(await ping.json()).toEqual({ result: 'PONG' })
    expect(dynamodb.tables).toEqual(['sluice'])
    expect(Object.keys(sqs.queues)).toEqual(['orders', 'deadlines'])
    expect((await fetch(`${s3.endpoint}/${s3.bucket}/index.html`)).status).toBe(200)
    expect(Object.keys(functions.invocations).toSorted()).toEqual(allFunctions.toSorted())
  })

  it('passes the canary of a deployed shop, and fails it where a function cannot be reached', async () => {
    const stack = await start()
    const look = () => stack.runSchedule('canary', { url: stack.url })
    expect(await look()).toEqual({ passed: ['page', 'clock', 'webhook'], failed: [] })
    await stack.setFault({ target: 'origin', mode: 'down' })
    expect(await look()).toEqual({ passed: ['page', 'clock'], failed: ['webhook'] })
    await stack.setFault(null)
  })

  it('runs twice on one machine without interference', async () => {
    const [one, two] = await Promise.all([start(), start()])
    const sale = definition()
    await control(one, '/sales', sale)
    await control(two, '/sales', sale)
    const token = await one.token('ann')
    const asked = await fetch(`${two.url}/api/orders`, { headers: { authorization: `Bearer ${token}` } })
    expect(asked.status, 'a token of the other one').toBe(401)
  })

  it('without fault proxies calls the services directly, and refuses their faults', async () => {
    const stack = await start({ faults: false })
    await control(stack, '/sales', definition())
    const fault = stack.setFault({ target: 'dynamodb', mode: 'down' })
    await expect(fault).rejects.toThrow('started without fault proxies')
    await stack.setFault(null)
  })

  it('is gone when it is stopped: no port answers', async () => {
    const stack = await startStack({ databases: 2 })
    const ports = await portsOf(stack)
    expect(ports).toHaveLength(7)
    expect(await answering(ports)).not.toContain(false)
    await Promise.all([stack.stop(), stack.stop()])
    expect(await answering(ports)).not.toContain(true)
  })

  it('stops during a reconcile: no process is left, and nothing is logged', async () => {
    const others = children()
    const dataDir = newFolder('data')
    const lines: string[] = []
    const stack = await startStack({ dataDir, log: (line) => lines.push(line) })
    await control(stack, '/sales', definition())
    await expect.poll(async () => (await stack.parts()).parts.functions.invocations.reconcile).toBe(1)
    const ports = await portsOf(stack)
    expect(children()).toBeGreaterThan(others)
    // A busy machine may have logged that a part answered late.
    const before = await linesIn(stack)
    await stack.stop()
    await expect.poll(children).toBe(others)
    expect(await answering(ports)).not.toContain(true)
    expect(lines).toEqual([])
    expect(await linesIn(stack)).toEqual(before)
  })

  it('finishes demo sales that an earlier start was killed before it had warmed or started', async () => {
    const stack = await start()
    const demo = ['stoneware-mug', 'tea-voucher'] as const
    const [draft, warmed] = await Promise.all(demo.map((saleId) => createSale(stack, { saleId })))
    await control(stack, `/sales/${warmed}/warm`, {})
    const site = { url: stack.url, token: await stack.token('mia', { roles: ['marketer'] }) }
    for (const _ of [1, 2]) await createDemo(site)
    for (const saleId of [draft, warmed]) expect((await pointerOf(stack, String(saleId))).phase).toBe('open')
    expect((await pointerOf(stack, 'spring-tea')).phase, 'that a person starts').toBe('scheduled')
  })

  it('keeps sales, pages and sessions with a data folder, and creates the demo once', async () => {
    const dataDir = newFolder('data')
    const first = await startStack({ dataDir, demo: true })
    const token = await first.token('mia', { roles: ['marketer'] })
    const list = async (stack: Stack) => {
      const response = await fetch(`${stack.url}/api/control/sales`, {
        headers: { authorization: `Bearer ${token}` },
      })
      return ((await response.json()) as { sales: { saleId: string }[] }).sales.map(({ saleId }) => saleId).sort()
    }
    const sales = await list(first)
    expect(sales).toHaveLength(6)
    await first.stop()
    expect(await readdir(dataDir)).toContain('identity.json')

    const second = await start({ dataDir, demo: true })
    expect(await list(second), 'with the token of the first').toEqual(sales)
    const pointer = await fetch(`${second.url}/sales/${sales[0]}/current.json`)
    expect(pointer.status).toBe(200)
    const shop = await (await fetch(`${second.url}/`)).text()
    for (const saleId of sales) expect(shop).toContain(`/sales/${saleId}/`)
  })
})
