/** A shopper in the rain: taps until there is an answer, and comes back to see whether it is still the same. */
import type { ShopperId } from '../../core/ids.ts'
import { answerClaim } from '../../functions/buy/claim-http.ts'
import type { HttpAnswer } from '../../functions/lib/http/answer.ts'
import { ask } from '../client.ts'
import type { Dice } from '../engine/dice.ts'
import { requestOf } from '../memory/support.ts'
import type { Pass, World } from '../world.ts'
import { admissionHeader, type Clicking, clickUntilAnswered, tokenOnPage } from './clicks.ts'

/** What a shopper is going to do; `rounds` is how often they come. */
export type TapIntent = Clicking & { shopperId: ShopperId; arrivesAfterMs: number; rounds: number }

export function drawTapIntent(dice: Dice, shopperId: ShopperId): TapIntent {
  return {
    shopperId,
    arrivesAfterMs: dice.spread(1, dice.pick([200, 3000, 20_000, 60_000])),
    rounds: dice.pick([1, 1, 2, 3]),
    patience: dice.pick([1, 3, 6, 12]),
    clicksTwice: dice.chance(0.2),
    passesGate: dice.chance(0.5),
  }
}

export async function standInTheRain(world: World, intent: TapIntent): Promise<void> {
  const { dice, sleep } = world.simulation
  await sleep(intent.arrivesAfterMs)
  for (let round = 1; round <= intent.rounds; round += 1) {
    await catchPacket(world, intent)
    await sleep(dice.spread(100, 60_000))
  }
}

/** True for who has a packet in the end. */
export async function catchPacket(
  world: World,
  intent: Clicking & { shopperId: ShopperId },
): Promise<boolean> {
  const answer = await clickUntilAnswered(world, intent, (pass) => tap(world, intent.shopperId, pass))
  return answer?.statusCode === 200
}

export async function tap(world: World, shopperId: ShopperId, pass: Pass): Promise<HttpAnswer | undefined> {
  const { simulation, functions, saleId, packets } = world
  const startToken = await tokenOnPage(world)
  if (startToken === undefined) return undefined
  const path = `/api/sales/${saleId}/packets`
  const request = requestOf(shopperId, 'POST', path, { startToken }, admissionHeader(pass))
  return ask(
    simulation,
    functions.claim,
    (ports) => answerClaim(ports, request),
    (answer) => packets.hear(shopperId, answer),
  )
}
