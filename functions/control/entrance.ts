/**
 * Who may enter `/api/control`, and in which form: only with a role of ours that was not withdrawn, JSON
 * only, nothing oversized. Three functions answer its calls: `control`, `delivery` those that show personal
 * data, and `pictures`, which may not read the table.
 */

import type { Operation } from '../../core/api/operation.ts'
import { maxControlBodyBytes } from '../../core/body-limits.ts'
import { parseSaleId, type SaleId, type ShopperId } from '../../core/ids.ts'
import { problem } from '../../core/outcome.ts'
import { sessionKeyHeader } from '../../core/people/session-key.ts'
import { type Role, roles, rolesAmong } from '../../core/roles.ts'
import { type HttpAnswer, invalid, problemAnswer } from '../lib/http/answer.ts'
import { readCaller, signInRequired } from '../lib/http/caller.ts'
import { type HttpRequest, isJson } from '../lib/http/request.ts'
import type { PathParts, PathRoute } from '../lib/http/routes.ts'
import type { Actor } from '../sales/audit.ts'
import type { Blocklist } from '../table/gate/blocklist.ts'
import { roleRequired } from './answers.ts'

/** A request of a caller with at least one role. */
export type Arrival<Ports> = {
  ports: Ports
  request: HttpRequest
  held: readonly Role[]
  who: ShopperId
  requestId: string
}
type Context<Ports> = Pick<Arrival<Ports>, 'ports' | 'request' | 'held'> & { actor: Actor }
export type SaleContext<Ports> = Context<Ports> & { saleId: SaleId }

/** A route with the roles of which its caller needs one. */
export type ControlRoute<Ports> = PathRoute<Context<Ports>> & { roles: readonly Role[] }
export type ControlOperation = Operation & { roles: readonly Role[] }

/** A route about one sale; an id that cannot be one is a fault of the request. */
export function onSale<Ports>(
  operation: ControlOperation,
  run: (context: SaleContext<Ports>) => Promise<HttpAnswer>,
): ControlRoute<Ports> {
  return {
    ...operation,
    run: async (context, parts: PathParts) => {
      const saleId = parseSaleId(parts.saleId)
      return saleId === undefined ? invalid('saleId', 'saleId is not a sale id') : run({ ...context, saleId })
    },
  }
}

/**
 * The route for callers with one of its roles. The change is on record under the one that may do
 * most.
 */
export function guarded<Ports>({ roles, run, ...route }: ControlRoute<Ports>): PathRoute<Arrival<Ports>> {
  return {
    ...route,
    run: async ({ held, who, requestId, ...context }, parts) => {
      const role = roles.find((one) => held.includes(one))
      if (role === undefined) return roleRequired(roles)
      return run({ ...context, held, actor: { who, requestId, role } }, parts)
    },
  }
}

/**
 * The block list in the table. It is `at-the-gate` for a function that may not read the table: the gate
 * alone refuses blocked sessions there.
 */
export type Withdrawals = Pick<Blocklist, 'find'> | 'at-the-gate'

/**
 * Answers one request by `route`. The gate has refused blocked sessions by its copy of the block list; here
 * the table has the last word, so that a loss or an outage of that copy gives no access back (R8).
 * @throws what the ports throw; a block list that cannot be read lets no request in
 */
export async function enterControl<Ports>(
  route: (request: HttpRequest, arrival: Arrival<Ports>) => Promise<HttpAnswer>,
  ports: Ports,
  request: HttpRequest,
  withdrawals: Withdrawals,
): Promise<HttpAnswer> {
  const caller = readCaller(request.headers)
  if (caller === undefined) return signInRequired()
  const held = rolesAmong(caller.roles)
  if (held.length === 0) return roleRequired(roles)
  if (withdrawals !== 'at-the-gate') {
    const refused = await refusalOf(withdrawals, caller.shopperId, request.headers[sessionKeyHeader])
    if (refused !== undefined) return refused
  }
  if (Buffer.byteLength(request.body) > maxControlBodyBytes) {
    return problemAnswer(problem('too-large', `A request here has at most ${maxControlBodyBytes} bytes.`))
  }
  if (request.body !== '' && !isJson(request.headers['content-type'])) {
    return problemAnswer(problem('unsupported-media-type', 'Send application/json.'))
  }
  return route(request, { ports, request, held, who: caller.shopperId, requestId: caller.requestId })
}

/** Both are read at once, and from the table itself. A gate of a former version names no key. */
async function refusalOf(
  blocklist: Pick<Blocklist, 'find'>,
  who: ShopperId,
  keyId: string | undefined,
): Promise<HttpAnswer | undefined> {
  const [person, key] = await Promise.all([
    blocklist.find({ kind: 'shopper', value: who }),
    keyId === undefined ? undefined : blocklist.find({ kind: 'session-key', value: keyId }),
  ])
  if (key !== undefined) return signInRequired()
  return person && problemAnswer(problem('blocked', 'Requests from this account are blocked.'))
}
