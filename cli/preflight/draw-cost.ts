/** The cost of the entries of a sale that draws, beside the sale itself. */
import type { Prices } from '../../infra/prices.ts'
import { runSeconds } from '../../infra/settings/arithmetic.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import type { Plan } from './plan.ts'
import { type CostLine, counted } from './sale-cost.ts'

/** The page reads the entry, and the entrant enters. Each further look at it costs half as much. */
const requestsPerEntrant = 2

/** The state of the draw and the entry, with each request. */
const readsPerRequest = 2

/** An item has less than a kilobyte. */
const writesPerEntrant = 1

/** Each head reads all items, of which a read takes four kilobytes; a draw of a day has 24. */
const headReadsPerEntrant = 24 / 4

/** Requests, gate, function, table and firewall; the schedule and its files cost cents. */
export function drawCost(
  entrants: number,
  { edgeRunSeconds }: Pick<Plan, 'edgeRunSeconds'>,
  settings: StageSettings,
  { cdn, gate, functions, table, firewall }: Prices,
): CostLine[] {
  if (entrants === 0) return []
  const requests = entrants * requestsPerEntrant
  const gbOf = (megabytes: number) => megabytes / 1024
  const dollars =
    requests * (cdn.request + cdn.viewerFunctionRun) +
    requests * (gate.run + edgeRunSeconds * gbOf(settings.edge.memoryMb) * gate.gbSecond) +
    requests * (functions.run + runSeconds.warm * gbOf(settings.functions.draws.memoryMb) * functions.gbSecond) +
    entrants * (writesPerEntrant * table.write + headReadsPerEntrant * table.read) +
    requests * readsPerRequest * table.read +
    (settings.firewall === undefined ? 0 : requests * firewall.request)
  return [{ item: 'Entries of the draw', quantity: counted(entrants), dollars }]
}
