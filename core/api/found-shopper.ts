/** A shopper as support sees them, apart from the orders. Times are epoch ms, amounts in minor units. */
import * as z from 'zod/mini'
import { parseOrderId, parseShopperId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'
import { optionMailKinds } from '../options.ts'
import { countryIn } from '../people/delivery.ts'
import type { MailKind } from '../people/mail.ts'

const time = z.number()
const orderId = readBy(parseOrderId, 'must be an order id')
const country = readBy(countryIn, 'must be a country code')
const money = { amount: z.number(), currency: z.string() }
const listOf = <S extends z.core.$ZodType>(schema: S) => z.readonly(z.array(schema))

const mailKinds = [
  'confirmed',
  'payment-due',
  'cancelled',
  'refunded',
  'shipped',
  'packet-credited',
  ...optionMailKinds,
] as const satisfies readonly MailKind[]

/**
 * The state of an email. `asked`: requested and not due yet. `sending`: also after a failed attempt that will be retried.
 * `unknown`: it may have been sent, so it is not retried.
 */
const mailStates = ['asked', 'sent', 'rejected', 'sending', 'unknown'] as const

/**
 * Only a marketer sees `contact` and `deliveries`, the addresses of the orders on the page. `balances` and `credits` are
 * those of the wallet. `mails` are the emails of the last seven days about the orders of the page, the newest credits,
 * and subjects of options; `about` is an order, a packet or a sale.
 */
export const foundShopper = z.object({
  shopperId: readBy(parseShopperId, 'must be a shopper id'),
  contact: z.optional(
    z.nullable(z.object({ email: z.string(), language: z.string(), unsubscribed: z.optional(z.literal(true)) })),
  ),
  deliveries: z.optional(listOf(z.object({ orderId, phone: z.string(), lines: listOf(z.string()), country }))),
  balances: listOf(z.object(money)),
  credits: listOf(z.object({ at: time, ...money, balance: z.number() })),
  mails: listOf(z.object({ about: z.string(), kind: z.enum(mailKinds), state: z.enum(mailStates), at: time })),
})

export type FoundShopper = z.infer<typeof foundShopper>
