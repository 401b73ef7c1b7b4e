/**
 * The log-in page of the issuer on one machine: fills in the form and checks it. The browser sends it, so
 * the page works without this script, too.
 */
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

/** A visitor from the console wants to manage sales. */
const cameFromConsole = /^https?:\/\/[^/]+\/console\//.test(document.referrer)

// A link may fill in the form, but only the person sends it, and what they typed before this script came stays.
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
