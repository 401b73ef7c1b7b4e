/** Is it what this sale hands out? Packets are claimed, everything else is bought. The scripts tell the two apart as well. */
import { prebuiltProblem } from '../problem-response.ts'
import { ofSale } from '../visit.ts'

const wrongKind = prebuiltProblem('conflict', 'This sale hands out something else. Load its page again.')

export const checkKind = ofSale(({ route }, { facts }) =>
  (route.kind === 'claim') === (facts.rules.kind === 'red-packet') ? undefined : wrongKind,
)
