/** Puts the contact of a shopper who signs in. Shoppers wait for the import of sign-in, which has no client of AWS. */
import type { ShopperId } from '../../../core/ids.ts'
import type { Contact } from '../../../core/people/contact.ts'
import { contactKey } from '../keys.ts'
import { openPut, type TableAccess } from '../put-item.ts'
import { contactAttributes, type PersonalKeys } from './contact-item.ts'

export type FirstContacts = {
  /**
   * As `put`, where no contact is kept; false where one is.
   * @throws when the table is unavailable
   */
  putIfAbsent: (shopperId: ShopperId, contact: Contact, expiresAt: number) => Promise<boolean>
}

export function dynamoFirstContacts(access: TableAccess, parts: PersonalKeys): FirstContacts {
  const put = openPut(access)
  return {
    async putIfAbsent(shopperId, contact, expiresAt) {
      const attributes = await contactAttributes(parts, shopperId, contact, expiresAt)
      return put(
        { ...contactKey(shopperId), ...attributes },
        {
          expression: 'attribute_not_exists(pk) OR expiresAt <= :now',
          values: { ':now': Math.floor(parts.clock() / 1000) },
        },
      )
    },
  }
}
