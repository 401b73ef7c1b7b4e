/**
 * The operations of a shopper's wallet, and their answers. Times are epoch ms, amounts in minor units.
 */
import * as z from 'zod/mini'
import { maxInvitationBytes, maxOrderRequestBytes } from '../body-limits.ts'
import { parseSaleId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'
import { readCoupon } from '../orders/coupon.ts'
import { payoutReasons, payoutStates, statementKinds } from '../packets/statement.ts'
import type { FullOperation } from './operation.ts'
import { changeProblems, readProblems } from './problem-sets.ts'

const saleId = readBy(parseSaleId, 'must be a sale id')
const money = { amount: z.number(), currency: z.string() }

/**
 * A movement of the wallet's money, and the `balance` of its currency after it. A `credit` is a red packet; a
 * `payout` left the wallet, or is on its way; `returned` is the money of a refused payout.
 */
const statementLine = z.object({
  kind: z.enum(statementKinds),
  at: z.number(),
  ...money,
  balance: z.number(),
  saleId: z.optional(saleId),
  packetId: z.optional(z.string()),
  payoutId: z.optional(z.string()),
  state: z.optional(z.enum(payoutStates)),
  reason: z.optional(z.enum(payoutReasons)),
})

/** `reason` says what the shopper can do about a refused one. */
const payout = z.object({
  payoutId: z.string(),
  ...money,
  requestedAt: z.number(),
  state: z.enum(payoutStates),
  reason: z.optional(z.enum(payoutReasons)),
})

/**
 * `credits` are the newest ones and `statement` the newest movements, newest first; `balances` include all.
 * `minimums` are the least amounts that can be withdrawn, by currency; absent where nothing is paid out. `balanceUrl` is
 * where the shop shows the balance that it holds itself.
 */
const wallet = z.object({
  balances: z.readonly(z.array(z.object(money))),
  credits: z.readonly(
    z.array(z.object({ saleId, packetId: z.string(), ...money, claimedAt: z.number(), creditedAt: z.number() })),
  ),
  statement: z.readonly(z.array(statementLine)),
  minimums: z.optional(z.record(z.string(), z.number())),
  balanceUrl: z.optional(z.string()),
})

/** The amount is the shop's to know: a request with one is refused. */
const payoutRequest = z.strictObject(
  { currency: z.string('must be a string').check(z.regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code')) },
  'must be an object',
)

const invitationRequest = z.strictObject(
  { saleId, code: readBy(readCoupon, 'must be the 20 characters of an invitation') },
  'must be an object',
)

export const walletApi = {
  getWallet: {
    method: 'GET',
    path: '/api/wallet',
    query: z.object({ statement: z.optional(z.literal('all', 'must be all')) }),
    answer: wallet,
    problems: readProblems,
  },
  /** `packet` is null for a shopper without one; a claim counts from its answer on, before it is credited. */
  findPacket: {
    method: 'GET',
    path: '/api/packets',
    query: z.object({ sale: saleId }),
    answer: z.object({
      packet: z.nullable(z.object({ packetId: z.string(), ...money, claimedAt: z.number() })),
    }),
    problems: [...readProblems, 'not-found'],
  },
  /** `url` is where the shopper first opens an account; nothing is withdrawn then. */
  withdraw: {
    method: 'POST',
    path: '/api/wallet/payouts',
    body: { maxBytes: maxOrderRequestBytes, schema: payoutRequest },
    answer: z.object({ payout: z.optional(payout), url: z.optional(z.string()) }),
    problems: [...changeProblems, 'conflict'],
  },
  /** Puts the shopper on the list of the sale for early access, once for each code. */
  redeemInvitation: {
    method: 'POST',
    path: '/api/wallet/invitations',
    body: { maxBytes: maxInvitationBytes, schema: invitationRequest },
    answer: z.object({ saleId }),
    problems: [...changeProblems, 'not-found', 'conflict'],
  },
} as const satisfies Record<string, FullOperation>

export type Wallet = z.infer<typeof wallet>
export type StatementLine = z.infer<typeof statementLine>
export type WalletCredit = Wallet['credits'][number]
