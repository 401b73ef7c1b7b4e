/** What is needed behind the functions, where only winners come: the queue, its consumers, the table. */
import { orderPartCount } from '../../functions/stores/table.ts'
import { tableWritesPerClaim, tableWritesPerOrder } from '../settings/arithmetic.ts'
import type { StageSettings } from '../settings/stage.ts'
import { consumptions } from '../system/queues.ts'
import { type Needs, told } from './need.ts'
import type { Plan } from './plan.ts'
import { writesOfOneSale } from './rates.ts'
import { rolesOf } from './roles.ts'

/** Parts over which the table spreads the red packets of a sale. */
export const packetPartCount = 16

type OrderNeeds = Pick<
  Needs,
  'queue-rate' | 'queue-in-flight' | 'table-writes' | 'table-reads' | 'table-part'
>

export function orderNeeds(plan: Plan, settings: StageSettings, rate: number, looks: number): OrderNeeds {
  const { queue } = rolesOf(plan)
  const { batchSize } = consumptions[queue]
  const consumers = settings.consumers[queue]
  const isPacket = plan.kind === 'red-packet'
  const each = isPacket ? tableWritesPerClaim : tableWritesPerOrder
  const parts = isPacket ? packetPartCount : orderPartCount
  // The queue evens it out: what is reserved in a second may be written in two.
  const written = Math.min(rate, writesOfOneSale(plan), Math.ceil(plan.stock / 2))
  return {
    'queue-rate': {
      amount: Math.ceil(plan.stock / plan.sellSeconds),
      formula: `${told(plan.stock)} ${queue} in ${plan.sellSeconds} s`,
    },
    'queue-in-flight': {
      amount: consumers * batchSize,
      formula: `${consumers} consumers × ${batchSize} messages`,
    },
    'table-writes': {
      amount: Math.ceil(written * each),
      formula: `${told(written)} ${queue}/s × ${told(each)} writes`,
    },
    'table-reads': { amount: looks, formula: `${told(looks)} looks/s of winners × 1 read` },
    'table-part': {
      amount: Math.ceil((written * 2) / parts),
      formula: `${told(written)} ${queue}/s × 2 writes ÷ ${parts} parts`,
    },
  }
}
