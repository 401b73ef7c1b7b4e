/**
 * Who may enter `/api/control`: only with a role of ours that was not withdrawn. Three functions answer its
 * calls: `control`, `delivery` those that show personal data, and `pictures`, which may not read the table.
 */
import type { AnswerOf, Operation } from '../../core/api/operation.ts'
import type { Block } from '../../core/gate/block.ts'
import type { ShopperId } from '../../core/ids.ts'
import { problem } from '../../core/outcome.ts'
import { sessionKeyHeader } from '../../core/people/session.ts'
import { type Role, roles, rolesAmong } from '../../core/roles.ts'
import { type HttpAnswer, problemAnswer, roleRequired } from '../lib/http/answer.ts'
import { type Call, type Caller, type Middleware, on, type Route, readCaller, signInRequired } from '../lib/http/app.ts'
import { responseOf } from '../lib/http/stand-ins.ts'
import type { Actor } from '../sales/audit.ts'

/** A caller with at least one role of ours. */
export type Staff = Caller & { roles: readonly Role[] }
export type ControlOperation = Operation & { roles: readonly Role[] }

/** A call of staff. The change is on record under the role that may do most. */
type StaffCall<O extends Operation> = Call<O, Staff> & { actor: Actor }

/** `answer` answers the calls of `operation` for callers with one of its roles. */
export function onControl<O extends ControlOperation, Ports>(
  operation: O,
  answer: (ports: Ports, call: StaffCall<O>) => Promise<AnswerOf<O> | HttpAnswer>,
): Route<Ports> {
  return on<O, Ports, Staff>(operation, (ports, call) => {
    const { shopperId: who, requestId } = call.caller
    return answer(ports, { ...call, actor: { who, requestId, role: call.role } })
  })
}

/** Looks in the block list of the table; undefined for what is not on it. */
type FindBlock = (block: Block) => Promise<object | undefined>

/** It is `at-the-gate` for a function that may not read the table: the gate alone refuses blocked sessions there. */
export type BlockCheck = FindBlock | 'at-the-gate'

/**
 * Lets in who has a role of ours. The gate has refused blocked sessions by its copy of the block list; here the
 * table has the last word, so that a loss or an outage of that copy gives no access back (R8). A block list that
 * cannot be read lets no request in.
 */
export const forStaff =
  (blockCheck: BlockCheck): Middleware =>
  async (c, next) => {
    const caller = readCaller(c.req.header())
    if (caller === undefined) return responseOf(signInRequired())
    const held = rolesAmong(caller.roles)
    if (held.length === 0) return responseOf(roleRequired(roles))
    if (blockCheck !== 'at-the-gate') {
      const refused = await refusalOf(blockCheck, caller.shopperId, c.req.header(sessionKeyHeader))
      if (refused !== undefined) return responseOf(refused)
    }
    c.set('caller', { ...caller, roles: held })
    c.set('held', held)
    return next()
  }

/** Both are read at once, from the table. A gate of a former version names no key. */
async function refusalOf(find: FindBlock, who: ShopperId, keyId: string | undefined): Promise<HttpAnswer | undefined> {
  const [person, key] = await Promise.all([
    find({ kind: 'shopper', value: who }),
    keyId === undefined ? undefined : find({ kind: 'session-key', value: keyId }),
  ])
  if (key !== undefined) return signInRequired()
  return person && problemAnswer(problem('blocked', 'Requests from this account are blocked.'))
}
