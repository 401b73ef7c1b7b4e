/** Fills in and checks the form of the local sign-in page. The browser submits it, so the page also works without scripts. */
import { parseShopperId } from '../core/ids.ts'
import { plainText } from '../core/lib/text.ts'
import { roles } from '../core/roles.ts'
import type { signInMessages } from '../templates/messages/catalogues.ts'
import { signInPatterns } from '../templates/messages/page-patterns.ts'
import { byId, setText } from '../web/dom.ts'
import { pageVoice } from '../web/page-voice.ts'

const voice = await pageVoice<keyof typeof signInMessages>('sign-in', signInPatterns)
const form = byId('sign-in-form', HTMLFormElement)
const name = byId('shopperId', HTMLInputElement)
const error = byId('shopperId-error')
const query = new URLSearchParams(location.search)

/** Visitors from the console get the role that manages sales. */
const cameFromConsole = /^https?:\/\/[^/]+\/console\//.test(document.referrer)

// A link may fill in the form but not submit it, and must not overwrite typed text.
if (name.value === '') name.value = query.get('as') ?? ''
const wanted = query.get('role') ?? (cameFromConsole ? 'marketer' : '')
const choice = roles.find((role) => role === wanted)
if (choice !== undefined) byId(`role-${choice}`, HTMLInputElement).checked = true

form.addEventListener('submit', (event) => {
  const isName = parseShopperId(plainText(name.value)) !== undefined
  name.setAttribute('aria-invalid', String(!isName))
  setText(error, isName ? '' : voice.t('signIn.nameWrong'))
  if (isName) return
  event.preventDefault()
  name.focus()
})
if (document.activeElement === document.body) name.focus()
