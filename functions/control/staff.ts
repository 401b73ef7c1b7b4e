/**
 * Admits callers to `/api/control`: only those with a role of ours that was not withdrawn. Three functions answer its calls:
 * `delivery` those that show personal data, `pictures`, which cannot read the table, and `control` the rest.
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

/** A call of staff. The audit log records the caller's most powerful role. */
type StaffCall<O extends Operation> = Call<O, Staff> & { actor: Actor }

/** Routes calls of `operation` to `answer`, for callers with one of its roles. */
export function onControl<O extends ControlOperation, Ports>(
  operation: O,
  answer: (ports: Ports, call: StaffCall<O>) => Promise<AnswerOf<O> | HttpAnswer>,
): Route<Ports> {
  return on<O, Ports, Staff>(operation, (ports, call) => {
    const { shopperId: who, requestId } = call.caller
    return answer(ports, { ...call, actor: { who, requestId, role: call.role } })
  })
}

/** Looks an entry up in the table's block list; undefined when it is not blocked. */
type FindBlock = (block: Block) => Promise<object | undefined>

/** `at-the-gate` for a function that cannot read the table: there only the gate rejects blocked sessions. */
export type BlockCheck = FindBlock | 'at-the-gate'

/**
 * Admits callers with a role of ours. The gate rejects blocked sessions by its copy of the block list. The table decides here,
 * so that losing that copy restores no access (R8). When the block list cannot be read, no request passes.
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

/** Reads both entries from the table at once. A former version of the gate sends no key. */
async function refusalOf(find: FindBlock, who: ShopperId, keyId: string | undefined): Promise<HttpAnswer | undefined> {
  const [person, key] = await Promise.all([
    find({ kind: 'shopper', value: who }),
    keyId === undefined ? undefined : find({ kind: 'session-key', value: keyId }),
  ])
  if (key !== undefined) return signInRequired()
  return person && problemAnswer(problem('blocked', 'Requests from this account are blocked.'))
}
