/**
 * Sends a shopper's request until an answer arrives: through the gate or past it, from one device
 * or two.
 */
import type { ShopperId } from '../../../core/ids.ts'
import type { OrderUnits } from '../../../core/sale/variants.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import type { SimulatedAdmission, World } from '../world.ts'

/** `patience` is the maximum number of tries; `isDoubled` sometimes sends the request from a second device too. */
export type Sending = { shopperId: ShopperId; patience: number; isDoubled: boolean; passesGate: boolean }

/**
 * Returns the first final answer: neither missing, 503 nor 409; undefined after `patience` tries. `variant` is the
 * variant of the request, which the gate reads.
 */
export async function sendUntilAnswered(
  { simulation, gate }: World,
  { shopperId, patience, isDoubled, passesGate, variant }: Sending & Pick<OrderUnits, 'variant'>,
  send: (pass: SimulatedAdmission) => Promise<HttpAnswer | undefined>,
): Promise<HttpAnswer | undefined> {
  const { random, sleep } = simulation
  for (let tries = 0; tries < patience; tries += 1) {
    if (tries > 0) await sleep(random.spread(200, 10_000))
    // The list of a sale cannot be bypassed.
    if (gate.refuses !== undefined && (await gate.refuses(shopperId, variant))) continue
    const pass = passesGate ? await gate.pass(variant) : await gate.passAnyway()
    if (pass === undefined) continue
    const sent = [send(pass)]
    // The second request goes through another instance of the gate.
    if (isDoubled && random.chance(0.5)) sent.push(send(await gate.passAnyway()))
    const answers = await Promise.all(sent)
    const answer = answers.find((one) => one !== undefined)
    if (answer !== undefined && answer.statusCode !== 503 && answer.statusCode !== 409) return answer
  }
  return undefined
}

/**
 * Returns the start token on the shopper's page; undefined while no window is open. Some pages are stale and have the
 * token of the previous window.
 */
export async function tokenOnPage(world: World): Promise<string | undefined> {
  const { startToken } = await world.sale()
  if (startToken !== null) world.tokens.push(startToken)
  const { random } = world.simulation
  return startToken ?? (random.chance(0.5) ? world.tokens.at(-1) : undefined)
}

/** Returns the header that the gate adds to an admitted request. */
export function admissionHeader({ admission }: SimulatedAdmission): Record<string, string> {
  return admission === undefined ? {} : { 'x-admission': String(admission) }
}
