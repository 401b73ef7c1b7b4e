/** The list of sales at the gate and the filter made of it (B4): it may know too much, and never too little. */
import { beforeEach, describe, expect, it } from 'vitest'
import { reconcile } from '../../../../functions/repair/reconcile.ts'
import { publishCatalogue } from '../../../../functions/sales/publishing/catalogue.ts'
import { saleIdOf } from '../../../redis/support.ts'
import { type ControlRig, controlRig, phone } from '../../control/rig.ts'

let rig: ControlRig
beforeEach(() => {
  rig = controlRig()
})

const lamp = saleIdOf('lamp')
const warm = async (saleId: string) => {
  await rig.create({ saleId })
  return rig.ask('POST', `/sales/${saleId}/warm`)
}
const run = () =>
  reconcile(rig.ports, { minAgeMs: 0, holdAgeMs: 900_000, full: false }, rig.clock.now + 25_000)

describe('a sale', () => {
  it('is known to the filter from its creation on, before any page shows it (B3, B4)', async () => {
    expect(rig.catalogue.mayHold(phone)).toBeUndefined()
    const { publisher } = rig.ports
    const known: unknown[] = []
    rig.ports.publisher = {
      ...publisher,
      async countdown(sale) {
        known.push(rig.catalogue.mayHold(phone))
        await publisher.countdown(sale)
      },
    }
    await rig.create()
    expect(known).toEqual([true])
    expect(rig.catalogue.mayHold('another-sale')).toBe(false)
  })

  it('is shut at the gate though the catalogue cannot be published (I6)', async () => {
    await rig.open()
    rig.catalogue.goDown()
    await expect(rig.act('close')).rejects.toThrow(/unavailable/)
    expect(rig.gate.facts.get(phone)).toMatchObject({ flag: 'closed' })
  })

  it('makes one filter however often it changes', async () => {
    await rig.open()
    await rig.act('pause')
    await rig.act('resume')
    expect(rig.catalogue.published).toBe(1)
  })

  it('is answered "not started" by the gate before it is warmed, and not at all once it is deleted', async () => {
    await rig.create()
    expect(rig.gate.facts.get(phone)).toMatchObject({ flag: 'off', epoch: 0, startToken: null })
    await rig.ask('DELETE', '/sales/phone')
    expect(rig.gate.facts.get(phone)).toMatchObject({ flag: 'closed' })
    expect(rig.catalogue.mayHold(phone)).toBe(false)
  })

  it('that is deleted is forgotten (B4)', async () => {
    await warm('lamp')
    await warm('phone')
    await rig.ask('DELETE', '/sales/lamp')
    expect([...rig.catalogue.saleIds]).toEqual([phone])
    expect(rig.catalogue.mayHold(phone)).toBe(true)
    expect(rig.catalogue.mayHold(lamp)).toBe(false)
  })

  it('whose creation was cut off by a unavailable store is known with the next try (I5)', async () => {
    const definition = rig.definition()
    rig.catalogue.goDown()
    await expect(rig.create(definition)).rejects.toThrow(/unavailable/)
    rig.catalogue.comeUp()
    await rig.create(definition)
    expect(rig.catalogue.mayHold(phone)).toBe(true)
  })
})

describe('a catalogue that was lost', () => {
  it('is put back whole before a filter of it is published, whoever comes first (B4, I6)', async () => {
    await warm('lamp')
    await warm('phone')
    rig.catalogue.lose()
    const held: (boolean | undefined)[] = []
    const { publish } = rig.catalogue
    rig.ports.catalogue = {
      ...rig.catalogue,
      async publish(...filter) {
        const published = await publish(...filter)
        held.push(rig.catalogue.mayHold(lamp))
        return published
      },
    }
    await rig.act('start')
    expect(held).toEqual([true])
    expect([...rig.catalogue.saleIds].sort()).toEqual([lamp, phone])
  })

  it('comes back with the next run, once for all sales', async () => {
    for (const saleId of ['lamp', 'phone', 'chair']) await warm(saleId)
    await rig.create({ saleId: 'draft-one' })
    rig.catalogue.lose()
    rig.gate.facts.clear()
    const before = rig.catalogue.published
    await run()
    expect(rig.catalogue.saleIds.size).toBe(4)
    expect(rig.gate.facts.get(saleIdOf('draft-one'))).toMatchObject({ flag: 'off' })
    expect(rig.catalogue.published).toBe(before + 1)
    await run()
    expect(rig.catalogue.published).toBe(before + 1)
  })

  it('does not keep the sales waiting while its store is unavailable, and is told (I6)', async () => {
    await rig.open()
    await rig.reserve(1)
    rig.catalogue.goDown()
    expect(await run()).toMatchObject({ resent: 1 })
    expect(rig.telemetry.counted('ReconcileFailed')).toBe(1)
  })
})

describe('a filter', () => {
  it('is made again of a list that moved while it was made', async () => {
    await warm('phone')
    const { publish } = rig.catalogue
    let moves = 2
    rig.catalogue.saleIds.delete(phone)
    rig.ports.catalogue = {
      ...rig.catalogue,
      async publish(...filter) {
        moves -= 1
        if (moves >= 0) await rig.catalogue.list(saleIdOf(`other-${moves}`), true, rig.clock.now)
        return publish(...filter)
      },
    }
    await publishCatalogue(rig.ports)
    for (const saleId of ['other-0', 'other-1', 'phone']) expect(rig.catalogue.mayHold(saleId)).toBe(true)
  })

  it('of a list that never stands still is given up, with an error', async () => {
    await warm('phone')
    rig.ports.catalogue = { ...rig.catalogue, publish: async () => 'moved' }
    await rig.catalogue.list(lamp, true, rig.clock.now)
    await expect(publishCatalogue(rig.ports)).rejects.toThrow(/moves too fast/)
  })
})
