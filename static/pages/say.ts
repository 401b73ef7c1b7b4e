/** Words in a page: English text that the browser may swap, marked with its catalogue key. */
import { type Arguments, type Messages, words } from '../messages/text.ts'
import { type Html, html } from './html.ts'

/**
 * A speaker for one page's catalogue: a key that the page's script does not carry is a type error.
 */
export function speaker<M extends Messages>(messages: M) {
  const text = (key: keyof M & string, args: Arguments = {}): string =>
    words(lookUp(messages, key), 'en', args)
  return {
    text,
    /** A span with the words of `key`. */
    say(key: keyof M & string, args: Arguments = {}): Html {
      const marked = Object.keys(args).length === 0 ? html`` : html` data-i18n-args="${JSON.stringify(args)}"`
      return html`<span data-i18n="${key}"${marked}>${text(key, args)}</span>`
    },
    /** An `aria-label` attribute with the words of `key`. */
    label(key: keyof M & string): Html {
      return html`aria-label="${text(key)}" data-i18n-label="${key}"`
    },
  }
}

function lookUp<M extends Messages>(messages: M, key: keyof M & string) {
  const text = messages[key]
  if (text === undefined) throw new Error(`no message has the key ${key}`)
  return text
}
