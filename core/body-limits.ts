/** The largest bodies of calls to `/api`, in bytes, which the gate and each function apply. */
import { maxLanguages } from './language.ts'
import { maxPictures } from './sale/pictures.ts'
import { maxVariantName, maxVariants } from './sale/variants.ts'

/** Texts of a marketer, in characters. */
export const maxTitle = 120
export const maxDescription = 4000
export const maxPictureAddress = 500
export const maxAlternativeText = 200

/** A sale's own title and description, and those of each language. */
const textsOfSale = 1 + maxLanguages

/** JSON may write one character as six bytes (`\u4f60`). */
const maxCharacterBytes = 6

/** Field names, ids, numbers and punctuation take about 600 bytes; the rest is room for white space. */
const restOfDefinitionBytes = 2048

/** Room for the tag of a language in front of a text. */
const languageBytes = 16

/** Room for the windows of a sale: three numbers and their names each, with some white space. */
const slotBytes = 128

/** Windows of one sale, such as four hours of each of twenty days (R7). */
export const maxWindows = 100

/** Room for a variant: its names, its id, its stock and the names of those. */
const variantBytes = textsOfSale * maxVariantName * maxCharacterBytes + 128 + maxLanguages * languageBytes

/** Room for the units of a variant in a window: its id and a number. */
const unitsBytes = 40

/** For `/api/control`: a definition with every text, variant and window at its limit, as the longest JSON. */
export const maxControlBodyBytes =
  (textsOfSale * (maxTitle + maxDescription + maxPictures * maxAlternativeText) + maxPictures * maxPictureAddress) *
    maxCharacterBytes +
  maxPictures * maxLanguages * languageBytes +
  maxVariants * variantBytes +
  maxWindows * (slotBytes + maxVariants * unitsBytes) +
  restOfDefinitionBytes

/** For a buy request or a claim: a start token and a solved challenge. No valid request is larger. */
export const maxClickBytes = 2048

/** For a challenge: an empty object, or one with a token of Turnstile, which has at most 2,048 bytes. */
export const maxChallengeBytes = 2048 + 64

/** For unsubscribing with one click: `List-Unsubscribe=One-Click` in a form of either type (RFC 8058), or an empty one. */
export const maxUnsubscribeBytes = 512

/** For an order's actions, or the end of a session: an empty object and some white space. */
export const maxOrderRequestBytes = 64

/** For redeeming a coupon or confirming an order: a reference of 64 characters, as JSON may write them, and its name. */
export const maxRedeemBytes = 512

/** For a webhook: Stripe's events hold the whole object that changed, with all its metadata. */
export const maxWebhookBytes = 262_144

/** RFC 5321 allows 254 characters in a path. */
export const maxEmail = 254

/** Fifteen digits (E.164), with punctuation or an extension. */
export const maxPhone = 32

/** Each text of an address, in characters. */
export const maxDeliveryText = 100

/** Name, organisation, three lines, two localities, area and postal code. */
const deliveryTexts = 9

/** For the delivery of an order; field names and punctuation come to about 250 bytes. */
export const maxDeliveryBytes = (deliveryTexts * maxDeliveryText + maxPhone + maxEmail) * maxCharacterBytes + 512
