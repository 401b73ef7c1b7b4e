/** What one more buyer costs a sale that already has many: Redis's time and its memory. */
import type { RedisLink } from '../../../local/upstash/link.ts'
import { median } from '../statistics.ts'
import { runLane, send } from './lane-time.ts'
import { acceptedLane, emptyStock, stockKey } from './lanes.ts'

/** The median microseconds of an accepted purchase once there are `buyers`, and the bytes of each. */
export type Grown = { buyers: number; microseconds: number; bytesPerBuyer: number }

/** How many purchases are sent and timed together. */
const group = 2000

/** The groups whose median counts. */
const groups = 7

/**
 * Measures one sale at each of `counts`, in ascending order.
 * @throws when a purchase is not accepted
 */
export async function growth(link: RedisLink, counts: readonly number[]): Promise<Grown[]> {
  const units = Math.max(...counts) + counts.length * groups * group
  const [, , empty] = await send(link, [...emptyStock(units), ['MEMORY', 'USAGE', stockKey, 'SAMPLES', '0']])
  let sold = 0
  const sell = async (count: number) => {
    const microseconds = await runLane(link, acceptedLane(units, sold, count))
    sold += count
    return microseconds
  }
  const grown: Grown[] = []
  for (const buyers of counts) {
    while (sold < buyers) await sell(Math.min(group, buyers - sold))
    const [full] = await send(link, [['MEMORY', 'USAGE', stockKey, 'SAMPLES', '0']])
    const bytesPerBuyer = (Number(full) - Number(empty)) / sold
    const times: number[] = []
    for (let at = 0; at < groups; at += 1) times.push(await sell(group))
    grown.push({ buyers, microseconds: median(times), bytesPerBuyer })
  }
  return grown
}
