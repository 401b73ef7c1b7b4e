/**
 * Parses the sender of emails, or their reply address, as a person writes it: `orders@shop.example`, or with a name
 * `Shop <orders@shop.example>`. A header allows only ASCII, and a name only part of it, so names are quoted (RFC 5322,
 * 3.2.4) or encoded (RFC 2047). A mail service refuses or garbles any other text.
 */
import { readEmail } from '../../core/people/contact.ts'

/** `name` is readable text, empty when there is none. */
export type Mailbox = { name: string; address: string }

const maxName = 100

/** Returns undefined for text that no header allows: without an ASCII address, or with control or bidi characters or an open quote. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, phrase = '', inBrackets] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? []
  const address = readEmail(inBrackets ?? text)
  const name = nameIn(phrase.trim())
  return address === undefined || name === undefined ? undefined : { name, address }
}

/** Returns the mailbox for a header. @throws RangeError for a text that `parseMailbox` cannot read */
export function mailboxHeader(text: string): string {
  const mailbox = parseMailbox(text)
  if (mailbox === undefined) throw new RangeError('not an email address with or without a name')
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

/** Returns a name in the form that a header allows before the address. */
export function headerPhrase(name: string): string {
  if (atoms.test(name)) return name
  return /^[ -~]*$/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : encodedWords(name).join(' ')
}

/** An encoded word has at most 75 characters: 12 around the base64 of 45 bytes. No character is split. */
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
