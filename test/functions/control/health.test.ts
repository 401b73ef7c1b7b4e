/** The health of the whole system, part by part, while parts are killed. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type HealthPartName, type SystemHealth, troubleName } from '../../../core/api/health.ts'
import { healthGuides, saleGuides } from '../../../core/api/health-guides.ts'
import { renewPassKeys } from '../../../functions/gate/pass-keys.ts'
import { createHeartbeat, type HeartbeatPart } from '../../../functions/table/heartbeat.ts'
import { heartbeatPut } from '../../../functions/table/heartbeats.ts'
import { phone } from '../../world/stock-record.ts'
import { useWorld, type World } from '../../world/world.ts'

const rig = useWorld()

const minute = 60_000
const away = async () => Promise.reject(new Error('no answer'))

async function healthOf(part: HealthPartName) {
  const { status, body } = await rig.ask('GET', '/health', undefined, { 'x-shopper-roles': 'viewer' })
  expect(status).toBe(200)
  return (body as SystemHealth).parts.find((row) => row.part === part)
}

const signer = (part: HeartbeatPart) => createHeartbeat({ ...rig.ports, put: heartbeatPut(rig.table.table) }, part)

describe('the health of the system', () => {
  it.each<[HealthPartName, () => Partial<World['ports']>]>([
    ['stock', () => ({ databaseNamed: async () => ({ exec: away }) })],
    ['gate-store', () => ({ gate: { exec: away } })],
    ['orders-queue', () => ({ orderQueue: { ...rig.ports.orderQueue, depth: away } })],
    ['dead-letters', () => ({ allDeadLetters: away })],
    ['edge-store', () => ({ edgeStore: { ...rig.ports.edgeStore, etag: away } })],
  ])('says of %s that it answers, and once it is killed that it does not', async (part, kill) => {
    expect(await healthOf(part)).toMatchObject({ state: 'ok', finding: 'answers', at: rig.clock.now })
    Object.assign(rig.ports, kill())
    expect(await healthOf(part)).toMatchObject({ state: 'failing', finding: 'unanswered', at: null })
    expect(await healthOf('gate')).toMatchObject({ state: 'ok' })
  })

  it.each(['reconcile', 'tick', 'canary'] as const)('says that %s is late after three minutes', async (part) => {
    expect(await healthOf(part)).toMatchObject({ state: 'unknown', finding: 'never', at: null })
    await signer(part)()
    const at = rig.clock.now
    rig.clock.now += 3 * minute
    expect(await healthOf(part)).toMatchObject({ state: 'ok', finding: 'worked', at })
    rig.clock.now += 1
    expect(await healthOf(part)).toMatchObject({ state: 'late', finding: 'overdue', at })
  })

  it('says that the writer is late while messages wait, and of one with nothing to do nothing', async () => {
    await signer('writer')()
    const at = rig.clock.now
    rig.ports.orderQueue.depth = async () => ({ visible: 3, inFlight: 0, delayed: 0 })
    expect(await healthOf('writer')).toMatchObject({ state: 'ok' })
    rig.clock.now += 2 * minute + 1
    expect(await healthOf('writer')).toMatchObject({ state: 'late', finding: 'waiting', count: 3, at })
    rig.ports.orderQueue.depth = async () => ({ visible: 0, inFlight: 0, delayed: 0 })
    expect(await healthOf('writer')).toMatchObject({ state: 'ok' })
    rig.clock.now += 60 * minute
    expect(await healthOf('writer')).toMatchObject({ state: 'unknown', finding: 'idle', at })
  })

  it('counts dead letters and missing keys, and names what failed', async () => {
    expect(await healthOf('pass-keys')).toMatchObject({ state: 'late', finding: 'missing' })
    await renewPassKeys(rig.ports)
    expect(await healthOf('pass-keys')).toMatchObject({ state: 'ok' })
    rig.ports.allDeadLetters = async () => 4
    expect(await healthOf('dead-letters')).toMatchObject({ state: 'failing', finding: 'dead', count: 4 })
    const sign = signer('canary')
    await sign(['webhook'])
    expect(await healthOf('canary')).toMatchObject({ state: 'failing', names: ['webhook'], count: 1 })
    await sign()
    expect(await healthOf('canary')).toMatchObject({ state: 'ok' })
  })

  it('has the troubles that were reported of sales, for three minutes, and leaves out those of another version', async () => {
    const sign = signer('reconciled-sales')
    await sign([troubleName({ saleId: phone, trouble: 'waiting', count: 4 }), 'phone#unheard-of#1'])
    const paid = signer('paid-sales')
    await paid([troubleName({ saleId: phone, trouble: 'unpaid', count: 60 })])
    const at = rig.clock.now
    const sales = async () => ((await rig.ask('GET', '/health')).body as SystemHealth).sales
    expect(await sales()).toEqual([
      { saleId: phone, trouble: 'waiting', count: 4, at },
      { saleId: phone, trouble: 'unpaid', count: 60, at },
    ])
    await paid()
    expect((await sales()).map(({ trouble }) => trouble)).toEqual(['waiting'])
    rig.clock.now += 3 * minute + 1
    expect(await sales()).toEqual([])
  })

  it('is signed once a minute, and costs a part nothing while the table is away', async () => {
    let puts = 0
    const put = async () => {
      puts += 1
      throw new Error('no answer')
    }
    const sign = createHeartbeat({ ...rig.ports, put }, 'mail')
    for (let i = 0; i < 100; i += 1) await sign()
    rig.clock.now += minute
    await sign()
    expect(puts).toBe(2)
  })

  it('leads to entries of the documentation that exist', () => {
    for (const guide of [...Object.values(healthGuides), ...Object.values(saleGuides)]) {
      const [file = '', section] = guide.split('#')
      const page = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
      const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title.toLowerCase().replaceAll(' ', '-'),
      )
      if (section !== undefined) expect(anchors, guide).toContain(section)
    }
  })
})
