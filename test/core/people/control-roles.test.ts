/** The table of control calls is the one source of who may do what. */
import { describe, expect, it } from 'vitest'
import { controlApi } from '../../../core/api/control-answers.ts'
import { type ControlCall, controlRoutes, mayCall, rolesFor } from '../../../core/api/control-routes.ts'
import { pathFor } from '../../../core/api/operation.ts'
import { roles, rolesAmong } from '../../../core/roles.ts'
import { callNames, someParts } from '../../functions/control/every-call.ts'

describe('the table of control calls', () => {
  it('has an answer for every call', () => {
    expect(Object.keys(controlApi).toSorted()).toEqual([...callNames].toSorted())
  })

  it.each(callNames)('finds %s by its method and path', (name) => {
    const { method, roles: needed, ...route } = controlRoutes[name]
    const path = pathFor({ ...controlApi[name], ...route }, someParts)
    expect(rolesFor(method, path)).toEqual(needed)
    expect(rolesFor('OPTIONS', path)).toBeUndefined()
    expect(rolesFor(method, `${path}/more/of/it`)).not.toEqual(roles)
  })

  it('lets a marketer make every call, and support and viewer change nothing but what is named', () => {
    const reads = (name: ControlCall) =>
      controlRoutes[name].method === 'GET' || ['findOrders', 'exportPerson'].includes(name)
    const changing = callNames.filter((name) => !reads(name))
    expect(callNames.filter((name) => !mayCall(name, ['marketer']))).toEqual([])
    expect(changing.filter((name) => mayCall(name, ['support']))).toEqual([
      'ship',
      'erasePerson',
      'refund',
      'settleRefund',
      'redrive',
    ])
    expect(changing.filter((name) => mayCall(name, ['viewer']))).toEqual([])
    expect(callNames.filter((name) => mayCall(name, []))).toEqual([])
  })

  it('finds a block of a range of addresses, which is two segments', () => {
    expect(rolesFor('PUT', '/api/control/blocklist/ip/10.0.0.0/8')).toEqual(['marketer'])
  })
})

it('the roles among names are ours alone, each once, the one that may do most first', () => {
  expect(rolesAmong(['viewer', 'member', 'marketer', 'viewer'])).toEqual(['marketer', 'viewer'])
  expect(rolesAmong(['Marketer', ' marketer', 'marketers', ''])).toEqual([])
})
