/**
 * A model of all actors that may change one order at once, small enough to be explored completely. Each of them reads
 * the order, decides by `advance`, and writes in a second step that counts only while the order is unchanged; otherwise
 * it reads again. `exploreSchedules` goes through every order in which these steps can happen.
 *
 * Two schedules that lead to the same state continue in the same ways, so each state is visited once and the schedules
 * through it are counted instead of run one by one.
 */
import { holdsUnits, isPaid, isShipped, type Order } from '../../../core/orders/order.ts'
import {
  advance,
  type LifeEvent,
  type LifeStep,
  type PaymentMoney,
  transitions,
} from '../../../core/orders/order-life.ts'

/** `eventId` is set when a message of the payment provider causes the step. */
export type ModelActor = { name: string; event: LifeEvent; eventId?: string }

/** `times` are the values of the clock, one after another and at any moment, epoch ms. */
export type Scenario = { order: Order; actors: readonly ModelActor[]; times: readonly number[] }

/** `schedules` counts the complete ones; `endings` counts those that lead to each status. */
export type Exploration = { schedules: number; situations: number; endings: ReadonlyMap<string, number> }

type Moved = Extract<LifeStep, { kind: 'moved' }>

/** The state of an actor. `from` and `step` are what was read and decided; `until` is when a timer fires again. */
type Place = { at: 'start' | 'done' } | { at: 'asleep'; until: number } | { at: 'read'; from: Order; step: Moved }

type World = {
  now: number
  order: Order
  /** How often the order's units were returned. */
  released: number
  refunds: ReadonlyMap<string, PaymentMoney>
  events: ReadonlySet<string>
  places: ReadonlyMap<string, Place>
}

type Move = { name: string; next: World }
/** How a state was reached, the last step first. */
type Way = { name: string; before: Way | undefined }
type Endings = ReadonlyMap<string, number>

/**
 * Goes through all schedules of `scene`.
 * @throws at the first violation, with the schedule that led there
 */
export function exploreSchedules(scene: Scenario): Exploration {
  const seen = new Map<string, Endings>()
  const keyOf = keys()

  const visit = (world: World, way: Way | undefined): Endings => {
    const key = keyOf(world)
    const known = seen.get(key)
    if (known !== undefined) return known
    complain(always(scene, world), way)
    const endings = new Map<string, number>()
    const moves = movesOf(scene, world)
    if (moves.length === 0) {
      complain(atEnd(world), way)
      endings.set(world.order.status, 1)
    }
    for (const { name, next } of moves) {
      const nextWay = { name, before: way }
      complain(betweenTwo(world.order, next.order), nextWay)
      for (const [status, count] of visit(next, nextWay)) {
        endings.set(status, (endings.get(status) ?? 0) + count)
      }
    }
    seen.set(key, endings)
    return endings
  }

  const endings = visit(firstOf(scene), undefined)
  const schedules = [...endings.values()].reduce((sum, count) => sum + count, 0)
  return { schedules, situations: seen.size, endings }
}

function complain(wrong: string | undefined, way: Way | undefined): void {
  if (wrong === undefined) return
  const names: string[] = []
  for (let step = way; step !== undefined; step = step.before) names.unshift(step.name)
  throw new Error(`${wrong}, after: ${names.join(' → ')}`)
}

function firstOf({ order, actors }: Scenario): World {
  return {
    now: order.writtenAt,
    order,
    released: holdsUnits(order.status) ? 0 : 1,
    refunds: new Map(),
    events: new Set(),
    places: new Map(actors.map(({ name }) => [name, { at: 'start' }])),
  }
}

/**
 * Everything that may happen next. A due refund arrives at some time, once for each payment: all
 * that the provider did not refund by itself, and no more than was paid.
 */
function movesOf(scene: Scenario, world: World): Move[] {
  const moves: Move[] = []
  const nextTime = scene.times.find((time) => time > world.now)
  if (nextTime !== undefined) moves.push({ name: 'time passes', next: { ...world, now: nextTime } })
  const refunded = [...world.refunds.values()].flatMap(({ paymentId, amount: owed, currency }): ModelActor[] => {
    const name = `refund of ${paymentId}`
    const paid = sumOf(scene, 'payment-succeeded', paymentId)
    const amount = Math.min(owed, paid - sumOf(scene, 'refund-succeeded', paymentId))
    if (amount === 0) return []
    return [{ name, event: { kind: 'refund-succeeded', paymentId, amount, currency }, eventId: name }]
  })
  for (const actor of [...scene.actors, ...refunded]) {
    const next = moveOf(actor, world)
    if (next !== undefined) moves.push(next)
  }
  return moves
}

/** The payments and refunds in the scene's events, each event once. */
function sumOf({ actors }: Scenario, kind: 'payment-succeeded' | 'refund-succeeded', paymentId: string): number {
  const amounts = new Map<string, number>()
  for (const { name, event, eventId = name } of actors) {
    if (event.kind !== kind || event.paymentId !== paymentId) continue
    // A payment arrives once, under any event id.
    amounts.set(kind === 'payment-succeeded' ? paymentId : eventId, event.amount)
  }
  return [...amounts.values()].reduce((sum, amount) => sum + amount, 0)
}

function moveOf(actor: ModelActor, world: World): Move | undefined {
  const place: Place = world.places.get(actor.name) ?? { at: 'start' }
  const goTo = (next: Place, changes: Partial<World> = {}): World => ({
    ...world,
    ...changes,
    places: new Map(world.places).set(actor.name, next),
  })
  if (place.at === 'done' || (place.at === 'asleep' && world.now < place.until)) return undefined
  const { name, event, eventId } = actor
  const isCounted = eventId !== undefined && world.events.has(eventId)
  const events = eventId === undefined ? world.events : new Set(world.events).add(eventId)
  if (place.at !== 'read') {
    const step = advance(world.order, event, world.now)
    if (step.kind === 'moved') return { name: `${name} reads`, next: goTo({ at: 'read', from: world.order, step }) }
    if (step.kind === 'not-yet') return { name: `${name} waits`, next: goTo({ at: 'asleep', until: step.at }) }
    return { name: `${name} finds nothing to do`, next: goTo({ at: 'done' }, { events }) }
  }
  if (isCounted) return { name: `${name} comes again`, next: goTo({ at: 'done' }) }
  const { from, step } = place
  if (isStale(from, world.order)) return { name: `${name} is too late`, next: goTo({ at: 'start' }) }
  return { name: `${name} writes`, next: goTo({ at: 'done' }, { ...written(world, from, step), events }) }
}

/** A stale read is detected, because a history only grows. */
const isStale = (from: Order, now: Order): boolean => from.history.length !== now.history.length

function written({ released, refunds }: World, from: Order, { order, refund }: Moved): Partial<World> {
  const isReleased = holdsUnits(from.status) && !holdsUnits(order.status)
  return {
    order,
    released: released + (isReleased ? 1 : 0),
    refunds: refund === undefined ? refunds : new Map(refunds).set(refund.paymentId, refund),
  }
}

/** Violations of a state: of its units, and of its money. */
function always({ actors }: Scenario, { order, released, refunds, places }: World): string | undefined {
  const { status, payment } = order
  const holds = holdsUnits(status)
  if (released !== (holds ? 0 : 1)) return `a ${status} order gave its units back ${released} times`
  const arrived = new Map<string, number>()
  for (const { name, event } of actors) {
    if (event.kind === 'payment-succeeded' && places.get(name)?.at === 'done') {
      arrived.set(event.paymentId, event.amount)
    }
  }
  if (isPaid(order) && payment?.state !== 'succeeded') return 'the order is paid by no payment'
  if (isShipped(order) !== (order.shipment !== undefined)) return `a ${status} order was sent by no carrier`
  const listed = new Map((order.refunds ?? []).map((refund) => [refund.paymentId, refund]))
  const paidBy = isPaid(order) ? payment?.paymentId : undefined
  // A shipped order stays as it is when its money goes back.
  const isOwed = isShipped(order) && paidBy !== undefined && (listed.get(paidBy)?.amount ?? 0) > 0
  const kept = isOwed ? undefined : paidBy
  if (listed.size !== (order.refunds ?? []).length) return 'the order lists a payment twice'
  if (kept !== undefined && (listed.get(kept)?.amount ?? 0) > 0) return `${kept} is kept and refunded`
  for (const [paymentId, came] of arrived) {
    const { amount = 0, returned = 0 } = listed.get(paymentId) ?? {}
    if (paymentId !== kept && amount !== came) return `of ${paymentId} ${came} came, ${amount} is owed`
    if (returned > came) return `of ${paymentId} ${came} came, ${returned} went back`
  }
  for (const { paymentId, amount, returned } of listed.values()) {
    if (amount > 0 && !arrived.has(paymentId)) return `${paymentId} is owed and never came`
    if (amount > returned && !refunds.has(paymentId)) return `${paymentId} is not kept or refunded`
  }
  if (![...refunds.keys()].every((id) => listed.has(id))) return 'the order hides a refund'
  return undefined
}

/** Violations between one state of the order and the next. */
function betweenTwo(before: Order, after: Order): string | undefined {
  if (before === after) return undefined
  // A refund before the report of its payment ends the order in the step that books the payment, and a payment that
  // fails when the time is over cancels it.
  const news = after.history.slice(before.history.length).map(({ what }) => what)
  const pairs = ['payment-succeeded,refund-succeeded', 'payment-failed,payment-window-over']
  const isLonger = news.length === 1 || pairs.includes(news.join())
  if (!isLonger || !before.history.every((entry, index) => entry === after.history[index])) {
    return 'the history was rewritten'
  }
  if (after.history.at(-1)?.status !== after.status) return 'the history names another status'
  const steps = [before.status, ...after.history.slice(before.history.length).map(({ status }) => status)]
  const isKnown = steps.every((status, index) => {
    const next = steps[index + 1]
    return next === undefined || next === status || Object.values(transitions).some((to) => to[status] === next)
  })
  const change = `${before.status} → ${after.status}`
  if (before.status !== after.status && !isKnown) return `${change} is not in the table`
  if (isShipped(before) && !isShipped(after)) return `${change} sells units that left the warehouse`
  if (!holdsUnits(before.status) && holdsUnits(after.status)) return `${change} takes units that were never returned`
  return undefined
}

/** Violations at the end of a schedule: with the time over, the timer fired and all refunds done. */
function atEnd({ order: { status, refunds = [] }, places }: World): string | undefined {
  const open = refunds.find(({ amount, returned }) => amount > returned)
  if (open !== undefined) return `${open.paymentId} never went back`
  const isOpen = status === 'awaiting-payment' || status === 'refund-due'
  if (isOpen) return `the order stays ${status}`
  return [...places.values()].every(({ at }) => at === 'done') ? undefined : 'an actor waits for ever'
}

/**
 * A short name for each state; equal orders have one number, from any actor. All stale reads of an actor are one state:
 * it reads again, whatever it read.
 */
function keys(): (world: World) => string {
  const numbers = new Map<string, number>()
  const known = new WeakMap<Order, number>()
  const numberOf = (order: Order) => {
    const before = known.get(order)
    if (before !== undefined) return before
    const text = JSON.stringify(order)
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    known.set(order, number)
    return number
  }
  const placeKey = (place: Place) => {
    if (place.at === 'read') return `${numberOf(place.from)}>${numberOf(place.step.order)}`
    return place.at === 'asleep' ? `zzz${place.until}` : place.at
  }
  // Short words: they are sorted, joined and looked up for each of some million states.
  const words = new Map<string, string>()
  const wordOf = (text: string) => {
    const word = words.get(text) ?? words.size.toString(36)
    words.set(text, word)
    return word
  }
  const placeWords = new WeakMap<Place, string>()
  const placeWord = (name: string, place: Place) => {
    const word = placeWords.get(place) ?? wordOf(`${name}:${placeKey(place)}`)
    placeWords.set(place, word)
    return word
  }
  return ({ now, order, events, places }) => {
    const where: string[] = []
    for (const [name, place] of places) {
      const isLate = place.at === 'read' && isStale(place.from, order)
      where.push(isLate ? wordOf(`${name}:late`) : placeWord(name, place))
    }
    for (const event of events) where.push(wordOf(`event ${event}`))
    where.sort()
    return `${now} ${numberOf(order)} ${where.join(' ')}`
  }
}
