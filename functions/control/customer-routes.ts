/** `/api/control/customer-issuers`: who signs tokens for the shop's own customers. */
import { controlOperations } from '../../core/api/control-requests.ts'
import { maxIssuers } from '../../core/people/customer-issuer.ts'
import { invalid } from '../lib/http/answer.ts'
import type { GatePorts, Shop } from '../lib/shop/shop.ts'
import { allIssuers } from '../table/people/customer-issuers.ts'
import { refusal } from './answers.ts'
import { type CustomerPorts, issuerView, removeCustomerIssuer, saveCustomerIssuer } from './customers.ts'
import { onControl } from './entrance.ts'

export const customerRoutes = [
  onControl(controlOperations.listCustomerIssuers, async ({ table }: Pick<Shop, 'table'>) => ({
    issuers: (await allIssuers(table)).map(issuerView),
  })),
  onControl(controlOperations.saveCustomerIssuer, async (ports: CustomerPorts, { actor, params: { name }, body }) => {
    const outcome = await saveCustomerIssuer(ports, actor, name, body)
    switch (outcome.kind) {
      case 'saved':
        return issuerView(outcome.issuer)
      case 'full':
        return refusal({ reason: 'issuers-full', values: { limit: maxIssuers } })
      case 'taken':
        return refusal({ reason: 'issuer-taken', values: { name: outcome.name }, field: 'issuer' })
      case 'unusable':
        return invalid(outcome.field, `${outcome.field} ${outcome.failure}`)
    }
  }),
  onControl(controlOperations.deleteCustomerIssuer, async (ports: GatePorts, { actor, params: { name } }) => {
    await removeCustomerIssuer(ports, actor, name)
    return { name }
  }),
]
