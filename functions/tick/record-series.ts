/**
 * Records the time series of running sales: samples of what the tick reads anyway, and how long each window took to sell out.
 * It reads nothing more from Redis, and writes only changes, every few seconds.
 */
import type { SaleId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { demandFigures, isUnchanged, type SeriesSample, sampleOf } from '../../core/sale/series.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import type { InspectedSale } from '../sales/admissions.ts'
import { saleTotals } from '../table/sale/sale-orders.ts'
import { addSamples, recordSoldOut, timeToSoldOut } from '../table/sale/series.ts'

/** How often samples are written, ms; an interrupted run loses no more than this. */
const writeEveryMs = 5000

/** Sales written concurrently, because the tick waits for them. */
const concurrency = 20

/** The maximum difference between the clocks of two functions, ms. */
const clocksDifferMs = 1000

export type SeriesRecorder = {
  /** Takes a sample of an inspection; neither waits nor throws. */
  record(sale: Sale, seen: InspectedSale): void
  /** Writes the samples that are due, all of them with `isLast`. @throws when the table is unavailable; a repeat continues */
  write(isLast: boolean): Promise<void>
}

/** A window that an inspection found sold out, first at `seenAt` (epoch ms). */
type SoldOut = { sale: Sale; seenAt: number; isNoted: boolean }

/** The state of one sale in a run. `still` is the last of equal samples, `minute` the last of its minute. */
type Course = {
  sale: Sale
  last: SeriesSample
  still: SeriesSample | undefined
  seconds: SeriesSample[]
  minutes: SeriesSample[]
  soldOut: SoldOut | undefined
}

/** Creates the recorder of one run. Concurrent runs write the same counts, or other true counts of the same second. */
export function seriesRecorder(ports: Pick<ShopContext, 'table' | 'clock'>): SeriesRecorder {
  const { table, clock } = ports
  const courses = new Map<SaleId, Course>()
  let writtenAt = clock()

  function record(sale: Sale, { stock, counted, demand }: InspectedSale): void {
    // The run with the newer count keeps the series.
    if (demand === undefined) return
    const known = courses.get(sale.saleId)
    const admitted = demand.gate.get('forwarded') ?? 0
    const sample = sampleOf(clock(), counted, demandFigures(demand), admitted)
    const course = known ?? startCourse(sale, sample)
    if (known !== undefined) addTo(known, sample)
    course.sale = sale
    if (counted?.left === 0 && stock !== undefined && stock.heldBack === 0) {
      const before = course.soldOut?.sale
      // Units that were added since sell out at another time.
      const isNext = before?.windowIndex !== sale.windowIndex || before.stock !== sale.stock
      if (isNext) course.soldOut = { sale, seenAt: clock(), isNoted: false }
    }
    courses.set(sale.saleId, course)
  }

  async function write(isLast: boolean): Promise<void> {
    if (!isLast && clock() < writtenAt + writeEveryMs) return
    writtenAt = clock()
    for (const some of slicesOf([...courses], concurrency)) {
      await Promise.all(some.map(([saleId, course]) => writeCourse(saleId, course, isLast)))
    }
  }

  async function writeCourse(saleId: SaleId, course: Course, isLast: boolean): Promise<void> {
    if (isLast) endMinute(course)
    await writeSamples(saleId, course)
    if (course.soldOut?.isNoted === false) await noteWhenWritten(course.soldOut)
  }

  /** Writes the samples; a failed write leaves them for the next one. */
  async function writeSamples(saleId: SaleId, course: Course): Promise<void> {
    const [seconds, minutes] = [[...course.seconds], [...course.minutes]]
    await addSamples(table, saleId, 'second', seconds)
    course.seconds.splice(0, seconds.length)
    await addSamples(table, saleId, 'minute', minutes)
    course.minutes.splice(0, minutes.length)
  }

  /** Records the sold-out time once the orders of all units are written: only then is the last reservation known. */
  async function noteWhenWritten(soldOut: SoldOut): Promise<void> {
    const { sale, seenAt } = soldOut
    if (clock() < seenAt + writeEveryMs) return
    const totals = await saleTotals(table, sale.saleId)
    if (totals === undefined || totals.remaining !== 0) return
    if (totals.soldOut?.[sale.windowIndex]?.stock !== sale.stock) {
      const afterMs = await timeToSoldOut(table, sale, seenAt + clocksDifferMs)
      if (afterMs !== undefined) await recordSoldOut(table, sale, afterMs)
    }
    soldOut.isNoted = true
  }

  return { record, write }
}

const startCourse = (sale: Sale, sample: SeriesSample): Course => ({
  ...{ sale, last: sample, still: undefined, seconds: [sample], minutes: [], soldOut: undefined },
})

/** Adds a sample. Keeps only the first and the last of equal samples. */
function addTo(course: Course, sample: SeriesSample): void {
  if (sample.at <= course.last.at) return
  if (minuteOf(sample) !== minuteOf(course.last)) endMinute(course)
  if (isUnchanged(course.last, sample)) course.still = sample
  else {
    course.seconds.push(...(course.still === undefined ? [] : [course.still]), sample)
    course.still = undefined
  }
  course.last = sample
}

/** Ends a minute with its last sample, even if nothing changed in it. */
function endMinute(course: Course): void {
  course.minutes.push(course.last)
  if (course.still !== undefined) course.seconds.push(course.still)
  course.still = undefined
}

const minuteOf = ({ at }: SeriesSample) => Math.floor(at / 60)
