/** The page for a sign-in that did not work. */
import type { Language } from '../../core/language.ts'
import { signInProblemMessages } from '../messages/catalogues.ts'
import { words } from '../messages/text.ts'
import { renderPlainPage } from './plain-page.ts'

/** The issuer does not answer, or the sign-in cannot be finished and must begin again. */
export type SignInProblem = 'unavailable' | 'refused'

/** The whole document; `again` is the address that begins a new sign-in. */
export function renderSignInProblem(kind: SignInProblem, again: string, language: Language): string {
  return renderPlainPage(language, {
    title: words(signInProblemMessages[`${kind}.title`], language),
    lead: words(signInProblemMessages[`${kind}.lead`], language),
    buttons: [
      { text: words(signInProblemMessages[`${kind}.again`], language), href: again },
      { text: words(signInProblemMessages[`${kind}.toShop`], language), href: '/' },
    ],
  })
}
