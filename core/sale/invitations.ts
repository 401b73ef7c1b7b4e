/**
 * Invitations to early access: codes that each put one shopper on the list of a sale. They are made where they are
 * exported, and the shop keeps their digests alone: 100 random bits cannot be found from a digest.
 */
import { maxEarlyShoppers } from '../api/early-list.ts'
import type { SaleId } from '../ids.ts'
import { type ChangeCounts, sendChanges } from '../lib/slices.ts'
import type { CouponCode } from '../orders/coupon.ts'
import { invitationMark } from '../people/mail.ts'

const invitationPath = (saleId: SaleId, code: CouponCode) => `/sales/${saleId}/${invitationMark}${code}`

/** The shop keeps only this of a code: SHA-256 over sale and code, in hexadecimal. */
export async function invitationDigest(saleId: SaleId, code: CouponCode): Promise<string> {
  const text = new TextEncoder().encode(`${saleId} ${code}`)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Twenty characters as those of coupons, of five random bits each. The console's first screen has no code that draws coupons. */
function newCode(): CouponCode {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return Array.from(bytes, (byte) => letters[byte % letters.length]).join('') as CouponCode
}

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** New codes, which no one guesses, and the CSV file with their links, in which they are for the only time. */
export function newInvitations(
  saleId: SaleId,
  count: number,
  shopUrl: string,
): { codes: readonly CouponCode[]; csv: string } {
  const codes = Array.from({ length: count }, newCode)
  // Neither a code nor a link has a character that a spreadsheet would take for more than text.
  const lines = codes.map((code) => `${code},${shopUrl}${invitationPath(saleId, code)}\r\n`)
  return { codes, csv: ['code,link\r\n', ...lines].join('') }
}

/** Sends the digests in calls, one after the other. Safe to repeat: a digest that is known changes nothing. */
export async function sendInvitations(
  saleId: SaleId,
  codes: readonly CouponCode[],
  send: (digests: readonly string[]) => Promise<ChangeCounts | undefined>,
  onProgress: (done: number) => void,
): Promise<number> {
  const digests = await Promise.all(codes.map((code) => invitationDigest(saleId, code)))
  const { changed, same } = await sendChanges(digests, maxEarlyShoppers, send, onProgress)
  return changed + same
}
