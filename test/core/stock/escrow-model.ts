/**
 * A model of one sale whose stock is split: shoppers, the functions that act for them, the writer and the repair, as
 * programs that stop after every call. Any of them may go on next, crash before or after any call, lose a reply, or
 * have a call delivered again later; shards become unreachable or lose their data. All is drawn from one seed.
 *
 * After every step the units of each variant are counted. "Sold out" is checked exactly: the numbers that a shopper
 * reads must have been those of the free units at a moment between the question and the answer.
 */
import { allUnits, type VariantUnits } from '../../../core/sale/variants.ts'
import { areAllZero, filterParts, mapParts, type PartUnits, plusParts } from '../../../core/stock/divided-units.ts'
import {
  type Escrow,
  finishRecovery,
  finishTransfer,
  isRecall,
  openEscrow,
  reissue,
  type ShardEscrow,
  startRecovery,
  type Transfer,
} from '../../../core/stock/escrow.ts'
import {
  confirmedLeft,
  type DemandingShard,
  type EscrowSnapshot,
  planTransfer,
  runningLow,
  type ShardReading,
  type ShardStock,
} from '../../../core/stock/transfer-plan.ts'
import { openRandom, type Random } from '../../../proof/simulation/engine/random.ts'
import { type Scenario, variantsOf } from './escrow-scenario.ts'
import { type AppliedTransfer, applyTransfer, emptyShard, freezeShard, openShard } from './shard-model.ts'

/**
 * `grants` are those from the pool and `recalls` those to the pool or another shard, once each;
 * `shortAnswers` is how many shoppers read that too few units are left.
 */
export type Ending = { steps: number; grants: number; recalls: number; sold: number; shortAnswers: number }

type Order = {
  id: number
  shard: number
  units: VariantUnits
  state: 'new' | 'booked' | 'sent' | 'written' | 'cancelled'
}
type Shopper = { order: Order; mayLeave: boolean }
type Program = Generator<void, void, void>
type Actor = { program: Program; restart?: () => Program | undefined }

const maxSteps = 100_000

class Sale {
  readonly #scenario: Scenario
  readonly #random: Random
  #escrow: Escrow
  readonly #stocks: (ShardStock | undefined)[]
  /** Units by order, as the shards know them; none for a released one. */
  readonly #holds: Map<Order, VariantUnits>[]
  /** Units that a recovered shard does not sell yet, for orders that may still arrive. */
  readonly #heldBack: VariantUnits[]
  readonly #outbox: Set<Order>[]
  readonly #downUntil: number[]
  readonly #queue: Order[] = []
  readonly #table = new Set<Order>()
  readonly #releases = new Set<Order>()
  readonly #late: { shard: number; transfer: Transfer }[] = []
  readonly #lateFreezes: { shard: number; generation: number }[] = []
  #written: VariantUnits = {}
  #standing: VariantUnits = {}
  #orders = 0
  #step = 0
  #isCalm: boolean
  #losses = 0
  /** The number of free units after each step. */
  readonly #free: VariantUnits[] = []
  #grants = 0
  #recalls = 0
  #shortAnswers = 0
  #grantBound: number

  constructor(scenario: Scenario) {
    const { shardCount, dealt, seed, faults } = scenario
    this.#scenario = scenario
    this.#random = openRandom(seed)
    this.#isCalm = faults === 0
    const stock = stockOf(scenario)
    const each = mapParts(stock, (units) => Math.floor((units * dealt) / shardCount))
    const { shards, ...escrow } = openEscrow(plusParts(stock, each, -shardCount), shardCount)
    this.#escrow = { ...escrow, shards: shards.map((shardEscrow) => ({ ...shardEscrow, granted: each })) }
    this.#stocks = shards.map(() => ({ ...emptyShard, total: each, left: each }))
    this.#holds = Array.from({ length: shardCount }, () => new Map())
    this.#outbox = Array.from({ length: shardCount }, () => new Set())
    this.#heldBack = Array.from({ length: shardCount }, () => ({}))
    this.#downUntil = Array.from({ length: shardCount }, () => 0)
    this.#grantBound = maxGrantsOf(this.#escrow.pool, shardCount)
    this.#check()
  }

  play(): Ending {
    this.#sell(this.#shoppers())
    const { crashAt, shardCount, maxPerOrder, demand, faults, atOnce } = this.#scenario
    const stock = stockOf(this.#scenario)
    this.#settleDown()
    // With demand left, every unit is sold wherever it is, and only then is the sale sold out.
    if (demand >= 1) {
      const free = this.#free[this.#step] ?? {}
      const several = Array.from({ length: Math.ceil(allUnits(free) / 3) }, () => this.#wanted())
      const single = Object.entries(free).flatMap(([id, units]) =>
        Array.from({ length: units + 1 }, () => ({ [id]: 1 })),
      )
      this.#sell([...several, ...single].map((units) => this.#shopper(units, false)))
      this.#settleDown()
      const stranded = plusParts(stock, this.#standing, -1)
      if (!areAllZero(stranded)) this.#fail(`${JSON.stringify(stranded)} units are stranded`)
    }
    const [grants, recalls] = [this.#grants, this.#recalls]
    if (grants > this.#grantBound) this.#fail(`${grants} grants, more than ${this.#grantBound}`)
    const isSequential = faults === 0 && atOnce === 1 && crashAt === undefined
    const recallBound = allUnits(mapParts(stock, (units) => maxRecalls(units, shardCount, maxPerOrder)))
    if (isSequential && recalls > recallBound) this.#fail(`${recalls} recalls, more than ${recallBound}`)
    const sold = allUnits(this.#standing)
    return { steps: this.#step, grants, recalls, sold, shortAnswers: this.#shortAnswers }
  }

  #shoppers(): Shopper[] {
    const { stock, demand } = this.#scenario
    const shoppers: Shopper[] = []
    for (let wanted = 0; wanted < stock * demand; ) {
      const units = this.#wanted()
      wanted += allUnits(units)
      shoppers.push(this.#shopper(units, true))
    }
    return shoppers
  }

  #wanted(): VariantUnits {
    const id = this.#random.pick(variantsOf(this.#scenario.variants))
    return { [id]: this.#random.whole(1, this.#scenario.maxPerOrder) }
  }

  #shopper(units: VariantUnits, mayLeave: boolean): Shopper {
    const { skew, shardCount } = this.#scenario
    const shard = this.#random.whole(1, 100) <= skew ? 0 : this.#random.whole(0, shardCount - 1)
    this.#orders += 1
    return { order: { id: this.#orders, shard, units, state: 'new' }, mayLeave }
  }

  /** Lets the shoppers buy, a few at a time, until each has an answer. */
  #sell(shoppers: Shopper[]): void {
    const { atOnce } = this.#scenario
    const buying: Actor[] = []
    const services = this.#services()
    let next = 0
    while (next < shoppers.length || buying.length > 0) {
      while (buying.length < atOnce && next < shoppers.length) {
        const shopper = shoppers[next] as Shopper
        next += 1
        buying.push({ program: this.#buy(shopper), restart: () => this.#returning(shopper) })
      }
      this.#disturb()
      if (this.#random.chance(0.3)) this.#advance(services)
      else this.#advance(buying)
    }
  }

  /** Lets the repair finish everything that is under way, without new faults. */
  #settleDown(): void {
    this.#isCalm = true
    this.#downUntil.fill(0)
    this.#deliverLate(true)
    const services = this.#services()
    while (!this.#isQuiet()) this.#advance(services)
  }

  #isQuiet(): boolean {
    return (
      this.#queue.length === 0 &&
      this.#releases.size === 0 &&
      this.#heldBack.every(areAllZero) &&
      this.#outbox.every((some) => some.size === 0) &&
      this.#escrow.shards.every(({ transfer, recovery }) => transfer === undefined && recovery === undefined) &&
      this.#stocks.every((stock) => stock !== undefined && !stock.isFrozen)
    )
  }

  #services(): Actor[] {
    const programs = [() => this.#repair(), () => this.#repair(), () => this.#write(), () => this.#write()]
    return programs.map((start) => ({ program: start(), restart: start }))
  }

  /** One step of one program, or its crash. */
  #advance(actors: Actor[]): void {
    const at = this.#random.whole(0, actors.length - 1)
    const actor = actors[at] as Actor
    const { faults, crashAt } = this.#scenario
    const crashes =
      crashAt === this.#step || (crashAt === undefined && !this.#isCalm && this.#random.chance(0.01 * faults))
    if (crashes) {
      const program = actor.restart?.()
      if (program === undefined) actors.splice(at, 1)
      else actor.program = program
    } else if (actor.program.next().done === true) {
      actors.splice(at, 1)
    }
    this.#tick()
  }

  #tick(): void {
    this.#step += 1
    if (this.#step > maxSteps) this.#fail('the sale does not end')
    this.#check()
  }

  /** A shopper whose request crashed asks again with the same order, or leaves. */
  #returning(shopper: Shopper): Program | undefined {
    return shopper.mayLeave && this.#random.chance(0.2) ? undefined : this.#buy(shopper)
  }

  // Faults

  #disturb(): void {
    const { faults, shardCount, crashAt, loseAt, cancels } = this.#scenario
    if (loseAt === this.#step) this.#lose(0)
    if (this.#isCalm || crashAt !== undefined) return
    if (this.#random.chance(0.01)) this.#deliverLate(false)
    if (this.#random.chance(0.002 * faults)) {
      this.#downUntil[this.#random.whole(0, shardCount - 1)] = this.#step + this.#random.spread(5, 300)
    }
    if (this.#losses < 3 && this.#random.chance(0.001 * faults)) this.#lose(this.#random.whole(0, shardCount - 1))
    if (this.#random.chance(cancels)) this.#cancel()
    if (this.#releases.size > 0 && this.#random.chance(0.3)) this.#release(this.#random.pick([...this.#releases]))
  }

  #lose(shard: number): void {
    this.#losses += 1
    for (const order of this.#outbox[shard] ?? []) {
      // A sent order waits in the outbox as well when its function crashed; the queue still has it.
      if (order.state !== 'booked') continue
      order.state = 'new'
      this.#standing = plusParts(this.#standing, order.units, -1)
    }
    this.#stocks[shard] = undefined
    this.#holds[shard] = new Map()
    this.#outbox[shard] = new Set()
    this.#heldBack[shard] = {}
    this.#check()
  }

  #cancel(): void {
    if (this.#table.size === 0) return
    const order = this.#random.pick([...this.#table])
    if (order.state !== 'written') return
    order.state = 'cancelled'
    this.#written = plusParts(this.#written, order.units, -1)
    this.#standing = plusParts(this.#standing, order.units, -1)
    this.#releases.add(order)
  }

  #deliverLate(all: boolean): void {
    do {
      const call = this.#late.splice(this.#random.whole(0, this.#late.length), 1)[0]
      if (call !== undefined) this.#apply(call.shard, call.transfer)
      const freeze = this.#lateFreezes.pop()
      if (freeze !== undefined) {
        this.#stocks[freeze.shard] = freezeShard(this.#stocks[freeze.shard], freeze.generation)
      }
      this.#check()
    } while (all && this.#late.length + this.#lateFreezes.length > 0)
  }

  #isDown(shard: number): boolean {
    return (this.#downUntil[shard] ?? 0) > this.#step
  }

  /** The fate of a call: it may be lost or late, or its reply may be lost. */
  #fate(shard: number): 'done' | 'unanswered' | 'late' | 'lost' | 'again' {
    if (this.#isDown(shard)) return this.#random.chance(0.5) ? 'lost' : 'late'
    if (this.#isCalm || this.#scenario.crashAt !== undefined || !this.#random.chance(0.1)) return 'done'
    return this.#random.pick(['unanswered', 'late', 'again'] as const)
  }

  // The shards

  #apply(shard: number, transfer: Transfer): AppliedTransfer {
    const applied = applyTransfer(this.#stocks[shard], transfer)
    if ('stock' in applied) this.#stocks[shard] = applied.stock
    return applied
  }

  #callTransfer(shard: number, transfer: Transfer): AppliedTransfer | undefined {
    const fate = this.#fate(shard)
    if (fate === 'late' || fate === 'again') this.#late.push({ shard, transfer })
    if (fate === 'late' || fate === 'lost') return undefined
    const applied = this.#apply(shard, transfer)
    return fate === 'unanswered' ? undefined : applied
  }

  #book(order: Order): 'booked' | 'too-few' | undefined {
    const { shard, units } = order
    const stock = this.#stocks[shard]
    if (this.#isDown(shard) || stock === undefined || stock.isFrozen) return undefined
    const held = this.#holds[shard]?.get(order)
    if (held !== undefined) return 'booked'
    if (isBeyond(units, stock.left)) return 'too-few'
    this.#stocks[shard] = { ...stock, left: plusParts(stock.left, units, -1) }
    this.#holds[shard]?.set(order, units)
    this.#outbox[shard]?.add(order)
    // An order that the shard has forgotten may be on its way, or written: it is the same order.
    if (order.state === 'new') {
      order.state = 'booked'
      this.#standing = plusParts(this.#standing, units)
    }
    return 'booked'
  }

  #send(order: Order): void {
    if (this.#isDown(order.shard) || !this.#outbox[order.shard]?.has(order)) return
    this.#queue.push(order)
    if (order.state === 'booked') order.state = 'sent'
    if (this.#isCalm || !this.#random.chance(0.1)) this.#outbox[order.shard]?.delete(order)
  }

  #release(order: Order): void {
    const { shard } = order
    const stock = this.#stocks[shard]
    if (this.#isDown(shard) || stock === undefined) return
    const held = this.#holds[shard]?.get(order) ?? {}
    this.#holds[shard]?.set(order, {})
    this.#outbox[shard]?.delete(order)
    this.#releases.delete(order)
    if (!areAllZero(held)) this.#stocks[shard] = increased(stock, plusParts(stock.left, held))
  }

  /** Makes a shard agree with the orders of the table. A late order takes the units that were held back for it. */
  #restore(shard: number): boolean {
    const stock = this.#stocks[shard]
    if (this.#isDown(shard) || stock === undefined) return false
    const holds = this.#holds[shard] as Map<Order, VariantUnits>
    let left = stock.left
    for (const order of this.#table) {
      if (order.shard !== shard) continue
      const held = holds.get(order)
      if (order.state === 'written' && held === undefined) {
        holds.set(order, order.units)
        const heldBack = this.#heldBack[shard] ?? {}
        const arrived = mapParts(order.units, (units, id) => Math.min(units, heldBack[id] ?? 0))
        this.#heldBack[shard] = plusParts(heldBack, arrived, -1)
        left = plusParts(plusParts(left, order.units, -1), arrived)
      } else if (order.state === 'cancelled') {
        holds.set(order, {})
        left = plusParts(left, held ?? {})
      }
    }
    this.#stocks[shard] = increased(stock, left)
    return true
  }

  /** Sells what is held back once no order of the shard can arrive. */
  #releaseHeldBack(shard: number): void {
    if (areAllZero(this.#heldBack[shard] ?? {}) || this.#isOnTheWay(shard) || !this.#restore(shard)) return
    const stock = this.#stocks[shard] as ShardStock
    this.#stocks[shard] = increased(stock, plusParts(stock.left, this.#heldBack[shard] ?? {}))
    this.#heldBack[shard] = {}
  }

  #read(shard: number): ShardReading {
    const stock = this.#stocks[shard]
    return stock === undefined || stock.isFrozen || this.#isDown(shard) ? undefined : stock
  }

  // The escrow

  #save(seen: number, next: Escrow): boolean {
    const before = this.#escrow
    if (before.revision !== seen) return false
    this.#escrow = next
    const returned = plusParts(next.pool, before.pool, -1)
    if (Object.values(returned).some((units) => units < 0)) this.#grants += 1
    this.#grantBound += maxGrantsOf(
      filterParts(returned, (units) => units > 0),
      this.#scenario.shardCount,
    )
    for (const { transfer } of next.shards) {
      if (transfer !== undefined && transfer.number > before.revision && isRecall(transfer)) this.#recalls += 1
    }
    return true
  }

  *#change(decide: (escrow: Escrow) => Escrow): Generator<void, Escrow | undefined, void> {
    for (;;) {
      yield
      const escrow = this.#escrow
      const next = decide(escrow)
      if (next === escrow) return undefined
      yield
      if (this.#save(escrow.revision, next)) return next
    }
  }

  *#look(): Generator<void, EscrowSnapshot, void> {
    yield
    const escrow = this.#escrow
    const readings: ShardReading[] = []
    const { shardCount } = this.#scenario
    for (let shard = 0; shard < shardCount; shard += 1) {
      if (shard % Math.ceil(shardCount / 4) === 0) yield
      readings.push(this.#read(shard))
    }
    return { escrow, readings }
  }

  // The programs

  *#buy({ order }: Shopper): Program {
    for (;;) {
      yield
      const reply = this.#book(order)
      if (reply === 'booked') break
      if (reply === undefined) continue
      const askedAt = this.#step
      const all = yield* this.#ask({ shard: order.shard, wanted: partOf(order) })
      const left = filterParts(all, (units, id) => units < (order.units[id] ?? 0))
      if (Object.keys(left).length === 0) continue
      const wasSo = this.#free.some((free, at) => at >= askedAt && areAllZero(freeOfOnly(free, left)))
      if (!wasSo) this.#fail(`a shopper read that ${JSON.stringify(left)} units are left`)
      this.#shortAnswers += 1
      return
    }
    yield
    this.#send(order)
    const stock = this.#read(order.shard)
    const low = runningLow(stock?.left ?? {}, this.#escrow, this.#scenario.maxPerOrder)
    if (stock !== undefined && !areAllZero(low)) yield* this.#ask({ shard: order.shard })
  }

  /** Gets units for a shard's demand; returns how many are left of variants of which that is sure. */
  *#ask(shardDemand: DemandingShard): Generator<void, VariantUnits, void> {
    const first = yield* this.#look()
    const plan = planTransfer(first, shardDemand, this.#scenario.maxPerOrder)
    if (plan.kind === 'save') {
      yield
      if (!this.#save(first.escrow.revision, plan.escrow)) return {}
      for (const [shard, { transfer }] of plan.escrow.shards.entries()) {
        if (transfer?.number === plan.escrow.revision) yield* this.#carryOut(shard)
      }
    } else if (plan.kind === 'wait') {
      const underWay = transfersIn(first.escrow)
      if (underWay.length > 0) yield* this.#carryOut(this.#random.pick(underWay))
    } else if (plan.kind === 'short') {
      const second = yield* this.#look()
      return confirmedLeft(first, second)
    }
    return {}
  }

  *#carryOut(shard: number): Program {
    yield
    const transfer = this.#escrow.shards[shard]?.transfer
    if (transfer === undefined) return
    yield
    const applied = this.#callTransfer(shard, transfer)
    if (applied === undefined || applied.kind === 'unknown-sale') return
    const outcome = applied.kind === 'below-booked' ? 'refused' : 'applied'
    const { number, receiver } = transfer
    const next = yield* this.#change((escrow) => finishTransfer(escrow, shard, number, outcome))
    if (next !== undefined && receiver !== undefined) yield* this.#carryOut(receiver)
  }

  *#repair(): Program {
    for (;;) {
      yield
      const underWay = transfersIn(this.#escrow)
      if (underWay.length > 0) yield* this.#carryOut(this.#random.pick(underWay))
      const broken = [...this.#stocks.keys()].filter((shard) => {
        const stock = this.#stocks[shard]
        const isUnsound = stock?.isFrozen !== false || this.#escrow.shards[shard]?.recovery !== undefined
        return isUnsound && !this.#isDown(shard)
      })
      if (broken.length > 0) yield* this.#recover(this.#random.pick(broken))
      for (const some of this.#outbox) for (const order of some) if (this.#random.chance(0.5)) this.#send(order)
      for (const order of this.#releases) if (this.#random.chance(0.5)) this.#release(order)
      for (const shard of this.#heldBack.keys()) if (this.#random.chance(0.5)) this.#releaseHeldBack(shard)
    }
  }

  *#recover(shard: number): Program {
    const started = yield* this.#change((escrow) => startRecovery(escrow, shard))
    if (started === undefined) return
    const generation = started.revision
    yield
    const fate = this.#fate(shard)
    if (fate === 'late') this.#lateFreezes.push({ shard, generation })
    if (fate === 'late' || fate === 'lost') return
    this.#stocks[shard] = freezeShard(this.#stocks[shard], generation)
    if (fate === 'unanswered') return
    // Either no order can arrive any more, or the units that may be needed are held back.
    const holdsBack = this.#random.chance(0.5)
    while (!holdsBack && this.#isOnTheWay(shard)) {
      yield
      if (this.#isDown(shard)) return
      for (const order of this.#outbox[shard] ?? []) this.#send(order)
    }
    const reissued = yield* this.#change((escrow) => {
      const { granted = {} } = escrow.shards[shard] ?? {}
      const kept = this.#kept(shard, holdsBack, granted)
      if (isBeyond(kept, granted)) throw new RangeError(`shard ${shard} sold more units than it was granted`)
      return reissue(escrow, shard, generation, kept)
    })
    const total = reissued?.shards[shard]?.granted
    if (total === undefined) return
    yield
    if (!this.#restore(shard)) return
    yield
    if (this.#isDown(shard)) return
    const before = this.#stocks[shard]
    // Units that an earlier recovery held back are counted again.
    const stock = before?.isFrozen ? { ...before, left: plusParts(before.left, this.#heldBack[shard] ?? {}) } : before
    const heldBack = holdsBack && stock !== undefined ? plusParts(plusParts(total, stock.total, -1), stock.left) : {}
    const opened = openShard(stock, { generation, total, heldBack })
    if (opened === stock || opened === undefined) return
    this.#stocks[shard] = opened
    this.#heldBack[shard] = heldBack
    yield* this.#change((escrow) => finishRecovery(escrow, shard, generation))
  }

  #isOnTheWay(shard: number): boolean {
    return this.#queue.some((order) => order.shard === shard) || (this.#outbox[shard]?.size ?? 0) > 0
  }

  /** The units that a recovery leaves with a shard: at least those of its standing orders. */
  #kept(shard: number, holdsBack: boolean, granted: VariantUnits): VariantUnits {
    let units = mapParts(granted, () => 0)
    const others = holdsBack ? [...this.#queue, ...(this.#holds[shard]?.keys() ?? [])] : []
    for (const order of new Set([...this.#table, ...others])) {
      if (order.shard === shard && order.state !== 'cancelled') units = plusParts(units, order.units)
    }
    if (!holdsBack || !this.#random.chance(0.5)) return units
    return mapParts(units, (some, id) => Math.max(some, this.#random.whole(some, granted[id] ?? 0)))
  }

  *#write(): Program {
    for (;;) {
      yield
      if (this.#queue.length === 0) continue
      const at = this.#random.whole(0, this.#queue.length - 1)
      const order = this.#queue[at] as Order
      if (!this.#table.has(order)) {
        this.#table.add(order)
        order.state = 'written'
        this.#written = plusParts(this.#written, order.units)
        if (isBeyond(this.#written, stockOf(this.#scenario))) this.#fail('the cap refuses an accepted order')
      }
      yield
      // Removed in a step of its own: after a crash the message arrives again.
      const found = this.#queue.indexOf(order)
      if (found >= 0) this.#queue.splice(found, 1)
    }
  }

  // Invariants

  #check(): void {
    const total = stockOf(this.#scenario)
    const free: Record<string, number> = {}
    for (const id of Object.keys(total)) free[id] = this.#checkPart(id, total[id] ?? 0)
    this.#free[this.#step] = free
  }

  /** The free units of a variant, after a look at all of them. */
  #checkPart(id: string, total: number): number {
    const pool = this.#escrow.pool[id] ?? 0
    let [sum, free, granted] = [pool, pool, pool]
    for (const [shard, shardEscrow] of this.#escrow.shards.entries()) {
      const stock = this.#stocks[shard]
      const own = shardEscrow.granted[id] ?? 0
      const left = stock?.left[id] ?? 0
      granted += own
      if (stock !== undefined && !stock.isFrozen && left < 0) this.#fail(`shard ${shard} is oversold`)
      if (stock === undefined || stock.isFrozen || shardEscrow.recovery !== undefined) {
        // The units of a lost or frozen shard are out of reach, sold or not.
        sum += own
        free += own
        continue
      }
      const units = (stock.total[id] ?? 0) + inTransit(shardEscrow, stock, id)
      sum += units
      free += units - (stock.total[id] ?? 0) + left
      if (units !== own) this.#fail(`shard ${shard} has ${units} units of "${id}" and was granted ${own}`)
    }
    if (pool < 0) this.#fail(`the pool has ${pool} units of "${id}"`)
    if (sum !== total) this.#fail(`${sum} units of "${id}" exist`)
    if (granted !== total) this.#fail(`the escrow has ${granted} units of "${id}"`)
    const standing = this.#standing[id] ?? 0
    if (standing > total) this.#fail(`${standing} units of "${id}" are sold`)
    return free
  }

  #fail(violation: string): never {
    throw new Violation(`${violation}, at step ${this.#step} of ${JSON.stringify(this.#scenario)}`)
  }
}

class Violation extends Error {}

/**
 * Plays one sale to its end.
 * @throws Violation at the first violation, with the scenario that repeats it
 */
export function playSale(scenario: Scenario): Ending {
  try {
    return new Sale(scenario).play()
  } catch (error) {
    // A step of the escrow that cannot be right throws.
    if (error instanceof RangeError) throw new Violation(`${error.message}, in ${JSON.stringify(scenario)}`)
    throw error
  }
}

/** The stock with other units left; its revision shows when units return to a variant that has none. */
function increased(stock: ShardStock, left: VariantUnits): ShardStock {
  const isRestock = Object.entries(left).some(([id, units]) => units > 0 && (stock.left[id] ?? 0) <= 0)
  return { ...stock, left, stockRevision: stock.stockRevision + (isRestock ? 1 : 0) }
}

function transfersIn({ shards }: Escrow): number[] {
  return [...shards.keys()].filter((shard) => shards[shard]?.transfer !== undefined)
}

/** The units of a transfer that neither the pool nor the shard has at this moment. */
function inTransit({ transfer }: ShardEscrow, { change, refused }: ShardStock, id: string): number {
  if (transfer === undefined) return 0
  const delta = transfer.delta[id] ?? 0
  if (delta > 0) return change < transfer.number ? delta : 0
  return change === transfer.number && refused !== transfer.number ? -delta : 0
}

const stocks = new WeakMap<Scenario, VariantUnits>()

/** The stock of the sale, in equal parts as far as that is possible. */
function stockOf(scenario: Scenario): VariantUnits {
  const known = stocks.get(scenario)
  if (known !== undefined) return known
  const { stock, variants } = scenario
  const parts = variantsOf(variants).map((id, at) => {
    return [id, Math.floor(stock / variants) + (at < stock % variants ? 1 : 0)] as const
  })
  const divided = Object.fromEntries(parts)
  stocks.set(scenario, divided)
  return divided
}

// The most messages that a split stock can need; `docs/guide/sharding.md` derives both bounds.

/**
 * Grants from a pool of `units`: each takes at least one unit and at least 1/2N of the pool. Units
 * that return to the pool add at most the bound for as many.
 */
function maxGrants(units: number, shardCount: number): number {
  const twice = 2 * shardCount
  return units <= twice ? units : twice * Math.log(units / twice) + twice
}

/** Recalls of a sale without faults whose requests come one after another. */
function maxRecalls(stock: number, shardCount: number, maxPerOrder: number): number {
  const tail = 8 * shardCount * maxPerOrder
  const whole = 4 * shardCount * Math.log(Math.max(1, stock / tail))
  return whole + tail + 2 * shardCount * maxPerOrder + 2 * shardCount + maxPerOrder
}

function maxGrantsOf(units: VariantUnits, shardCount: number): number {
  return allUnits(mapParts(units, (some) => maxGrants(some, shardCount)))
}

/** Returns the free units beyond `left` of its variants. */
function freeOfOnly(free: VariantUnits, left: VariantUnits): VariantUnits {
  return mapParts(left, (units, id) => (free[id] ?? 0) - units)
}

/** The one variant that an order is of. */
function partOf({ units }: Order): PartUnits | undefined {
  const [part] = Object.entries(units)
  return part && { id: part[0], units: part[1] }
}

function isBeyond(units: VariantUnits, most: VariantUnits): boolean {
  return Object.entries(units).some(([id, some]) => some > (most[id] ?? 0))
}
