/** What an element asks of the page that shows it: its language, and the token of its customer. */
import { type Language, languageOf } from './words.ts'

/** The language of the nearest `lang` around `element`, also outside of its shadow tree, or else the browser's. */
export function languageAt(element: Element): Language {
  let at: Element | undefined = element
  while (at !== undefined) {
    const named: string | null | undefined = at.closest('[lang]')?.getAttribute('lang')
    if (named) return languageOf(named)
    const root: Node = at.getRootNode()
    at = root instanceof ShadowRoot ? root.host : undefined
  }
  return languageOf(navigator.language)
}

/**
 * Asks `address` on the host's own site for a token, as text or as JSON `{token}`, with its cookies. 401, 403 and a
 * redirect to a page for signing in mean a guest.
 * @throws for an address of another site, and for any other answer
 */
export async function tokenFrom(address: string): Promise<string | undefined> {
  const url = new URL(address, document.baseURI)
  if (url.origin !== location.origin) throw new Error(`token-from must be an address of ${location.origin}`)
  const answer = await fetch(url, { redirect: 'manual', cache: 'no-store' })
  if (answer.type === 'opaqueredirect' || answer.status === 401 || answer.status === 403) return undefined
  if (!answer.ok) throw new Error(`token-from answered ${answer.status}`)
  const text = await answer.text()
  return text.trimStart().startsWith('{') ? (JSON.parse(text) as { token?: string }).token : text
}
