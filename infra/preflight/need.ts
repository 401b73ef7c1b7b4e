/** What a sale needs of one limit, and how that was reckoned. */
import type { LimitId } from './limit.ts'

export type Need = { amount: number; formula: string }
export type Needs = Record<LimitId, Need>

/** A number within a formula. */
export const told = (amount: number): string => amount.toLocaleString('en', { maximumFractionDigits: 2 })
