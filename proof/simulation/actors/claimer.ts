/** A shopper of red packets: claims until an answer arrives, and claims again later, which must return the same packet. */
import type { ShopperId } from '../../../core/ids.ts'
import { purchaseApp } from '../../../functions/buy/reserve.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import type { Random } from '../engine/random.ts'
import { forwardedRequest, sendRequest } from '../parts/requests.ts'
import type { SimulatedAdmission, World } from '../world.ts'
import { admissionHeader, type Sending, sendUntilAnswered, tokenOnPage } from './requests.ts'

/** The plan of a shopper; `rounds` is the number of claims. */
export type ClaimIntent = Sending & { arrivesAfterMs: number; rounds: number }

export function drawClaimIntent(random: Random, shopperId: ShopperId): ClaimIntent {
  return {
    shopperId,
    arrivesAfterMs: random.spread(1, random.pick([200, 3000, 20_000, 60_000])),
    rounds: random.pick([1, 1, 2, 3]),
    patience: random.pick([1, 3, 6, 12]),
    isDoubled: random.chance(0.2),
    passesGate: random.chance(0.5),
  }
}

export async function runClaimer(world: World, intent: ClaimIntent): Promise<void> {
  const { random, sleep } = world.simulation
  await sleep(intent.arrivesAfterMs)
  for (let round = 1; round <= intent.rounds; round += 1) {
    await claimUntilAnswered(world, intent)
    await sleep(random.spread(100, 60_000))
  }
}

/** Claims until a final answer; true when the shopper has a packet. */
export async function claimUntilAnswered(world: World, intent: Sending): Promise<boolean> {
  const answer = await sendUntilAnswered(world, intent, (pass) => sendClaimRequest(world, intent.shopperId, pass))
  return answer?.statusCode === 200
}

export async function sendClaimRequest(
  world: World,
  shopperId: ShopperId,
  pass: SimulatedAdmission,
): Promise<HttpAnswer | undefined> {
  const { simulation, functions, saleId, packets } = world
  const startToken = await tokenOnPage(world)
  if (startToken === undefined) return undefined
  const path = `/api/sales/${saleId}/packets`
  const request = forwardedRequest(shopperId, 'POST', path, { startToken }, admissionHeader(pass))
  return sendRequest(simulation, functions.reserve, purchaseApp, request, (answer) => packets.record(shopperId, answer))
}
