/** Programs with one deliberate defect each, which the simulation must detect. */
import { joined } from '../../../core/lib/fold.ts'
import { proofs } from '../../../options/registry/proofs.ts'
import type { Mutation } from '../../../proof/simulation/mutation.ts'
import {
  cartMutations,
  couponMutations,
  customerMutations,
  orderMutations,
  shippingMutations,
} from './order-mutations.ts'
import { packetMutations } from './packet-mutations.ts'
import { dividedMutations, splitMutations } from './split-mutations.ts'
import { variantMutations } from './variant-mutations.ts'

const each = (some: Readonly<Record<string, Partial<Mutation>>>, affects: Omit<Mutation, 'name'>): Mutation[] =>
  Object.entries(some).map(([name, mutation]) => ({ ...mutation, name, ...affects }))

export const mutations: readonly Mutation[] = [
  ...each({ ...orderMutations, ...shippingMutations }, { kind: 'goods' }),
  ...each(cartMutations, { kind: 'goods', hasCheckout: true }),
  ...each(customerMutations, { kind: 'goods', hasCustomers: true }),
  ...joined(proofs, 'mutations'),
  ...each(couponMutations, { kind: 'coupon' }),
  ...each(splitMutations, { kind: 'goods', isSplit: true }),
  ...each(dividedMutations, { kind: 'goods', isSplit: true, hasVariants: true }),
  ...each(variantMutations, { kind: 'goods', hasVariants: true }),
  ...each(packetMutations, { kind: 'red-packet' }),
]
