/** Whoever runs the sale: by the console's own requests, like everybody else. */
import { answerControl } from '../../functions/control/http.ts'
import type { HttpAnswer } from '../../functions/lib/http/answer.ts'
import { ask } from '../client.ts'
import { requestOf } from '../memory/support.ts'
import type { World } from '../world.ts'
import { comeBy } from './crowd.ts'

export async function command(
  { simulation, functions, closed }: World,
  path: string,
  body: object | undefined = {},
  key?: string,
  method = 'POST',
): Promise<HttpAnswer | undefined> {
  const headers = { 'x-shopper-roles': 'marketer', ...(key === undefined ? {} : { 'idempotency-key': key }) }
  const request = requestOf('marketer', method, `/api/control/${path}`, body, headers)
  const answered = closed.ask(path.split('/').at(-1) ?? '')
  const answer = await ask(simulation, functions.control, (ports) => answerControl(ports, request))
  answered(answer?.statusCode)
  return answer
}

/** The same until it is done, or answered in a way that another try would not change. */
export async function insist(
  world: World,
  path: string,
  body: object = {},
  method = 'POST',
): Promise<HttpAnswer> {
  const key = world.newKey()
  for (;;) {
    const answer = await command(world, path, body, key, method)
    if (answer !== undefined && answer.statusCode < 500) return answer
    await world.simulation.sleep(world.simulation.dice.spread(500, 5000))
  }
}

/** Closing is for good, so it is rarer than the rest. */
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

/** A rain is soon over, so what matters has to come soon. It may be brought to its end, or be let go on for longer. */
const rainTasks = new Map([...tasks, ['pause', 8], ['recover', 4], ['end', 2]])

const monthMs = 30 * 86_400_000

/** A few of the things a marketer may do while a sale runs, each until it is answered. */
export async function runTheSale(world: World): Promise<void> {
  const { simulation, saleId, kind } = world
  const { dice, sleep, now } = simulation
  for (let left = dice.whole(0, 4); left > 0; left -= 1) {
    await sleep(dice.spread(100, 60_000))
    const task = dice.weighted(kind === 'red-packet' ? rainTasks : tasks)
    switch (task) {
      case 'more':
        await insist(world, `sales/${saleId}/stock`, { delta: dice.whole(1, 5) })
        break
      case 'fewer':
        await insist(world, `sales/${saleId}/stock`, { delta: -dice.whole(1, 3) })
        break
      case 'ratio':
        await command(world, `sales/${saleId}`, { admissionRatio: dice.whole(1, 4) }, undefined, 'PATCH')
        break
      case 'end': {
        const endsAt = now() + (dice.chance(0.7) ? dice.spread(1000, 60_000) : monthMs)
        await command(world, `sales/${saleId}`, { endsAt }, undefined, 'PATCH')
        break
      }
      case 'block': {
        const method = dice.pick(['PUT', 'PUT', 'DELETE'])
        await command(world, `blocklist/shopper/bot-${dice.whole(1, 2)}`, undefined, undefined, method)
        break
      }
      case 'redrive':
        await insist(world, 'dead-letters/redrive')
        break
      case 'refund': {
        const { given } = world.promises
        if (given.size > 0) await insist(world, `orders/${dice.pick([...given.keys()])}/refund`)
        break
      }
      default:
        await insist(world, `sales/${saleId}/${task}`)
    }
    // Gates that are a second behind still let shoppers through.
    if (task === 'pause' || task === 'close') {
      const sale = await world.sale()
      for (let left = 2; left > 0; left -= 1) comeBy(world, sale, { isHurried: true })
    }
    // A sale is not left paused for long.
    if (task === 'pause') {
      await sleep(dice.spread(500, 20_000))
      await insist(world, `sales/${saleId}/resume`)
    }
  }
}
