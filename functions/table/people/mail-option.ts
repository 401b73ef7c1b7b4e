/**
 * The contract of emails that an option adds to those of the engine, which are about orders and credits. An option's email is
 * about a sale, and follows a change of an item of the option in the table.
 */
import * as z from 'zod/mini'
import { parseShopperId, type ShopperId } from '../../../core/ids.ts'
import { type Parsed, readBy } from '../../../core/lib/parse.ts'
import type { MailFacts, MailKind, OptionMail } from '../../../core/people/mail.ts'
import type { Sale, SaleTexts } from '../../../core/sale/sale.ts'
import type { WritePart } from '../../../templates/mails/content.ts'
import type { Table } from '../../lib/shop/shop.ts'
import type { MailId } from './mail-log.ts'

export type MailedSale = SaleTexts &
  Pick<Sale, 'variants' | 'checkoutUrl' | 'timeZone' | 'warmed' | 'flag' | 'startsAt' | 'endsAt'>

/**
 * `mayRepeat`: the email is resent when it is unknown whether it was sent, because its shopper may lose money or a unit
 * without it. `toUnsubscribed`: it is part of a contract, or its shopper has asked for it since. `besideCheckout`: it is sent
 * for a sale whose own shop takes the money and writes to its customers itself.
 */
export type MailRule = { mayRepeat: boolean; toUnsubscribed: boolean; besideCheckout: boolean }

export type DueMail = { id: MailId; rule: MailRule } & ({ mail: MailFacts } | OptionDueMail)

/** `write` writes the email. `isStillDue` is called just before sending; `sale` is undefined if deleted, `now` is epoch ms. */
type OptionDueMail = {
  mail: OptionMail
  write: WritePart
  isStillDue: (table: Table, sale: MailedSale | undefined, now: number) => Promise<boolean>
}

/**
 * `what` names the item in log entries. `isMany`: it may be sent to many shoppers at once. `forget` deletes the requests of a
 * shopper who no longer wants emails.
 */
export type MailOption = {
  what: string
  prefix: string
  isMany: boolean
  /** Reads a new image of an item; the result returns the email that is due at `now` (epoch ms), if any. */
  read(image: unknown): Parsed<(now: number) => DueMail | undefined>
  forget?(table: Table, shopperId: ShopperId): Promise<void>
  /** Returns a shopper's emails: `sent` or begun, and `asked` for and not yet due. @throws when the table is unavailable */
  ofShopper(table: Table, shopperId: ShopperId, now: number): Promise<MailsOfShopper>
}

export type AnyMail = MailId & { about: string; kind: MailKind }
export type MailsOfShopper = {
  asked: readonly { about: string; kind: MailKind; at: number }[]
  sent: readonly AnyMail[]
}

/** Returns a schema for the shopper in a key, which `read` extracts. */
export const shopperBy = (read: (key: string) => string | undefined) =>
  z.pipe(z.pipe(z.string('must be a string'), z.transform(read)), readBy(parseShopperId, 'must name a shopper'))
