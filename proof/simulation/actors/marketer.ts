/** The marketer, who runs the sale through the requests of the console. */
import { controlApp } from '../../../functions/control/routes.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import { forwardedRequest, sendRequest } from '../parts/requests.ts'
import type { World } from '../world.ts'
import { addShopper } from './arrivals.ts'

/** `onAnswer` receives every answer of the function, including lost ones. */
type CommandOptions = { key?: string; method?: string; onAnswer?: (answer: HttpAnswer) => void }

export async function sendCommand(
  { simulation, functions, statusRecord }: World,
  path: string,
  body: object | undefined = {},
  { key, method = 'POST', onAnswer }: CommandOptions = {},
): Promise<HttpAnswer | undefined> {
  const headers = { 'x-shopper-roles': 'marketer', ...(key === undefined ? {} : { 'idempotency-key': key }) }
  const request = forwardedRequest('marketer', method, `/api/control/${path}`, body, headers)
  const answered = statusRecord.request(path.split('/').at(-1) ?? '')
  const answer = await sendRequest(simulation, functions.control, controlApp, request, onAnswer)
  answered(answer?.statusCode)
  return answer
}

/** Repeats the command until its answer is final: anything but a missing answer or a 5xx. */
export async function sendCommandUntilFinal(
  world: World,
  path: string,
  body: object = {},
  method = 'POST',
): Promise<HttpAnswer> {
  const key = world.newKey()
  for (;;) {
    const answer = await sendCommand(world, path, body, { key, method })
    if (answer !== undefined && answer.statusCode < 500) return answer
    await world.simulation.sleep(world.simulation.random.spread(500, 5000))
  }
}

/** Weights of the tasks. Closing cannot be undone, so it is rare. */
const tasks = new Map([
  ['pause', 4],
  ['resume', 2],
  ['more', 2],
  ['fewer', 2],
  ['recover', 2],
  ['reconcile', 2],
  ['refund', 4],
  ['redrive', 2],
  ['ratio', 2],
  ['block', 2],
  ['warm', 1],
  ['close', 0.3],
])

/**
 * Tasks in a sale of red packets. It is short, so pauses and recoveries are more frequent; its end may also move, to
 * now or to a month ahead.
 */
const packetTasks = new Map([...tasks, ['pause', 8], ['recover', 4], ['end', 2]])

const monthMs = 30 * 86_400_000

/** Does up to four tasks while the sale runs, each until it is answered. */
export async function runMarketer(world: World): Promise<void> {
  const { simulation, saleId, kind } = world
  const { random, sleep, now } = simulation
  for (let left = random.whole(0, 4); left > 0; left -= 1) {
    await sleep(random.spread(100, 60_000))
    const task = random.weighted(kind === 'red-packet' ? packetTasks : tasks)
    switch (task) {
      case 'more':
        await sendCommandUntilFinal(world, `sales/${saleId}/stock`, await drawChange(world, random.whole(1, 5)))
        break
      case 'fewer':
        await sendCommandUntilFinal(world, `sales/${saleId}/stock`, await drawChange(world, -random.whole(1, 3)))
        break
      case 'ratio':
        await sendCommand(world, `sales/${saleId}`, { admissionRatio: random.whole(1, 4) }, { method: 'PATCH' })
        break
      case 'end': {
        const endsAt = now() + (random.chance(0.7) ? random.spread(1000, 60_000) : monthMs)
        await sendCommand(world, `sales/${saleId}`, { endsAt }, { method: 'PATCH' })
        break
      }
      case 'block': {
        const method = random.pick(['PUT', 'PUT', 'DELETE'])
        await sendCommand(world, `blocklist/shopper/bot-${random.whole(1, 2)}`, undefined, { method })
        break
      }
      case 'redrive':
        await sendCommandUntilFinal(world, 'dead-letters/redrive')
        break
      case 'refund': {
        const { reserved } = world.reservations
        if (reserved.size > 0) await sendCommandUntilFinal(world, `orders/${random.pick([...reserved.keys()])}/refund`)
        break
      }
      default:
        await sendCommandUntilFinal(world, `sales/${saleId}/${task}`)
    }
    // Gates with stale facts (up to one second) still admit shoppers.
    if (task === 'pause' || task === 'close') {
      const sale = await world.sale()
      for (let left = 2; left > 0; left -= 1) addShopper(world, sale, { isHurried: true })
    }
    // A sale is not left paused for long.
    if (task === 'pause') {
      await sleep(random.spread(500, 20_000))
      await sendCommandUntilFinal(world, `sales/${saleId}/resume`)
    }
  }
}

/** Draws a change of the stock, or of one variant. */
async function drawChange({ simulation, sale }: World, delta: number): Promise<{ delta: number; variant?: string }> {
  const { variants } = await sale()
  return variants === undefined ? { delta } : { delta, variant: simulation.random.pick(variants).id }
}
