/**
 * Sign-in on one machine: sends the name and role, then goes back to where the shopper came from.
 */
import { parseShopperId } from '../../core/ids.ts'
import { keyOfProblem } from '../messages/problems.ts'
import { signInMessages } from '../messages/sign-in.ts'
import { byId, setText } from './dom.ts'
import { call } from './http.ts'
import { safeReturnPath } from './return-path.ts'
import { startVoice } from './voice.ts'

const voice = startVoice(signInMessages)
const form = byId('sign-in-form', HTMLFormElement)
const name = byId('shopperId', HTMLInputElement)
const error = byId('shopperId-error')
const status = byId('status')
const query = new URLSearchParams(location.search)
const wanted = query.get('return')

// A link may fill in the form, but only the person sends it, and what they typed before this script
// came stays. A visitor from the console wants to manage sales.
if (name.value === '') name.value = query.get('as') ?? ''
if (query.get('role') === 'marketer' || wanted?.startsWith('/console/')) {
  const marketer = form.querySelector<HTMLInputElement>('input[value="marketer"]')
  if (marketer !== null) marketer.checked = true
}

async function signIn(): Promise<void> {
  const shopperId = parseShopperId(name.value.trim())
  name.setAttribute('aria-invalid', String(shopperId === undefined))
  setText(error, shopperId === undefined ? voice.t('signIn.nameWrong') : '')
  if (shopperId === undefined) return name.focus()
  const marketer = new FormData(form).get('role') === 'marketer'
  setText(status, voice.t('signIn.sending'))
  const reply = await call(window.fetch.bind(window), '/local/sign-in', {
    body: { shopperId, roles: marketer ? ['marketer'] : [] },
  })
  if (reply.kind !== 'ok') {
    const problem = reply.kind === 'refused' ? reply.problem : undefined
    setText(
      status,
      problem === undefined
        ? voice.t('signIn.failed')
        : voice.t(keyOfProblem(problem.code), { seconds: problem.retryAfterSeconds ?? 10 }),
    )
    return
  }
  location.assign(wanted === null && marketer ? '/console/' : safeReturnPath(wanted))
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void signIn()
})
// Sent before this script came, the form would only load the page again.
byId('sign-in', HTMLButtonElement).disabled = false
if (document.activeElement === document.body) name.focus()
