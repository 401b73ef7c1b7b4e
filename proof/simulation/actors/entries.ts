/** What entrants of a draw ask for: they enter, leave, and look whether they have an offer. */
import type { ShopperId } from '../../../core/ids.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import { entriesApp } from '../../../functions/sales/draw/entries-http.ts'
import { answerTo, member, requestOf, sendRequest } from '../parts/requests.ts'
import type { World } from '../world.ts'

type Method = 'GET' | 'PUT' | 'DELETE'

/** Tries of one change. */
const mostTries = 60

/** Repeats the change until it is taken or refused for good; true when it is taken. `body` is that of an entry. */
export async function changeEntryUntilFinal(
  world: World,
  shopperId: ShopperId,
  method: 'PUT' | 'DELETE',
  body: object = {},
): Promise<boolean> {
  const { random, sleep } = world.simulation
  const { entrants } = world.entries
  entrants.set(shopperId, 'unsure')
  for (let tries = 0; tries < mostTries; tries += 1) {
    const answer = await sendEntry(world, shopperId, method, method === 'PUT' ? body : undefined)
    if (answer?.statusCode === 200) {
      if (member(answer, 'receipt') !== undefined) entrants.set(shopperId, method === 'PUT' ? 'in' : 'out')
      return true
    }
    const reason = answer?.statusCode === 409 ? member(answer, 'reason') : undefined
    if (reason !== undefined && reason !== 'entries-not-open') return false
    await sleep(random.spread(500, 10_000))
  }
  return false
}

export function sendEntry(
  { simulation, functions, saleId, entries }: World,
  shopperId: ShopperId,
  method: Method,
  body?: object,
): Promise<HttpAnswer | undefined> {
  const request = requestOf(shopperId, method, `/api/entries/${saleId}`, body)
  return sendRequest(
    simulation,
    functions.entries,
    (ports) => answerTo(entriesApp(ports), request),
    (answer) => {
      const receipt = answer.statusCode === 200 ? member(answer, 'receipt') : undefined
      if (typeof receipt === 'string') entries.receipts.add(receipt)
    },
  )
}
