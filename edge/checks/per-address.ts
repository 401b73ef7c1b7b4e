/** Has there been too much from this address (R3)? edge/addresses.ts has the rule. */
import { type AppCheck, refuseForSeconds } from '../app-env.ts'

export const checkPerAddress: AppCheck = async (c, next) => {
  const { visit } = c.env
  const { addresses, tokens } = visit.memory
  const wait = addresses.waitSeconds(visit)
  if (wait > 0) return refuseForSeconds(c, wait)
  const strangerWait = addresses.strangerWaitSeconds(visit, () => tokens.knows(c.var.token.text))
  return strangerWait === 0 ? next() : refuseForSeconds(c, strangerWait)
}
