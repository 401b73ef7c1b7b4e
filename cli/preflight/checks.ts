/** The security checks of a planned sale (R5, N4), which pages do in the last minutes before the start. */
import { type ChallengeKind, checkBeforeStartMs } from '../../core/gate/challenge.ts'
import type { Prices } from '../../infra/prices.ts'
import type { Quotas, StageSettings } from '../../infra/settings/stage.ts'
import type { Plan } from './plan.ts'
import { environmentsFor } from './rates.ts'
import { type CostLine, counted } from './sale-cost.ts'

type Checked = Pick<Plan, 'shoppers' | 'busiestShare' | 'edgeRunSeconds'>

/** Requests of a page to the gate: one for a challenge, one more with Turnstile's token. */
const requestsPerCheck: Readonly<Record<ChallengeKind, number>> = { off: 0, pow: 1, turnstile: 2 }

/** Time that the gate waits for siteverify; assumed until it is measured. */
const siteverifySeconds = 0.2

/** What a check of every shopper costs at the edge: requests, and runs of the gate. */
export function checkCost(
  { shoppers, edgeRunSeconds }: Checked,
  challenge: ChallengeKind,
  { edge, firewall }: Pick<StageSettings, 'edge' | 'firewall'>,
  prices: Prices,
): CostLine[] {
  const requests = shoppers * requestsPerCheck[challenge]
  if (requests === 0) return []
  const waited = challenge === 'turnstile' ? shoppers * siteverifySeconds : 0
  const gbSeconds = (requests * edgeRunSeconds + waited) * (edge.memoryMb / 1024)
  const inspected = firewall === undefined ? 0 : prices.firewall.request
  const each = prices.cdn.request + prices.cdn.viewerFunctionRun + prices.gate.run + inspected
  return [
    {
      item: 'Security checks',
      quantity: counted(shoppers),
      dollars: requests * each + gbSeconds * prices.gate.gbSecond,
    },
  ]
}

/** What to do before a sale with Turnstile; undefined for any other. */
export function checkAdvice(
  { shoppers, busiestShare, edgeRunSeconds }: Checked,
  challenge: ChallengeKind,
  { edgeConcurrency }: Pick<Quotas, 'edgeConcurrency'>,
): string | undefined {
  if (challenge !== 'turnstile') return undefined
  const seconds = (checkBeforeStartMs.from - checkBeforeStartMs.until) / 1000
  const perSecond = Math.ceil(shoppers / seconds)
  const runSeconds = requestsPerCheck.turnstile * edgeRunSeconds + siteverifySeconds
  const environments = environmentsFor(perSecond * busiestShare, runSeconds)
  return `Put the keys of Turnstile into the secret of the edge (docs/how-to/deploy.md). Pages check their shoppers in ${seconds} s before the start: the gate then asks Turnstile ${counted(perSecond)} times a second, and the busiest region needs ${counted(environments)} of ${counted(edgeConcurrency)} environments at a time. Shoppers beyond them are checked a little later. Tell Cloudflare of a large sale in time.`
}
