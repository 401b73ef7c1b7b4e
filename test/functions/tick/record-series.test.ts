/** The time series that the tick records, and how long the sale took to sell out. */
import { describe, expect, it } from 'vitest'
import { controlApi, type SaleSeries } from '../../../core/api/control-answers.ts'
import { readAnswer } from '../../../core/api/operation.ts'
import { type SeriesSample, samplesIn } from '../../../core/sale/series.ts'
import { seriesRecorder } from '../../../functions/tick/record-series.ts'
import { tick } from '../../../functions/tick/tick.ts'
import { onWire } from '../../../proof/simulation/dynamodb/wire.ts'
import { countDemand } from '../../../redis/gate/demand.ts'
import { phone } from '../../world/stock-record.ts'
import { unavailable } from '../../world/wire.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

/** One run of the schedule. */
const tickFor = (ms: number) => tick(rig.ports, rig.clock.now + ms, { series: seriesRecorder(rig.ports) })

async function series(query = ''): Promise<SaleSeries> {
  const read = readAnswer(controlApi.getSeries, (await rig.ask('GET', `/sales/phone/series${query}`)).body)
  if (!read.ok) throw new Error(`the series lacks ${read.field}`)
  return read.value
}

/** Seconds since `from`, with the units taken and left, and the clicks. */
const shown = (samples: readonly SeriesSample[], from: number) =>
  samples.map(({ at, taken, left, asked }) => [at - Math.floor(from / 1000), taken, left, asked])

const count = (outcome: string, times: number) => countDemand(rig.redis, phone, 'gate', new Map([[outcome, times]]))

describe('the course of a running sale', () => {
  it('has each second in which something moved, by the second for an hour and by the minute for good', async () => {
    await rig.open({ stock: 10, endsAt: rig.clock.now + 90_000_000 })
    const from = rig.clock.now
    await tickFor(3000)
    await rig.sell(2)
    await count('sold-out', 7)
    await tickFor(3000)
    const { seconds, minutes, next } = await series()
    expect(shown(samplesIn(seconds), from)).toEqual([
      [0, 0, 10, 0],
      [2, 0, 10, 0],
      [3, 2, 8, 7],
      [5, 2, 8, 7],
    ])
    expect(shown(samplesIn(minutes), from)).toEqual([[5, 2, 8, 7]])
    expect(next).toBeNull()
    rig.clock.now += 3_601_000
    expect((await series()).seconds.at).toEqual([])
    expect((await series()).minutes.taken).toEqual([2])
  })

  it('is the same when two runs keep it (I5), and leaves a gap where none did', async () => {
    await rig.open({ stock: 10 })
    const from = rig.clock.now
    await tickFor(2000)
    rig.clock.now = from
    await tickFor(2000)
    rig.clock.now += 20_000
    await rig.sell(3)
    await tickFor(2000)
    expect(shown(samplesIn((await series()).seconds), from)).toEqual([
      [0, 0, 10, 0],
      [1, 0, 10, 0],
      [22, 3, 7, 0],
      [23, 3, 7, 0],
    ])
  })

  it('comes late after the table was unavailable, complete, and with one log entry', async () => {
    await rig.open({ stock: 10 })
    const from = rig.clock.now
    const table = onWire(rig.ports.table, (_, send) => (rig.clock.now < from + 8000 ? unavailable() : send()))
    await tick(rig.ports, rig.clock.now + 14_000, { series: seriesRecorder({ ...rig.ports, table }) })
    expect(shown(samplesIn((await series()).seconds), from)).toEqual([
      [0, 0, 10, 0],
      [13, 0, 10, 0],
    ])
    expect(rig.telemetry.lines.filter(({ facts }) => facts.part === 'recordSeries')).toHaveLength(1)
  })

  it('says nothing of a stock that is lost (P10)', async () => {
    await rig.open({ stock: 10 })
    await rig.loseStock()
    await tickFor(1000)
    expect((await series()).seconds).toMatchObject({ taken: [null], left: [null], asked: [0] })
  })

  it('is answered by days, the last one first', async () => {
    await rig.open({ stock: 10, endsAt: rig.clock.now + 30 * 86_400_000 })
    for (let hour = 0; hour < 26; hour += 1) {
      await tickFor(1000)
      rig.clock.now += 3_600_000
    }
    const last = await series()
    expect(last.minutes.at).toHaveLength(24)
    const before = await series(`?before=${last.next}`)
    expect(before.minutes.at).toHaveLength(2)
    expect([before.seconds.at, before.next]).toEqual([[], null])
    expect((await rig.ask('GET', '/sales/phone/series?before=soon')).body).toMatchObject({
      ...{ code: 'invalid-request', field: 'before' },
    })
    expect((await rig.ask('GET', '/sales/other/series')).body.code).toBe('unknown-sale')
  })
})

describe('the time to sold out', () => {
  it('is that of the last reservation, once all orders are written, and each run sees the same', async () => {
    await rig.open({ stock: 2 })
    rig.clock.now += 7851
    await rig.buy(1)
    await rig.buy(2)
    rig.clock.now += 400
    await tickFor(7000)
    expect((await rig.live()).soldOut).toEqual([null])
    await rig.deliver()
    await tickFor(7000)
    expect((await rig.live()).soldOut).toEqual([7800])
  })

  it('is another one after units were added, and stays when units come back', async () => {
    await rig.open({ stock: 1 })
    rig.clock.now += 1000
    await rig.sell(1)
    await tickFor(7000)
    expect((await rig.live()).soldOut).toEqual([1000])
    await rig.ask('POST', '/sales/phone/stock', { delta: 1 })
    const at = rig.clock.now
    await rig.buy(2)
    await rig.deliver()
    await tickFor(7000)
    expect((await rig.live()).soldOut).toEqual([at - (await rig.live()).sale.startsAt])
  })
})
