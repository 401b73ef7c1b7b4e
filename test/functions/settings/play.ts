/**
 * Plays one sale from its definition to its archive, over the gate, the functions, Redis and the table: shoppers come until
 * nothing is left, pay, cancel, forget or redeem, Redis loses what the settings say, and returned units are sold again.
 */
import { parseOrderId, parseShopperId } from '../../../core/ids.ts'
import { copySale } from '../../../core/sale/copy-sale.ts'
import { type Sale, saleDefinition } from '../../../core/sale/sale.ts'
import type { OrderUnits } from '../../../core/sale/variants.ts'
import { renewPassKeys } from '../../../functions/gate/pass-keys.ts'
import { holdAgeMs } from '../../../functions/recovery/stock/compare-holds.ts'
import type { Commander } from '../../../redis/command.ts'
import { shopperIdOf } from '../../redis/support.ts'
import type { Answer, Client } from '../../world/gate.ts'
import { phone } from '../../world/stock-record.ts'
import { definitionOf, earlyMinutes, levels, type Settings, variantIds } from './choices.ts'
import { differences, unitsLeft } from './differences.ts'
import { changeOrders, payRest } from './fates.ts'
import { mailDifferences } from './mailed.ts'
import { packetDifferences, walletDifferences } from './packet-screens.ts'
import { reportDifferences } from './report.ts'
import { screenDifferences } from './screens.ts'
import { expectStatus, passTo, reconcileAll, type Stage, saleOf, setUp } from './stage.ts'

const hourMs = 3_600_000

const dayMs = 24 * hourMs

/** The maximum of clicks of one shopper, and of shoppers of one window. */
const maxClicks = 60
const maxShoppers = 80

/** Shoppers of an unlimited stock. */
const unlimitedCrowd = 8

/**
 * The part of an option in a play: its fields of the definition, its steps before the first window, and how it sells all units.
 */
type Addition = {
  definition(startsAt: number): object
  begin(stage: Stage): Promise<void>
  sell(stage: Stage): Promise<void>
}
type Play = Stage & { addition: Addition }

const none: Addition = { definition: () => ({}), begin: () => Promise.resolve(), sell: sellToCrowd }

/** Plays the sale with `settings`; every number follows from `seed`. */
export async function playSale(redis: Commander, settings: Settings, seed: number, addition = none): Promise<Stage> {
  const stage = { ...(await setUp(redis, settings, seed)), addition }
  try {
    await renewPassKeys(stage.own.ports)
    await create(stage)
    await expectStatus(stage, 200, await stage.own.act('warm'))
    await expectStatus(stage, 200, await stage.own.act('start'))
    await addition.begin(stage)
    for (let isLast = false; !isLast; ) {
      const sale = await saleOf(stage)
      isLast = settings.windows === 'one' || sale.windowIndex === 1
      await playWindow(stage, sale)
      if (!isLast) await passTo(stage, sale.endsAt + 1000)
    }
    await end(stage)
    stage.violations.push(...stage.gate.reports)
    return stage
  } finally {
    await stage.gate.stop()
  }
}

/** The definition is sent as it is, or comes from another sale. */
async function create(stage: Play): Promise<void> {
  const { own, settings, violations, addition } = stage
  const ready = { 'x-turnstile': 'ready' }
  const startsAt = own.clock.now + hourMs
  const defined = (saleId: string) => ({
    ...definitionOf(settings, saleId, startsAt),
    ...addition.definition(startsAt),
  })
  const post = (body: object) => own.ask('POST', '/sales', body, ready)
  let sent: object = defined(phone)
  if (settings.origin !== 'new') {
    const model = await post(defined('model'))
    expectStatus(stage, 201, model)
    sent = { ...copySale((await own.ask('GET', '/sales/model')).body, own.clock.now), saleId: phone }
  }
  const created = await post(sent)
  expectStatus(stage, 201, created)
  const wanted = saleDefinition.parse(defined(phone))
  for (const [name, value] of Object.entries(wanted)) {
    const is = JSON.stringify(created.body[name])
    if (is !== JSON.stringify(value)) violations.push(`${name} is ${is} and not ${JSON.stringify(value)}`)
  }
}

/** Ids of shoppers that are also names: of members of every object, and of keys in Redis. */
const borrowedNames = ['', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'shopper:1', 'gate:-']

/** Every third shopper has the level. */
export function nextClient(stage: Stage): Client & { isMember: boolean } {
  stage.shoppers += 1
  const { early } = stage.settings
  const nth = stage.shoppers
  const hasLevel = nth % 3 === 1
  const isMember = hasLevel && early === 'level'
  return {
    shopperId: parseShopperId(borrowedNames[nth] ?? '') ?? shopperIdOf(nth),
    level: hasLevel ? levels.member : levels.other,
    isMember,
  }
}

async function playWindow(stage: Play, sale: Sale): Promise<void> {
  const { own, gate, settings, consumers } = stage
  const early = nextClient(stage)
  await passTo(stage, Math.max(own.clock.now, sale.startsAt - 60_000))
  if (settings.requirePass === 'on') await gate.getPass(early)
  const tooEarly = await click(stage, early, wantedOf(stage, 1))
  if (tooEarly.body.code !== 'not-started') stage.violations.push(`before the start: ${JSON.stringify(tooEarly.body)}`)
  await passTo(stage, sale.startsAt)
  await sellAndWrite(stage)
  const goBack = settings.loss === 'changes' ? await own.keepStock() : undefined
  await lose(stage)
  await changeOrders(stage)
  await sellAndWrite(stage)
  await payRest(stage)
  if (goBack !== undefined) {
    await goBack()
    // Until then a hold without an order may have a message in flight.
    own.clock.now += holdAgeMs
    await repair(stage)
  }
  await sellAndWrite(stage)
  await consumers.ring()
  await check(stage, 'at the end of a window')
}

function wantedOf({ settings, random }: Stage, most: number): OrderUnits {
  const quantity = settings.limit === 'several' ? random.whole(1, most) : 1
  return settings.variants === 'none' ? { quantity } : { quantity, variant: random.pick(variantIds) }
}

async function click(stage: Stage, client: Client, wanted: OrderUnits): Promise<Answer> {
  const { gate, settings } = stage
  const { startToken } = await saleOf(stage)
  const challenge = settings.challenge === 'off' ? undefined : await gate.solveChallenge(client, phone)
  if (typeof challenge === 'object') return challenge
  const entry = { startToken: startToken ?? 'x'.repeat(43), ...(challenge && { challenge }) }
  return settings.kind === 'red-packet'
    ? gate.send(client, 'POST', `/api/sales/${phone}/packets`, entry)
    : gate.send(client, 'POST', `/api/sales/${phone}/orders`, { ...entry, ...wanted })
}

/** Shoppers come until nothing is left; each clicks as the answers say until it has its final one. */
async function sellOut(stage: Play): Promise<void> {
  const { own, settings } = stage
  // A gate remembers for a second that nothing is left.
  await passTo(stage, own.clock.now + 2000)
  await stage.addition.sell(stage)
  // The gate learns from the ticks that a split stock is sold out.
  await passTo(stage, own.clock.now + 2000)
  if (settings.stock === 'unlimited') return
  const late = await clicksOf(stage, nextClient(stage))
  if (late.body.code !== 'sold-out') stage.violations.push(`after the last unit: ${JSON.stringify(late.body)}`)
}

async function sellToCrowd(stage: Stage): Promise<void> {
  const { own, settings } = stage
  for (let came = 0; came < maxShoppers; came += 1) {
    if (settings.stock === 'unlimited' ? came >= unlimitedCrowd : (await unitsLeft(own)) === 0) break
    await passTo(stage, own.clock.now + stage.random.whole(0, 400))
    await shop(stage, nextClient(stage))
    if (stage.random.chance(0.4)) await writeAll(stage)
  }
}

export async function shop(
  stage: Stage,
  client: Client & { isMember: boolean },
  wanted: OrderUnits = wantedOf(stage, 2),
): Promise<void> {
  const { own, settings, won, violations, random } = stage
  const { status, body } = await clicksOf(stage, client, wanted)
  if (status >= 400) {
    if (body.code !== 'sold-out') violations.push(`${client.shopperId} was refused: ${JSON.stringify(body)}`)
    return
  }
  const orderId = parseOrderId(String(body.orderId))
  const packet = settings.kind === 'red-packet' ? { packet: String(body.packetId) } : {}
  const units = packet.packet === undefined ? wanted.quantity : 1
  const { variant } = wanted
  won.push({ client, at: own.clock.now, orderId, units, ...(variant && { variant }), ...packet })
  const { startsAt } = await saleOf(stage)
  const isEarly = own.clock.now < startsAt + earlyMinutes * 60_000
  if (settings.early !== 'none' && isEarly && !client.isMember)
    violations.push(`${client.shopperId} bought before members were done`)
  if (random.chance(0.2)) await repeat(stage, client, wanted, body)
}

/** The reply was lost, and the page sends the same again. */
async function repeat(stage: Stage, client: Client, wanted: OrderUnits, first: Answer['body']): Promise<void> {
  const again = await click(stage, client, wanted)
  const name = stage.settings.kind === 'red-packet' ? 'packetId' : 'orderId'
  if (again.status === 429 || again.status === 410) return
  if (again.status !== 200 || again.body[name] !== first[name])
    stage.violations.push(`a repeat was answered ${again.status} ${JSON.stringify(again.body)}`)
}

/** The final answer of a shopper who waits as each answer says. */
async function clicksOf(stage: Stage, client: Client, wanted: OrderUnits = wantedOf(stage, 1)): Promise<Answer> {
  const { own, gate, settings, seen } = stage
  if (settings.requirePass === 'on') await gate.getPass(client)
  for (let clicks = 0; clicks < maxClicks; clicks += 1) {
    const answer = await click(stage, client, wanted)
    if (answer.status < 400) return answer
    const { code, retryAfterSeconds } = answer.body
    if (typeof retryAfterSeconds !== 'number') return answer
    seen.waited += 1
    await passTo(stage, own.clock.now + retryAfterSeconds * 1000)
    if (code === 'at-capacity') await writeAll(stage)
  }
  throw new Error(`${client.shopperId} got no final answer`)
}

/** The writer takes what is in the queue. */
export async function writeAll({ own, consumers, violations }: Stage): Promise<void> {
  const redelivered = await consumers.write(own.queue.messages.splice(0))
  if (redelivered.length > 0) violations.push(`${redelivered.length} messages are not consumed`)
}

async function sellAndWrite(stage: Play): Promise<void> {
  await sellOut(stage)
  await writeAll(stage)
}

async function lose(stage: Stage): Promise<void> {
  const { own, settings } = stage
  if (settings.loss === 'stock') await own.loseStock()
  else if (settings.loss === 'gate') await own.loseGate()
  else return
  await repair(stage)
}

async function repair(stage: Stage): Promise<void> {
  // The gate remembers a sale for a second.
  stage.own.clock.now += 2000
  for (let runs = 0; runs < 3; runs += 1) await reconcileAll(stage)
}

/** Two runs of the schedule find nothing more to do, and every store says the same. */
async function check(stage: Stage, when: string): Promise<void> {
  await reconcileAll(stage)
  const { repaired, recovered, restored, released } = await reconcileAll(stage)
  const more = JSON.stringify({ repaired, recovered, restored, released })
  if (repaired + recovered + restored + released > 0) stage.violations.push(`${when}, a second run found ${more} (I5)`)
  for (const one of await differences(stage.own, stage.won)) stage.violations.push(`${when}: ${one}`)
}

/** The sale ends, its budget is closed, and a week later it is archived. */
async function end(stage: Stage): Promise<void> {
  const { own, violations } = stage
  await passTo(stage, (await saleOf(stage)).endsAt + 1)
  const ended = await clicksOf(stage, nextClient(stage))
  if (ended.body.code !== 'ended') violations.push(`after the end: ${JSON.stringify(ended.body)}`)
  await check(stage, 'after the end')
  violations.push(...(await numberDifferences(stage)))
  if (stage.settings.kind === 'red-packet') violations.push(...(await walletDifferences(own, stage.won)))
  violations.push(...(await mailDifferences(own, stage.won, stage.settings.checkout === 'shop')))
  own.clock.now += 9 * dayMs
  for (let runs = 0; runs < 4; runs += 1) await reconcileAll(stage)
  const { archivedAt } = await saleOf(stage)
  if (archivedAt === undefined) violations.push('the sale is not archived')
  violations.push(...(await numberDifferences(stage)))
  const left = await own.redis.exec(['KEYS', `*{${phone}*`])
  // The uses of challenges expire by themselves, and a gate may send its last counts after the archive.
  const kept = Array.isArray(left) ? left.map(String).filter((key) => !/:solved:|:demand$/.test(key)) : []
  if (kept.length > 0) violations.push(`the archive left ${kept.join()}`)
}

/** The numbers of red packets come from credits, all others from orders. */
async function numberDifferences({ own, won, settings }: Stage): Promise<string[]> {
  const compare = settings.kind === 'red-packet' ? packetDifferences : screenDifferences
  const ofScreens = await compare(own, won, settings.loss !== 'none')
  return [...(await reportDifferences(own, won)), ...ofScreens]
}
