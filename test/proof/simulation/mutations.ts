/** Programs with one deliberate defect each, which the simulation must detect. */
import type { Mutation } from '../../../proof/simulation/mutation.ts'
import { drawMutations } from './draw-mutations.ts'
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

export const mutations: readonly Mutation[] = [
  ...orderMutations.map((mutation) => ({ ...mutation, kind: 'goods' as const })),
  ...shippingMutations.map((mutation) => ({ ...mutation, kind: 'goods' as const })),
  ...cartMutations.map((mutation) => ({ ...mutation, kind: 'goods' as const, hasCheckout: true as const })),
  ...customerMutations.map((mutation) => ({ ...mutation, kind: 'goods' as const, hasCustomers: true as const })),
  ...drawMutations.map((mutation) => ({ ...mutation, kind: 'goods' as const, hasDraw: true as const })),
  ...couponMutations.map((mutation) => ({ ...mutation, kind: 'coupon' as const })),
  ...splitMutations.map((mutation) => ({ ...mutation, kind: 'goods' as const, isSplit: true as const })),
  ...dividedMutations.map((mutation) => ({
    ...mutation,
    ...({ kind: 'goods', isSplit: true, hasVariants: true } as const),
  })),
  ...variantMutations.map((mutation) => ({ ...mutation, kind: 'goods' as const, hasVariants: true as const })),
  ...packetMutations.map((mutation) => ({ ...mutation, kind: 'red-packet' as const })),
]
