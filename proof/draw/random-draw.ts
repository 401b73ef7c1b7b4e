/** Random draws: entrants who leave and come back, groups, variants, extra tries, units that come back. */
import type { Allocation, DrawOffer } from '../../core/draw/allocation.ts'
import { hexOf } from '../../core/draw/bytes.ts'
import { entryRecord, idOf, leftRecord } from '../../core/draw/record.ts'
import { type DrawRules, rulesHash } from '../../core/draw/rules.ts'
import { sha256 } from '../../core/draw/sha256.ts'
import { type DrawEvent, lineHash, returnReasons } from '../../core/draw/signed-line.ts'
import type { Random } from '../simulation/engine/random.ts'
import { type DrawFiles, type DrawPlan, type PublishedDraw, publishDraw, signerOf, someRules } from './publish-draw.ts'

export type RandomDraw = PublishedDraw & { plan: DrawPlan; earlier: Map<string, DrawFiles> }

const text = (value: string) => new TextEncoder().encode(value)

/** The id of the entrant with this number, the same in all draws. */
export const idOfEntrant = (entrant: number) => sha256(text(`entrant ${entrant}`))

export type Shape = {
  entrants: number
  variants?: number
  mostInGroup?: number
  batches?: number
  scoreBytes?: number
  rules?: Partial<DrawRules>
}

/** A draw of so many entrants, its other choices drawn. With `tries` each entrant has those tries. */
function randomPlan(
  random: Random,
  { entrants, ...shape }: Shape,
  changes: Partial<DrawRules> = {},
  triesOf: (entrant: number) => number = () => 1,
): DrawPlan {
  const signer = signerOf('test-1')
  const variantCount = shape.variants ?? random.whole(1, 4)
  const mostInGroup = shape.mostInGroup ?? random.whole(1, 6)
  const variants = Array.from({ length: variantCount }, (_, n) => ({
    ...(variantCount > 1 && { id: `v${n + 1}` }),
    units: random.whole(0, Math.ceil(entrants / 2 / variantCount)),
  }))
  const rules = someRules(signer, { variants, mostInGroup, ...changes })
  const entry = (entrant: number, group: number | undefined) =>
    entryRecord({
      id: idOfEntrant(entrant),
      ...(group !== undefined && { group: sha256(text(`group ${group}`)).subarray(0, 16) }),
      tries: triesOf(entrant),
      choices: someOf(random, variantCount),
    })
  const batches: Uint8Array[][] = Array.from({ length: shape.batches ?? random.whole(1, 5) }, () => [])
  const batch = (from: number) => random.whole(from, batches.length - 1)
  for (let entrant = 0; entrant < entrants; ) {
    const size = Math.min(random.chance(0.7) ? 1 : random.whole(1, mostInGroup), entrants - entrant)
    const group = mostInGroup > 1 && (size > 1 || random.chance(0.1)) ? entrant : undefined
    for (let member = 0; member < size; member += 1, entrant += 1) {
      const at = batch(0)
      batches[at]?.push(entry(entrant, group))
      if (random.chance(0.1)) {
        const later = batch(at)
        batches[later]?.push(leftRecord(idOfEntrant(entrant)))
        if (random.chance(0.5)) batches[batch(later)]?.push(entry(entrant, undefined))
      }
    }
  }
  return {
    ...{ signer, rules, batches },
    ...(shape.scoreBytes !== undefined && { scoreBytes: shape.scoreBytes }),
    after: (allocation, offers) => randomReturns(random, rules, allocation, offers),
  }
}

/** Some of the variants, by their numbers, in random order; at least one. */
function someOf(random: Random, variants: number): number[] {
  const order = Array.from({ length: variants }, (_, n) => ({ n: n + 1, at: random.fraction() }))
  const sorted = order.toSorted((a, b) => a.at - b.at).map(({ n }) => n)
  return sorted.slice(0, random.whole(1, Math.min(variants, 15)))
}

function* randomReturns(
  random: Random,
  { variants, claimWindowSeconds }: DrawRules,
  allocation: Allocation,
  offers: readonly DrawOffer[],
): Generator<{ afterMs: number; events: DrawEvent[] }> {
  for (let step = random.whole(0, 4); step > 0; step -= 1) {
    const holding = offers.filter(({ entry }) => allocation.heldBy(entry) !== undefined)
    const back = new Set(
      holding
        .filter(() => random.chance(0.4))
        .slice(0, 20)
        .map(({ entry }) => entry),
    )
    const events: DrawEvent[] = [...back].map((entry) => ({ entry, reason: random.pick(returnReasons) }))
    if (random.chance(0.3)) {
      events.push({ variant: random.whole(1, variants.length), units: random.whole(1, 5) })
    }
    yield { afterMs: 1000 * claimWindowSeconds, events }
  }
}

/** A random draw; every fourth one is the last of a series, with extra tries, and of the others every fourth one ranks by joining. */
export async function randomDraw(random: Random, shape: Shape, isSeries = random.chance(0.25)): Promise<RandomDraw> {
  const series: EarlierDraws = { files: new Map(), named: [], losses: new Map() }
  for (let draw = isSeries ? random.whole(1, 3) : 0; draw > 0; draw -= 1) await playEarlier(random, shape, series)
  const { files: earlier, named, losses } = series
  const mostTries = isSeries ? random.whole(1, 6) : 1
  const isByJoining = !isSeries && shape.mostInGroup === undefined && random.chance(0.25)
  const plan = randomPlan(
    random,
    isByJoining ? { ...shape, mostInGroup: 1 } : shape,
    { earlier: named, mostTries, ...(isByJoining && { ranks: 'joined' as const }), ...shape.rules },
    (entrant) => Math.min(mostTries, 1 + (losses.get(hexOf(idOfEntrant(entrant))) ?? 0)),
  )
  return { ...(await publishDraw(plan)), plan, earlier }
}

/** `losses` are those of each id since its last win. */
type EarlierDraws = {
  files: Map<string, DrawFiles>
  named: DrawRules['earlier']
  losses: Map<string, number>
}

async function playEarlier(random: Random, { entrants, scoreBytes }: Shape, series: EarlierDraws): Promise<void> {
  const sale = `earlier-${series.named.length}` as DrawRules['sale']
  const shape = { entrants: random.whole(1, Math.min(100, entrants + 10)), ...(scoreBytes && { scoreBytes }) }
  const { files, heads, steps, made, records } = await publishDraw(randomPlan(random, shape, { sale }))
  const until = random.whole(0, steps.length - 1)
  const offered = new Set(made.slice(0, until + 1).flatMap((offers) => offers.map(({ entry }) => entry)))
  for (const entry of records.standing) {
    const id = hexOf(idOf(records.list, entry))
    series.losses.set(id, offered.has(entry) ? 0 : (series.losses.get(id) ?? 0) + 1)
  }
  const rules = hexOf(rulesHash(files.get('draw.json') ?? new Uint8Array()))
  series.named.push({ sale, rules, head: lineHash(heads.at(-1) ?? ''), step: lineHash(steps[until] ?? '') })
  series.files.set(sale, files)
}
