/** Clicking a button that may or may not answer: through the gate or past it, once or on two devices, again and again. */
import type { HttpAnswer } from '../../functions/lib/http/answer.ts'
import type { Pass, World } from '../world.ts'

/** How somebody clicks; `patience` is how often. */
export type Clicking = { patience: number; clicksTwice: boolean; passesGate: boolean }

/** The first answer that another try would not change, undefined when patience ends before one comes. */
export async function clickUntilAnswered(
  { simulation, gate }: World,
  { patience, clicksTwice, passesGate }: Clicking,
  click: (pass: Pass) => Promise<HttpAnswer | undefined>,
): Promise<HttpAnswer | undefined> {
  const { dice, sleep } = simulation
  for (let tries = 0; tries < patience; tries += 1) {
    if (tries > 0) await sleep(dice.spread(200, 10_000))
    const pass = passesGate ? await gate.pass() : await gate.passAnyway()
    if (pass === undefined) continue
    const clicks = [click(pass)]
    // The second one came to another instance.
    if (clicksTwice && dice.chance(0.5)) clicks.push(click(await gate.passAnyway()))
    const answers = await Promise.all(clicks)
    const answer = answers.find((one) => one !== undefined)
    if (answer !== undefined && answer.statusCode !== 503 && answer.statusCode !== 409) return answer
  }
  return undefined
}

/**
 * The start token of the page that somebody has open, undefined when nothing can be clicked there. Some pages are as old as
 * the window before.
 */
export async function tokenOnPage(world: World): Promise<string | undefined> {
  const { startToken } = await world.sale()
  if (startToken !== null) world.tokens.push(startToken)
  const { dice } = world.simulation
  return startToken ?? (dice.chance(0.5) ? world.tokens.at(-1) : undefined)
}

/** What the gate puts on a click that it let through and counts. */
export function admissionHeader({ admission }: Pass): Record<string, string> {
  return admission === undefined ? {} : { 'x-admission': String(admission) }
}
