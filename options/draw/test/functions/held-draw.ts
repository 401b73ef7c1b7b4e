/** The draw of a played sale: shoppers enter, a beacon decides, and units that come back are offered to the next ranks. */
import type { ShopperId } from '../../../../core/ids.ts'
import { variantIds } from '../../../../test/functions/settings/choices.ts'
import { unitsLeft } from '../../../../test/functions/settings/differences.ts'
import { nextClient, shop, writeAll } from '../../../../test/functions/settings/play.ts'
import { passTo, type Stage, saleOf } from '../../../../test/functions/settings/stage.ts'
import type { Client } from '../../../../test/world/gate.ts'
import { phone } from '../../../../test/world/stock-record.ts'
import { advanceDraws, delistingMs } from '../../functions/advance-draws.ts'
import { listDelayMs } from '../../functions/draw-of-sale.ts'
import { changeEntry } from '../../functions/entries/handlers.ts'
import { allOffers } from '../../functions/table.ts'
import { beaconOfTest } from './beacon-of-test.ts'
import { drawFilesIn } from './draw-files.ts'

type Held = { clients: ReadonlyMap<ShopperId, Client>; advance: () => Promise<void> }

const held = new WeakMap<Stage, Held>()

/** Enough for all units, and for those that come back. */
const entrants = 40

/** Publishes the rules of a sale that is started, lets shoppers enter, and draws. */
export async function holdDraw(stage: Stage): Promise<void> {
  const clients = Array.from({ length: entrants }, () => nextClient(stage))
  const { own, random, settings, violations } = stage
  const { draw } = await saleOf(stage)
  if (draw === undefined) throw new Error('the sale does not draw')
  const files = drawFilesIn(new Map())
  const ports = { ...own.ports, filesOf: () => files, beacon: beaconOfTest(() => own.clock.now) }
  const advance = () => advanceDraws(ports, own.clock.now + 3000)
  held.set(stage, { clients: new Map(clients.map((client) => [client.shopperId, client])), advance })
  await advance()
  await passTo(stage, draw.opensAt)
  for (const { shopperId } of clients) {
    const variant = random.pick(variantIds)
    const { kind } = await changeEntry(ports, phone, shopperId, settings.variants === 'two' ? { variant } : {})
    if (kind !== 'done') violations.push(`the entry of ${shopperId} is ${kind}`)
  }
  for (const at of [draw.closesAt + listDelayMs, draw.closesAt + 1000 * draw.commitSeconds]) {
    await passTo(stage, at)
    await advance()
  }
}

/** Returns entrants with an offer who have not bought, after returned units were offered again. */
async function openOffers(stage: Stage): Promise<{ client: Client; variant: string | undefined }[]> {
  const { clients, advance } = held.get(stage) ?? { clients: new Map<ShopperId, Client>(), advance: () => undefined }
  await advance()
  await passTo(stage, stage.own.clock.now + delistingMs)
  await advance()
  return (await allOffers(stage.own.ports.table, phone)).flatMap(({ shopperId, variant, boughtAt, endingAt }) => {
    const client = clients.get(shopperId)
    return client === undefined || boughtAt !== undefined || endingAt !== undefined ? [] : [{ client, variant }]
  })
}

/** Entrants who are offered a unit buy it; what came back before is offered to the next ranks meanwhile. */
export async function sellToWinners(stage: Stage): Promise<void> {
  while (((await unitsLeft(stage.own)) ?? 0) > 0) {
    const offers = await openOffers(stage)
    if (offers.length === 0) return void stage.violations.push('units are left, and no entrant has an offer')
    for (const { client, variant } of offers) {
      const wanted = variant === undefined ? { quantity: 1 } : { quantity: 1, variant }
      await shop(stage, { ...client, isMember: true }, wanted)
      if (stage.random.chance(0.4)) await writeAll(stage)
    }
    await writeAll(stage)
  }
}
