/** The port to the shoppers' contacts: one for each shopper, encrypted, for a limited time. */
import type { Contact } from '../../core/contact.ts'
import type { ShopperId } from '../../core/ids.ts'

/** All throw when the table is unavailable. */
export type Contacts = {
  /** Undefined when it is missing, erased or expired. Strongly consistent. */
  find: (shopperId: ShopperId) => Promise<Contact | undefined>
  /** The same for several, none named twice. */
  findMany: (shopperIds: readonly ShopperId[]) => Promise<ReadonlyMap<ShopperId, Contact>>
  /**
   * Replaces an earlier one; kept until `expiresAt`, epoch ms. Who has unsubscribed stays so: `unsubscribe`
   * alone writes that.
   */
  put: (shopperId: ShopperId, contact: Contact, expiresAt: number) => Promise<void>
  /** Safe to repeat; without effect where no contact is kept. */
  unsubscribe: (shopperId: ShopperId) => Promise<void>
  /** Safe to repeat. */
  erase: (shopperId: ShopperId) => Promise<void>
  /** The shoppers with that e-mail address, in any case of its letters; eventually consistent. */
  withEmail: (email: string) => Promise<readonly ShopperId[]>
}

export type FirstContacts = {
  /**
   * As `put`, where no contact is kept; false where one is.
   * @throws when the table is unavailable
   */
  putIfAbsent: (shopperId: ShopperId, contact: Contact, expiresAt: number) => Promise<boolean>
}
