/**
 * Publishes the chance of those who wait for a free place (core/sale/chance.ts), every few seconds while some wait, from the
 * samples of the tick. It reads nothing.
 */

import type { SaleId } from '../../core/ids.ts'
import { type Chance, type CrowdSeen, chancePath, chanceTenths } from '../../core/sale/chance.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { SeriesSample } from '../../core/sale/series.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { momentary } from '../lib/shop/site.ts'

/** The present numbers are compared with those of about this time before, s. */
const spanSeconds = 10

/** What a run knows of a window, the newest sample last. */
type Looks = { windowIndex: number; samples: CrowdSeen[]; isPublished: boolean }

/** For one run. */
export function chanceKeeper({ site, clock }: Pick<Shop, 'site' | 'clock'>) {
  const known = new Map<SaleId, Looks>()

  /** Takes the sample of a look. What is left of a variant, and of packets, says nothing of the units that a shopper wants. */
  function take({ saleId, kind, variants, windowIndex }: Sale, sample: SeriesSample): void {
    const { at, taken, left, won, admitted, full } = sample
    if (kind === 'red-packet' || variants !== undefined) return
    if (taken === null || left === null || won === null || admitted === null || full === null) return
    const before = known.get(saleId)
    const looks = before?.windowIndex === windowIndex ? before : { windowIndex, samples: [], isPublished: false }
    if (at <= (looks.samples.at(-1)?.at ?? 0)) return
    const enough = looks.samples.findLastIndex((earlier) => earlier.at <= at - spanSeconds)
    looks.samples.splice(0, Math.max(0, enough))
    looks.samples.push({ at, taken, left, won, admitted, full })
    known.set(saleId, looks)
  }

  /**
   * Publishes it where shoppers wait, and once about the start, so that the first of them who asks finds an answer.
   * @throws when the site is unavailable; a repeat goes on
   */
  async function publish({ saleId, startsAt }: Sale): Promise<void> {
    const looks = known.get(saleId)
    const [first, last] = [looks?.samples[0], looks?.samples.at(-1)]
    if (looks === undefined || first === undefined || last === undefined) return
    const isStarting = !looks.isPublished && clock() < startsAt + 60_000
    if (last.full === first.full && !isStarting) return
    const tenths = last.at - first.at < spanSeconds ? undefined : chanceTenths(first, last)
    const chance: Chance = { at: last.at * 1000, ...(tenths && { tenths }) }
    const body = JSON.stringify(chance)
    await site.put({
      path: chancePath(saleId),
      body,
      contentType: 'application/json',
      cacheControl: momentary,
    })
    looks.isPublished = true
  }

  return { take, publish }
}
