/** Checks which role may make which call: every call of the table for every role, at the gate and at the function. */
import { describe, expect, it } from 'vitest'
import { controlApi } from '../../../core/api/control-answers.ts'
import { controlRoutes } from '../../../core/api/control-routes.ts'
import { pathFor } from '../../../core/api/operation.ts'
import { operations } from '../../../core/api/operations.ts'
import type { OrderId } from '../../../core/ids.ts'
import { type Role, roles } from '../../../core/roles.ts'
import { forwardedRequest } from '../../../proof/simulation/parts/requests.ts'
import { controlEvent, forwardedOf, openGate, refusalOf, sent } from '../../edge/support.ts'
import { useWorld } from '../../world/world.ts'
import { callNames, someParts } from './every-call.ts'

const rig = useWorld()

const matrix = callNames.flatMap((name) => {
  const { method, roles: allowed } = controlRoutes[name]
  const path = pathFor(controlApi[name], someParts)
  const needed: readonly Role[] = allowed
  return roles.map((role) => ({ name, role, method, path, needed, may: needed.includes(role) }))
})

/** Returns the function's answer to a caller with the roles `held`, as the gate writes them into its header. */
async function askAs(held: string, method: string, path: string, body?: unknown) {
  const answer = await rig.respond(forwardedRequest('rita', method, path, body, { 'x-shopper-roles': held }))
  const isJson = answer.headers['content-type']?.includes('json')
  return { status: answer.statusCode, body: isJson ? JSON.parse(answer.body) : answer.body }
}

describe('a call of the control API', () => {
  it('passes the gate for the roles of the table alone (I6)', async () => {
    for (const { name, method, path, role, needed, may } of matrix) {
      const { handler, time } = openGate()
      const event = await controlEvent(time.now, { method, uri: path, claims: { sub: 'rita', roles: [role] } })
      const answer = await handler(event)
      const what = `${name} by a ${role}`
      if (may) expect(sent(forwardedOf(answer), 'x-shopper-roles'), what).toEqual([role])
      else
        expect(refusalOf(answer), what).toMatchObject({ status: 403, body: { code: 'role-required', roles: needed } })
    }
  })

  it('is done by the function for the roles of the table alone, and a refused one changes nothing (I6)', async () => {
    // The rejected calls first: none of them leaves a trace.
    for (const { name, method, path, role, needed, may } of matrix.toSorted((a, b) => +a.may - +b.may)) {
      const answer = await askAs(role, method, path, operations[name].body && {})
      const what = `${name} by a ${role}`
      if (may) expect(answer.status, what).not.toBe(403)
      else expect(answer, what).toMatchObject({ status: 403, body: { code: 'role-required', roles: needed } })
      if (!may) expect(rig.audit(), what).toEqual([])
    }
  })

  it.each(['', 'member', 'Marketer', 'marketers', 'marketer-assistant', 'marketer;x', ' marketer', ','])(
    'is refused to the roles "%s", which are none of ours, also on a path that is no call (I6)',
    async (held) => {
      for (const path of ['/api/control/sales', '/api/control/me', '/api/control/nothing']) {
        expect(await askAs(held, 'GET', path)).toMatchObject({ status: 403, body: { code: 'role-required', roles } })
      }
    },
  )

  it('is refused to a caller whom the gate has not named', async () => {
    const asked = forwardedRequest(undefined, 'GET', '/api/control/sales', undefined, { 'x-shopper-roles': 'marketer' })
    expect((await rig.respond(asked)).statusCode).toBe(401)
  })

  it('is allowed to several roles in one token for what any of them may do', async () => {
    expect(await askAs('viewer,support', 'GET', '/api/control/audit')).toMatchObject({ status: 200 })
    expect(await askAs('viewer,support', 'POST', '/api/control/dead-letters/redrive', {})).toMatchObject({
      status: 200,
    })
    expect(await askAs('viewer,support,member', 'POST', '/api/control/sales', {})).toMatchObject({ status: 403 })
  })

  it('says who the caller is, with the roles of ours alone', async () => {
    expect(await askAs('member,viewer,support', 'GET', '/api/control/me')).toMatchObject({
      status: 200,
      body: { who: 'rita', roles: ['support', 'viewer'] },
    })
  })
})

describe('a change', () => {
  it('is audited with the shopper id and the role that allowed it', async () => {
    await askAs('viewer,marketer', 'POST', '/api/control/sales', rig.definition())
    await askAs('support', 'POST', '/api/control/dead-letters/redrive', {})
    expect(rig.audit()).toMatchObject([
      { who: 'rita', role: 'marketer', what: 'create' },
      { who: 'rita', role: 'support', what: 'redrive' },
    ])
  })

  it('of the stock downwards, finished by another call, is audited with the role that asked for it', async () => {
    await rig.open()
    await rig.ask('POST', '/sales/phone/stock', { delta: -1 })
    expect(rig.audit().at(-1)).toMatchObject({ who: 'mia', role: 'marketer', what: 'stock' })
  })
})

describe('a refund by support', () => {
  const refund = (orderId: OrderId, held = 'support') =>
    askAs(held, 'POST', `/api/control/orders/${orderId}/refund`, {})
  const sellOne = async () => {
    const orderId = await rig.buy(1)
    await rig.deliver()
    return orderId
  }

  it('is refused above the limit of the sale, with both amounts and who could do it', async () => {
    await rig.open({ price: 1000, supportRefundLimit: 999 })
    const orderId = await sellOne()
    const before = rig.audit().length
    expect(await refund(orderId)).toMatchObject({
      status: 403,
      body: {
        code: 'role-required',
        reason: 'over-refund-limit',
        roles: ['marketer'],
        values: { amount: 'CN¥10.00', limit: 'CN¥9.99' },
      },
    })
    expect((await rig.table.find(orderId))?.status).toBe('awaiting-payment')
    expect(rig.audit()).toHaveLength(before)
    expect(await refund(orderId, 'support,marketer')).toMatchObject({ status: 200 })
  })

  it('is done up to the limit, which counts the whole order', async () => {
    await rig.open({ price: 1000, supportRefundLimit: 1000, maxPerOrder: 2, limitPerShopper: 4 })
    const one = await sellOne()
    const two = await rig.buy(2, { quantity: 2 })
    await rig.deliver()
    expect(await refund(one)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect(rig.audit().at(-1)).toMatchObject({ who: 'rita', role: 'support', what: 'refund' })
    expect(await refund(two)).toMatchObject({ status: 403 })
  })

  it('is refused while the sale has no limit for it, and follows one that is set while the sale runs', async () => {
    await rig.open({ price: 1000 })
    const orderId = await sellOne()
    expect(await refund(orderId)).toMatchObject({ status: 403 })
    expect(await rig.ask('PATCH', '/sales/phone', { supportRefundLimit: 1000 })).toMatchObject({ status: 200 })
    expect(rig.audit().at(-1)).toMatchObject({
      before: { supportRefundLimit: 0, currency: 'CNY' },
      after: { supportRefundLimit: 1000 },
    })
    expect(await refund(orderId)).toMatchObject({ status: 200 })
  })
})
