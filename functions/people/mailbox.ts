/**
 * The sender of e-mails, or the address for answers to them, as a person writes it: `orders@shop.example`, or with a name
 * `Shop <orders@shop.example>`. A header holds only ASCII, and in a name only some of that, so names are quoted
 * (RFC 5322, 3.2.4) or encoded (RFC 2047). A mail service refuses or garbles any other text.
 */
import { readEmail } from '../../core/people/contact.ts'

/** `name` is as people read it, empty without one. */
export type Mailbox = { name: string; address: string }

const maxName = 100

/** Returns undefined for a text that no header can hold: without an address in ASCII, with a control, a turn of direction or an open quote. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, phrase = '', inBrackets] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? []
  const address = readEmail(inBrackets ?? text)
  const name = nameIn(phrase.trim())
  return address === undefined || name === undefined ? undefined : { name, address }
}

/** Returns the mailbox for a header. @throws RangeError for a text that `parseMailbox` cannot read */
export function mailboxHeader(text: string): string {
  const mailbox = parseMailbox(text)
  if (mailbox === undefined) throw new RangeError('not an e-mail address with or without a name')
  const { name, address } = mailbox
  return name === '' ? address : `${headerPhrase(name)} <${address}>`
}

/** Returns the name without the quotes around it. */
function nameIn(phrase: string): string | undefined {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(phrase)?.[1]
  const name = quoted?.replace(/\\(.)/g, '$1') ?? phrase
  const isOpen = quoted === undefined && phrase.split('"').length % 2 === 0
  return isOpen || /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(name) || [...name].length > maxName
    ? undefined
    : name
}

const atoms = /^[\w!#$%&'*+/=?^`{|}~-]+(?: [\w!#$%&'*+/=?^`{|}~-]+)*$/

/** Returns a name as it may stand before the address. */
export function headerPhrase(name: string): string {
  if (atoms.test(name)) return name
  return /^[ -~]*$/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : encodedWords(name).join(' ')
}

/** An encoded word has at most 75 characters: 12 around the base64 of 45 bytes, and no character is divided. */
const maxWordBytes = 45

function encodedWords(text: string): string[] {
  const words = ['']
  for (const character of text) {
    const longer = words.at(-1) + character
    if (new TextEncoder().encode(longer).length <= maxWordBytes) words[words.length - 1] = longer
    else words.push(character)
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`)
}
