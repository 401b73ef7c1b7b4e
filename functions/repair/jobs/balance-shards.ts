/**
 * Moves units between the shards of a sale that is not selling. The tick does so for selling sales: a second balancer would not
 * know what the first one has reserved.
 */
import { isSelling } from '../../../core/sale/sale-life.ts'
import { balanceShards } from '../../sales/balance-shards.ts'
import { isPresent, type SaleJob } from '../job.ts'

export const balanceShardsJob: SaleJob = {
  name: 'balanceShards',
  everyMinutes: 1,
  budgetMs: Infinity,
  concerns: (visit, now) => isPresent(visit) && !isSelling(visit.sale, now),
  run: (run, { sale }) => balanceShards(run, run.balancer, sale, run.clock()),
}
