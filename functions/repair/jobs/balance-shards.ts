/**
 * Moves units between the shards of a sale that does not sell. The tick does it for a sale that sells, and a second
 * balancer does not know what the first one has promised.
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
