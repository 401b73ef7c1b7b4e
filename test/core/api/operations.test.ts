/** The table of operations as a whole. */
import { describe, expect, it } from 'vitest'
import { controlApi } from '../../../core/api/control-answers.ts'
import { controlOperations } from '../../../core/api/control-requests.ts'
import { controlRoutes } from '../../../core/api/control-routes.ts'
import { deliveryApi, unsubscribeApi } from '../../../core/api/delivery.ts'
import { edgeApi } from '../../../core/api/edge.ts'
import { heldReadsApi } from '../../../core/api/held-reads.ts'
import type { FullOperation } from '../../../core/api/operation.ts'
import { operations } from '../../../core/api/operations.ts'
import { ownDataApi } from '../../../core/api/own-data.ts'
import { purchaseApi } from '../../../core/api/purchase.ts'
import { shopApi } from '../../../core/api/shop.ts'
import { redeemApi, reservationApi } from '../../../core/api/shop-calls.ts'
import { signInApi } from '../../../core/api/sign-in.ts'
import { walletApi } from '../../../core/api/wallet.ts'
import { parse } from '../../../core/lib/parse.ts'
import { optionShopperOperations } from '../../../core/options.ts'

const parts = [
  edgeApi,
  purchaseApi,
  shopApi,
  walletApi,
  heldReadsApi,
  deliveryApi,
  ownDataApi,
  unsubscribeApi,
  signInApi,
  redeemApi,
  reservationApi,
  controlOperations,
  optionShopperOperations,
]
const all = Object.entries(operations)

describe('the table of operations', () => {
  it('has each operation of its parts under a name of its own, and each call once', () => {
    expect(all.map(([name]) => name)).toEqual(parts.flatMap((part) => Object.keys(part)))
    const calls = all.map(([, { method, path }]) => `${method} ${path}`)
    expect(new Set(calls).size).toBe(calls.length)
  })

  it.each(all.filter(([, { path }]) => path.includes(':')))(
    'reads each parameter of the path of %s',
    (_, operation) => {
      const names = [...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
      const read = operation.params && parse(operation.params, {})
      expect(read).toMatchObject({ ok: false, field: names[0] })
    },
  )

  it('has of the control API what its clients read', () => {
    const served: Readonly<Record<string, FullOperation>> = operations
    for (const [name, { method, path, roles, answer, ...rest }] of Object.entries(controlApi)) {
      const status = 'status' in rest ? rest.status : undefined
      expect(served[name], name).toMatchObject({ method, path, roles, ...(status && { status }) })
      expect(served[name]?.answer, name).toBe(answer)
    }
  })

  it('lists each problem of an operation once', () => {
    for (const [name, { problems }] of all) expect(new Set(problems).size, name).toBe(problems.length)
  })

  it('has a body for no GET, and a role of ours for the staff alone', () => {
    for (const [name, { method, body, path, roles }] of all) {
      if (method === 'GET') expect(body, name).toBeUndefined()
      expect(roles !== undefined, name).toBe(name in controlRoutes)
      expect(new Set(roles).size, path).toBe(roles?.length ?? 0)
    }
  })
})
