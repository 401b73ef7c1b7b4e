/** A run that was woken publishes what has changed of the sales named, and ticks for those that begin to sell. */

import { describe, expect, it } from 'vitest'
import { entryIn, entryKey } from '../../../core/gate/edge-entry.ts'
import { handleWakeups } from '../../../functions/repair/run.ts'
import { createPointerPublisher } from '../../../functions/sales/publishing/pointer.ts'
import { wakingShopfront } from '../../../functions/sales/publishing/shopfront.ts'
import { salesList } from '../../../functions/table/keys.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { phone } from '../../world/stock-record.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

const entry = () => entryIn(rig.edgeStore.values.get(entryKey(phone)) ?? '')
const wake = (...messages: readonly object[]) =>
  handleWakeups(
    rig.ports,
    messages.map((message) => JSON.stringify(message)),
    rig.clock.now + 70_000,
  )
const replenished = () => {
  const times: number[] = []
  const startedAt = rig.clock.now
  rig.gate.before('replenish', () => times.push(rig.clock.now - startedAt))
  return times
}

describe('a run that was woken', () => {
  it('publishes sold out to the gate and the CloudFront Functions, also where the click could not (G4, L6)', async () => {
    await rig.open({ stock: 2 })
    await rig.sell(2)
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    await wake({ saleId: phone })
    expect(await rig.facts()).toMatchObject({ soldOut: true })
    expect(entry()?.soldOutAt).toBeGreaterThan(0)
  })

  it('publishes units that are back (G7)', async () => {
    await rig.open({ stock: 10, maxPerOrder: 1 })
    const [first, second] = await rig.sell(10)
    await wake({ saleId: phone })
    const named: object[] = []
    // Like functions that may not publish to the CloudFront Functions.
    const pointer = createPointerPublisher(rig.ports)
    const shopfront = wakingShopfront(pointer, async (saleId) => void named.push({ saleId }))
    await rig.cancel(first, { ...rig.ports, shopfront })
    expect(entry()?.soldOutAt).toBeGreaterThan(0)
    expect(named).toEqual([{ saleId: phone }])
    await wake(...named)
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    expect(entry()?.soldOutAt).toBeNull()
    await rig.cancel(second, { ...rig.ports, shopfront })
    expect(named, 'units were left before').toHaveLength(1)
  })

  it('ends at once unless the sale begins to sell, and then stays until the schedule is sure to know of it', async () => {
    await rig.open()
    const startedAt = rig.clock.now
    await wake({ saleId: phone })
    expect(rig.clock.now).toBe(startedAt)
    const times = replenished()
    await wake({ saleId: phone, begins: true })
    expect(rig.clock.now - startedAt).toBe(70_000)
    expect(Math.max(...times)).toBeGreaterThan(60_000)
  })

  it('ticks for a sale that the list of all sales lacks for a moment', async () => {
    await rig.open()
    rig.ports.table = onWireAt(rig.ports.table, `query ${salesList}`, async () => ({ Items: [] }))
    const times = replenished()
    await wake({ saleId: phone, begins: true })
    expect(times.length).toBeGreaterThan(60)
  })

  it('drops what it cannot read, and goes on with the other sales when one fails', async () => {
    await rig.open({ stock: 1 })
    await rig.sell(1)
    await handleWakeups(rig.ports, ['{', '{"saleId":7}', `{"saleId":"gone"}`, `{"saleId":"${phone}"}`], rig.clock.now)
    expect(entry()?.soldOutAt).toBeGreaterThan(0)
  })
})
